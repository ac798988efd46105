//! The numbers of the search that are worth tuning, each with its unit and the range in which tuning may look.
//!
//! In a normal build each is a constant. With the feature `tuning` each is an atomic that a UCI option of
//! its name sets, and [`all`] lists them for the options and for OpenBench.

/// A number as the tuning build shows it.
#[derive(Clone, Copy, Debug)]
pub struct Tunable {
    /// The name of the parameter and of its option.
    pub name: &'static str,
    /// The value in a normal build.
    pub default: i32,
    /// The smallest value that makes sense.
    pub min: i32,
    /// The greatest value that makes sense.
    pub max: i32,
    #[cfg(feature = "tuning")]
    cell: &'static std::sync::atomic::AtomicI32,
}

#[cfg(feature = "tuning")]
impl Tunable {
    /// Changes the parameter for all searches from now on; out of range it is clamped.
    pub fn set(&self, value: i32) {
        self.cell.store(value.clamp(self.min, self.max), std::sync::atomic::Ordering::Relaxed);
    }
}

macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident: $default:literal, $min:literal..=$max:literal;)*) => {
        $(
            $(#[$doc])*
            #[cfg(not(feature = "tuning"))]
            #[inline(always)]
            pub(crate) const fn $name() -> i32 {
                $default
            }

            $(#[$doc])*
            #[cfg(feature = "tuning")]
            #[inline(always)]
            pub(crate) fn $name() -> i32 {
                cells::$name.load(std::sync::atomic::Ordering::Relaxed)
            }
        )*

        #[cfg(feature = "tuning")]
        #[allow(non_upper_case_globals, reason = "named as the parameters are")]
        mod cells {
            use std::sync::atomic::AtomicI32;
            $(pub(super) static $name: AtomicI32 = AtomicI32::new($default);)*
        }

        /// All parameters, in the order of this file.
        pub fn all() -> &'static [Tunable] {
            static ALL: &[Tunable] = &[$(Tunable {
                name: stringify!($name),
                default: $default,
                min: $min,
                max: $max,
                #[cfg(feature = "tuning")]
                cell: &cells::$name,
            }),*];
            ALL
        }
    };
}

parameters! {
    // Worth of men in exchanges, centipawns.
    see_pawn: 100, 50..=200;
    see_met: 190, 100..=350;
    see_khon: 280, 150..=450;
    see_knight: 330, 200..=500;
    see_rook: 600, 400..=900;

    // Aspiration windows, centipawns.
    aspiration_window: 10, 4..=40;
    /// The window grows by this many hundredths at each failure.
    aspiration_growth: 40, 10..=150;

    // Razoring, centipawns: base, and a factor of the depth's square.
    razor_base: 180, 50..=500;
    razor_depth: 110, 30..=300;

    // Reverse futility, centipawns a ply, and plies.
    reverse_futility_ply: 48, 20..=150;
    reverse_futility_improving: 32, 0..=120;
    reverse_futility_depth: 9, 4..=16;

    // Null move: plies, centipawns.
    null_base: 4, 2..=7;
    null_depth_divisor: 3, 2..=6;
    null_eval_divisor: 110, 50..=400;
    null_margin: 12, 0..=60;
    /// From this depth on a null-move cutoff is verified by a search without null moves.
    null_verification_depth: 12, 6..=24;

    // ProbCut, centipawns.
    probcut_margin: 120, 50..=400;
    probcut_improving: 30, 0..=150;

    // Futility of quiet moves, centipawns.
    futility_base: 70, 0..=250;
    futility_ply: 60, 20..=200;
    futility_depth: 10, 4..=16;

    // Futility of captures, centipawns.
    capture_futility_base: 130, 0..=400;
    capture_futility_ply: 110, 20..=300;

    // History pruning: history units a ply.
    history_pruning: -3500, -9000..=-500;

    // SEE pruning, centipawns a ply (captures) and a squared ply (quiets).
    see_capture: 75, 20..=200;
    see_quiet: 14, 4..=60;

    // Singular extensions: centipawns a ply, in sixteenths; margins in centipawns.
    singular_margin: 14, 4..=64;
    double_extension: 8, 0..=60;
    triple_extension: 60, 20..=200;

    // Late-move reductions, 1024ths of a ply.
    lmr_base: 700, 0..=2000;
    lmr_factor: 400, 150..=900;
    lmr_cut_node: 1500, 0..=3000;
    lmr_pv: 900, 0..=3000;
    lmr_tt_pv: 700, 0..=2500;
    lmr_not_improving: 600, 0..=2000;
    lmr_tt_capture: 800, 0..=2500;
    lmr_check: 600, 0..=2500;
    lmr_cutoffs: 800, 0..=2500;
    lmr_table_move: 900, 0..=2500;
    /// History units that are worth one ply.
    lmr_history: 9000, 3000..=24000;

    // History bonuses: units a ply, and the most.
    history_bonus_ply: 150, 50..=400;
    history_bonus_base: -60, -200..=200;
    history_bonus_max: 1500, 500..=4000;
    history_malus_ply: 180, 50..=500;
    history_malus_max: 1300, 500..=4000;

    // Correction history: weights in 1024ths of a centipawn per unit.
    correction_pawn: 60, 0..=200;
    correction_pieces: 55, 0..=200;
    correction_continuation: 50, 0..=200;

    // Quiescence, centipawns.
    quiescence_futility: 120, 30..=400;

    // Time: thousandths of the base time.
    time_soft: 650, 300..=1200;
    time_hard: 4200, 1500..=9000;
}
