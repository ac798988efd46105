//! How strong the engine shall play, as the options say it.

use std::hash::{BuildHasher, RandomState};

use makara_search::{Searcher, Skill};

/// The settings of the options `Skill Level`, `UCI_LimitStrength`, `UCI_Elo` and `UCI_AnalyseMode`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strength {
    /// `Skill Level`, 0 to [`Skill::FULL_LEVEL`].
    pub(crate) level: u8,
    /// `UCI_LimitStrength`: the Elo counts instead of the level.
    pub(crate) is_by_elo: bool,
    /// `UCI_Elo`, [`Skill::LOWEST_ELO`] to [`Skill::HIGHEST_ELO`].
    pub(crate) elo: i32,
    /// `UCI_AnalyseMode`: an analysis is always at full strength.
    pub(crate) is_analysing: bool,
}

impl Default for Strength {
    fn default() -> Strength {
        Strength { level: Skill::FULL_LEVEL, is_by_elo: false, elo: Skill::HIGHEST_ELO, is_analysing: false }
    }
}

impl Strength {
    fn skill(self) -> Skill {
        if self.is_analysing {
            Skill::FULL
        } else if self.is_by_elo {
            Skill::from_elo(self.elo)
        } else {
            Skill::from_level(self.level)
        }
    }

    /// Makes the next searches play so. The draws begin anew, somewhere: no two games are the same.
    pub(crate) fn apply(self, searcher: &mut Searcher) {
        searcher.set_skill(self.skill(), RandomState::new().hash_one(0));
    }
}
