//! The evaluation of a position for people: the `eval` commands.

use std::fmt::Write;

use makara_engine::{File, Position, Rank, Square};
use makara_search::{Chances, Explanation};

/// The board with what each man is worth, and all that the score is made of.
pub(crate) fn describe(position: &Position, explanation: &Explanation, evaluation: &str) -> String {
    let mut text = board(explanation);
    let mut line = |name: &str, value: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name}: {value}");
    };
    line("Fen", &position.to_fen());
    line("Evaluation", evaluation);
    for (at, &score) in explanation.outputs.iter().enumerate() {
        let men = match at {
            7 => "30 to 32".to_string(),
            _ => format!("{} to {}", 4 * at + 2, 4 * at + 5),
        };
        let used = if at == explanation.output { " (used)" } else { "" };
        line(&format!("Output for {men} men"), &format!("{}{used}", pawns(score)));
    }
    line("Before fading", &pawns(explanation.unfaded));
    line("Score", &format!("{} (White's side)", pawns(explanation.score)));
    let Chances { win, draw, loss } = explanation.chances;
    line("Chances", &format!("win {win}, draw {draw}, loss {loss} of 1000, for the side to move"));
    if position.in_check() {
        line("Note", "the side to move is in check; a search would not trust this score");
    }
    text.trim_end().to_string()
}

/// Centipawns as pawns.
fn pawns(centipawns: i32) -> String {
    format!("{:+.2}", f64::from(centipawns) / 100.0)
}

/// Each man above what the score loses without it.
fn board(explanation: &Explanation) -> String {
    let rule = format!("  +{}\n", "-------+".repeat(8));
    let mut text = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        text += &rule;
        let man = |file: &File| {
            let square = Square::new(*file, rank);
            explanation.men.iter().find(|(at, _, _)| *at == square)
        };
        let men = File::ALL.iter().map(|file| match man(file) {
            Some((_, piece, _)) => format!("   {piece}   |"),
            None => "       |".to_string(),
        });
        let worths = File::ALL.iter().map(|file| match man(file) {
            Some((_, _, Some(worth))) => format!("{:^7}|", pawns(*worth)),
            _ => "       |".to_string(),
        });
        text += &format!("{rank} |{}\n  |{}\n", men.collect::<String>(), worths.collect::<String>());
    }
    text += &rule;
    let files: String = File::ALL.iter().map(|file| format!("    {file}   ")).collect();
    format!("{text}  {}\n", files.trim_end())
}
