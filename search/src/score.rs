//! Scores inside the search and as told to people.

/// The longest line that the search looks at, in plies.
pub const MAX_PLY: usize = 246;

/// A score as told to people, from the side of the mover.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outlook {
    /// An estimate in hundredths of a pawn.
    Centipawns(i32),
    /// A forced mate in so many own moves.
    MateIn(u32),
    /// The mover is mated in so many of the opponent's moves; 0 means that it is mated already.
    MatedIn(u32),
}
