//! What a search found, as the `info` lines of UCI and USI.

use makara_engine::Move;
use makara_search::{Bound, Chances, Line, Outlook};

/// How a protocol writes moves.
pub(crate) type Notation = fn(Move) -> String;

/// The line of the beginning of a root move.
pub(crate) fn current_move(depth: usize, mv: Move, number: usize, notation: Notation) -> String {
    format!("info depth {depth} currmove {} currmovenumber {number}", notation(mv))
}

/// The line of a line of play; with `wdl` its score comes with the chances to win, draw and lose.
pub(crate) fn line(line: &Line, wdl: bool, notation: Notation) -> String {
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
    for &mv in &line.pv {
        text.push(' ');
        text.push_str(&notation(mv));
    }
    text
}
