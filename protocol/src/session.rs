//! The loop that serves a client: lines in, events of the search out.

use std::process::ExitCode;

use crossbeam_channel::{Receiver, select};
use makara_search::Event;

use crate::controller::Controller;
use crate::input::{Input, read_stdin};
use crate::output::{Output, complain};
use crate::uci::Uci;

/// What an adapter wants after a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Flow {
    /// The next line.
    Go,
    /// No line before the running search has answered.
    Wait,
    /// The end.
    Quit,
}

/// A protocol: it translates lines into calls of the controller, and events into lines.
pub(crate) trait Adapter {
    /// Does what a line says.
    fn line(&mut self, controller: &mut Controller, line: &str) -> Flow;
    /// Tells what the search found.
    fn event(&mut self, controller: &Controller, event: &Event);
    /// Tells something to the person at the other end.
    fn tell(&mut self, message: &str);
    /// True when nobody listens any more.
    fn is_closed(&self) -> bool;
}

/// Serves the client on standard input and output until it leaves.
pub(crate) fn run(output: Output) -> ExitCode {
    let mut controller = match Controller::new() {
        Ok(controller) => controller,
        Err(error) => {
            complain(&format!("makara: {error}"));
            return ExitCode::FAILURE;
        }
    };
    serve(&mut controller, &mut Uci::new(output), &read_stdin());
    // Ends a search that still runs.
    drop(controller);
    ExitCode::SUCCESS
}

fn serve(controller: &mut Controller, adapter: &mut dyn Adapter, input: &Receiver<Input>) {
    let mut flow = Flow::Go;
    while flow != Flow::Quit && !adapter.is_closed() {
        if flow == Flow::Wait {
            controller.finish(adapter);
            flow = Flow::Go;
            continue;
        }
        select! {
            recv(input) -> message => match message {
                Ok(Input::Line(line)) => {
                    log::debug!("< {line}");
                    flow = adapter.line(controller, &line);
                }
                Ok(Input::TooLong) => adapter.tell("a line of more than 16 MiB was ignored"),
                Ok(Input::End) | Err(_) => {
                    controller.finish_alone(adapter);
                    flow = Flow::Quit;
                }
            },
            recv(controller.events()) -> event => {
                if let Ok(event) = event {
                    controller.pass_on(&event, adapter);
                }
            }
        }
    }
}
