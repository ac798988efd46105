//! The counting rule, which protects a bare king.

/// How long a side may try to mate a bare king. Its strongest man decides.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum CountLimit {
    /// A rook or more: 16 moves.
    Rook,
    /// Else a khon or more: 44 moves.
    Khon,
    /// Else a knight or more: 64 moves.
    Knight,
}

impl CountLimit {
    /// All limits, the shortest first.
    pub const ALL: [CountLimit; 3] = [CountLimit::Rook, CountLimit::Khon, CountLimit::Knight];

    /// The limit in plies: 32, 88 or 128.
    #[inline]
    pub const fn plies(self) -> u16 {
        match self {
            CountLimit::Rook => 32,
            CountLimit::Khon => 88,
            CountLimit::Knight => 128,
        }
    }

    /// The limit of so many plies, if there is one.
    pub const fn from_plies(plies: u16) -> Option<CountLimit> {
        match plies {
            32 => Some(CountLimit::Rook),
            88 => Some(CountLimit::Khon),
            128 => Some(CountLimit::Knight),
            _ => None,
        }
    }
}

/// A running count.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Count {
    /// The limit, fixed when the count started.
    pub limit: CountLimit,
    /// Plies played since the start of the count.
    pub plies: u16,
}

impl Count {
    /// Plies that may still be played before the game is drawn: 0 means that a mate must stand on the
    /// board now. `None` when the count has run out.
    #[inline]
    pub const fn plies_left(self) -> Option<u16> {
        self.limit.plies().checked_sub(self.plies)
    }

    /// True when the game is drawn, unless checkmate stands on the board.
    #[inline]
    pub const fn is_expired(self) -> bool {
        self.plies > self.limit.plies()
    }
}
