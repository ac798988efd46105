//! The loop that serves a client: lines in, events of the search out.

use std::process::ExitCode;

use crossbeam_channel::{Receiver, select};
use makara_search::Event;

use crate::cecp::Cecp;
use crate::controller::Controller;
use crate::input::{Input, read_stdin};
use crate::output::{Output, complain};
use crate::uci::Uci;
use crate::usi::Usi;

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
    fn event(&mut self, controller: &mut Controller, event: &Event);
    /// Nothing more will come from the client: what runs is brought to its end.
    fn leave(&mut self, controller: &mut Controller);
    /// Tells something to the person at the other end.
    fn tell(&mut self, message: &str);
    /// Where its lines go.
    fn output(&mut self) -> &mut Output;
    /// True when nobody listens any more.
    fn is_closed(&self) -> bool;
    /// Ends it, so that another protocol can go on.
    fn into_output(self: Box<Self>) -> Output;
}

/// The protocols that there are, by the first word that a client says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Protocol {
    Uci,
    Usi,
    Cecp,
}

impl Protocol {
    /// The protocol that a line asks for, if it does.
    fn asked_for(line: &str) -> Option<Protocol> {
        match line.split_whitespace().next()? {
            "uci" => Some(Protocol::Uci),
            "usi" => Some(Protocol::Usi),
            "xboard" => Some(Protocol::Cecp),
            _ => None,
        }
    }

    fn adapter(self, output: Output) -> Box<dyn Adapter> {
        match self {
            Protocol::Uci => Box::new(Uci::new(output)),
            Protocol::Usi => Box::new(Usi::new(output)),
            Protocol::Cecp => Box::new(Cecp::new(output)),
        }
    }
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
    serve(&mut controller, output, &read_stdin());
    // Ends a search that still runs.
    drop(controller);
    ExitCode::SUCCESS
}

/// Serves a client, by UCI until it asks for another protocol.
fn serve(controller: &mut Controller, output: Output, input: &Receiver<Input>) {
    let mut protocol = Protocol::Uci;
    let mut adapter = protocol.adapter(output);
    let mut flow = Flow::Go;
    while flow != Flow::Quit && !adapter.is_closed() {
        if flow == Flow::Wait {
            controller.finish(&mut *adapter);
            flow = Flow::Go;
            continue;
        }
        select! {
            recv(input) -> message => match message {
                Ok(Input::Line(line)) => {
                    adapter.output().received(&line);
                    if let Some(other) = Protocol::asked_for(&line).filter(|&other| other != protocol) {
                        controller.end_search(&mut *adapter);
                        protocol = other;
                        adapter = protocol.adapter(adapter.into_output());
                    }
                    flow = adapter.line(controller, &line);
                }
                Ok(Input::TooLong) => adapter.tell("a line of more than 16 MiB was ignored"),
                Ok(Input::End) | Err(_) => {
                    adapter.leave(controller);
                    flow = Flow::Quit;
                }
            },
            recv(controller.events()) -> event => {
                if let Ok(event) = event {
                    controller.pass_on(&event, &mut *adapter);
                }
            }
        }
    }
}
