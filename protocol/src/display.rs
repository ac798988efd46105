//! A position for people and scripts: the `d` command.

use makara_engine::{Game, Outcome};

/// The board and everything that the rules say of it. Scripts read the lines `Name: value`.
pub(crate) fn describe(game: &Game) -> String {
    let position = game.position();
    let mut moves: Vec<String> = position.legal_moves().iter().map(|mv| mv.to_string()).collect();
    moves.sort_unstable();
    let checkers: Vec<String> = position.checkers().into_iter().map(|square| square.to_string()).collect();
    let count = position.count().map_or_else(
        || "none".to_string(),
        |count| format!("{} of {} plies", count.plies, count.limit.plies()),
    );
    let outcome = game
        .outcome()
        .map_or_else(|| "none".to_string(), |outcome: Outcome| format!("{outcome} {}", outcome.result()));
    let claim = game.claim().map_or_else(|| "none".to_string(), |claim| claim.to_string());
    format!(
        "{}\nFen: {}\nSfen: {}\nKey: {:#018x}\nCheckers: {}\nCount: {count}\nMoves: {}\nOutcome: {outcome}\nClaim: {claim}",
        position.diagram(),
        position.to_fen(),
        position.to_sfen(),
        position.key(),
        checkers.join(" "),
        moves.join(" "),
    )
}
