//! What a search found, as lines of the UCI protocol.

use std::fmt::Write;

use makara_search::{Bound, Chances, Event, Line, Outlook};

/// The line of an event; with `wdl` scores come with the chances to win, draw and lose.
pub(super) fn event(event: &Event, wdl: bool) -> String {
    match event {
        Event::Line(found) => line(found, wdl),
        Event::CurrentMove { depth, mv, number } => {
            format!("info depth {depth} currmove {mv} currmovenumber {number}")
        }
        Event::Finished(finished) => {
            let best = finished.best.map_or_else(|| "(none)".to_string(), |mv| mv.to_string());
            match finished.ponder {
                Some(reply) => format!("bestmove {best} ponder {reply}"),
                None => format!("bestmove {best}"),
            }
        }
    }
}

fn line(line: &Line, wdl: bool) -> String {
    let score = match line.outlook {
        Outlook::Centipawns(value) => format!("cp {value}"),
        Outlook::MateIn(moves) => format!("mate {moves}"),
        Outlook::MatedIn(0) => "mate 0".to_string(),
        Outlook::MatedIn(moves) => format!("mate -{moves}"),
    };
    let Chances { win, draw, loss } = line.chances;
    let chances = if wdl { format!(" wdl {win} {draw} {loss}") } else { String::new() };
    if line.pv.is_empty() {
        return format!("info depth {} score {score}{chances}", line.depth);
    }
    let bound = match line.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    let micros = line.time.as_micros().max(1);
    let nps = u128::from(line.nodes) * 1_000_000 / micros;
    let mut text = format!(
        "info depth {} seldepth {} multipv {} score {score}{bound}{chances} nodes {} nps {nps} hashfull {} tbhits {} time {} pv",
        line.depth,
        line.seldepth,
        line.multipv,
        line.nodes,
        line.hashfull,
        line.tbhits,
        line.time.as_millis(),
    );
    for mv in &line.pv {
        // Writing to a string cannot fail.
        let _ = write!(text, " {mv}");
    }
    text
}
