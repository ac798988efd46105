//! The engine's options: names, kinds, ranges, and what setting them does.

use std::time::Duration;

use makara_engine::PromotionRule;
use makara_search::{Evaluation, Searcher, Skill};

use crate::controller::Controller;
use crate::session::Adapter;

/// The values that an option takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Check { default: bool },
    Spin { default: usize, min: usize, max: usize },
    Combo { default: &'static str, values: &'static [&'static str] },
    Text { default: &'static str },
    Button,
}

/// An option as the client sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spec {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    id: Id,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Id {
    Hash,
    Threads,
    ClearHash,
    Ponder,
    MoveOverhead,
    MultiPv,
    Variant,
    PromotionRule,
    EvalFile,
    ShowWdl,
    SkillLevel,
    LimitStrength,
    Elo,
    AnalyseMode,
    Debug,
    LogFile,
    EngineAbout,
}

const fn spec(id: Id, name: &'static str, kind: Kind) -> Spec {
    Spec { name, kind, id }
}

const PROMOTION_RULES: &[&str] = &["any", "met"];

/// All options in the order in which they are shown.
pub(crate) const ALL: &[Spec] = &[
    spec(Id::Hash, "Hash", Kind::Spin { default: Searcher::DEFAULT_HASH, min: 1, max: 33_554_432 }),
    spec(Id::Threads, "Threads", Kind::Spin { default: 1, min: 1, max: Searcher::MAX_THREADS }),
    spec(Id::ClearHash, "Clear Hash", Kind::Button),
    spec(Id::Ponder, "Ponder", Kind::Check { default: false }),
    spec(Id::MultiPv, "MultiPV", Kind::Spin { default: 1, min: 1, max: makara_engine::MAX_LEGAL_MOVES }),
    spec(Id::MoveOverhead, "Move Overhead", Kind::Spin { default: 10, min: 0, max: 5000 }),
    spec(Id::Variant, "UCI_Variant", Kind::Combo { default: "asean", values: &["asean"] }),
    spec(Id::PromotionRule, "PromotionRule", Kind::Combo { default: "any", values: PROMOTION_RULES }),
    spec(Id::ShowWdl, "UCI_ShowWDL", Kind::Check { default: false }),
    spec(Id::EvalFile, "EvalFile", Kind::Text { default: Evaluation::BUILT_IN }),
    spec(Id::SkillLevel, "Skill Level", Kind::Spin { default: FULL_LEVEL, min: 0, max: FULL_LEVEL }),
    spec(Id::LimitStrength, "UCI_LimitStrength", Kind::Check { default: false }),
    spec(Id::Elo, "UCI_Elo", Kind::Spin { default: HIGHEST_ELO, min: LOWEST_ELO, max: HIGHEST_ELO }),
    spec(Id::AnalyseMode, "UCI_AnalyseMode", Kind::Check { default: false }),
    spec(Id::Debug, "Debug", Kind::Check { default: false }),
    spec(Id::LogFile, "Log File", Kind::Text { default: "" }),
    spec(Id::EngineAbout, "UCI_EngineAbout", Kind::Text { default: ABOUT }),
];

const FULL_LEVEL: usize = Skill::FULL_LEVEL as usize;
const LOWEST_ELO: usize = Skill::LOWEST_ELO as usize;
const HIGHEST_ELO: usize = Skill::HIGHEST_ELO as usize;

const ABOUT: &str = concat!("Makara ", env!("CARGO_PKG_VERSION"), ", an engine for ASEAN chess");

impl Spec {
    /// The name in USI, which has no blanks there: `UCI_Variant` is `USI_Variant`, and what the protocol
    /// itself names begins with `USI_` too.
    pub(crate) fn usi_name(&self) -> String {
        let name = self.name.replace(' ', "_");
        match self.id {
            Id::Hash | Id::Ponder | Id::MultiPv => format!("USI_{name}"),
            _ => name.strip_prefix("UCI_").map_or_else(|| name.clone(), |rest| format!("USI_{rest}")),
        }
    }

    /// The description in CECP's `feature option`; `None` for what that protocol has commands of its own for,
    /// or no use.
    pub(crate) fn cecp_feature(&self) -> Option<String> {
        let hidden = [
            Id::Hash,
            Id::Threads,
            Id::Ponder,
            Id::Variant,
            Id::ShowWdl,
            Id::AnalyseMode,
            Id::EngineAbout,
            Id::Debug,
        ];
        if hidden.contains(&self.id) {
            return None;
        }
        let kind = match self.kind {
            Kind::Check { default } => format!("-check {}", u8::from(default)),
            Kind::Spin { default, min, max } => format!("-spin {default} {min} {max}"),
            Kind::Combo { default, values } => {
                let starred = |&value: &&str| match value == default {
                    true => format!("*{value}"),
                    false => value.to_string(),
                };
                format!("-combo {}", values.iter().map(starred).collect::<Vec<_>>().join(" /// "))
            }
            Kind::Text { default } => format!("-string {default}"),
            Kind::Button => "-button".to_string(),
        };
        Some(format!("{} {kind}", self.name))
    }
}

/// The option of a name, UCI's or USI's: case and runs of blanks do not matter, nor underscores for blanks.
fn find(name: &str) -> Option<&'static Spec> {
    let folded = |name: &str| {
        name.split(|letter: char| letter.is_whitespace() || letter == '_')
            .filter(|word| !word.is_empty())
            .collect::<Vec<_>>()
            .join(" ")
            .to_lowercase()
    };
    let wanted = folded(name);
    ALL.iter().find(|spec| folded(spec.name) == wanted || folded(&spec.usi_name()) == wanted)
}

/// Reads a number for a spin: clamped to its range, with a message if it was outside.
fn spin(spec: &Spec, value: &str, adapter: &mut dyn Adapter) -> Option<usize> {
    let Kind::Spin { min, max, .. } = spec.kind else { return None };
    let text = value.trim();
    let Ok(number) = text.parse::<i128>() else {
        adapter.tell(&format!("option {}: {text:?} is not a number", spec.name));
        return None;
    };
    let clamped = number.clamp(min as i128, max as i128) as usize;
    if clamped as i128 != number {
        adapter.tell(&format!(
            "option {}: {number} is not between {min} and {max}; set to {clamped}",
            spec.name
        ));
    }
    Some(clamped)
}

/// Reads true or false, in any case, or 1 or 0.
fn check(spec: &Spec, value: &str, adapter: &mut dyn Adapter) -> Option<bool> {
    let found = match value.trim().to_lowercase().as_str() {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    };
    if found.is_none() {
        adapter.tell(&format!("option {}: {value:?} is neither true nor false", spec.name));
    }
    found
}

/// Reads one of a combo's words, in any case.
fn combo(spec: &Spec, value: &str, adapter: &mut dyn Adapter) -> Option<&'static str> {
    let Kind::Combo { values, .. } = spec.kind else { return None };
    let found = values.iter().find(|word| word.eq_ignore_ascii_case(value.trim())).copied();
    if found.is_none() {
        let known = values.join(", ");
        adapter.tell(&format!("option {}: {value:?} is not supported, only {known}", spec.name));
    }
    found
}

/// The numbers of the search as options of a tuning build.
#[cfg(feature = "tuning")]
pub(crate) mod tunables {
    use makara_search::parameters::{Tunable, all};

    /// The lines that announce them.
    pub(crate) fn announcements() -> impl Iterator<Item = String> {
        all().iter().map(|Tunable { name, default, min, max, .. }| {
            format!("option name {name} type spin default {default} min {min} max {max}")
        })
    }

    /// The lines that OpenBench's SPSA form takes: name, type, default, range, last step, learning rate.
    pub(crate) fn for_open_bench() -> impl Iterator<Item = String> {
        all().iter().map(|Tunable { name, default, min, max, .. }| {
            let step = f64::from((max - min) / 20).max(0.5);
            format!("{name}, int, {default}.0, {min}.0, {max}.0, {step}, 0.002")
        })
    }

    /// Sets one; false where there is none of the name.
    pub(crate) fn set(name: &str, value: Option<&str>) -> bool {
        let Some(tunable) = all().iter().find(|tunable| tunable.name == name) else { return false };
        if let Some(value) = value.and_then(|value| value.trim().parse().ok()) {
            tunable.set(value);
        }
        true
    }
}

/// Sets an option. Whatever is wrong is told in one message, and nothing changes.
pub(crate) fn set(controller: &mut Controller, adapter: &mut dyn Adapter, name: &str, value: Option<&str>) {
    #[cfg(feature = "tuning")]
    if tunables::set(name, value) {
        return;
    }
    let Some(spec) = find(name) else {
        adapter.tell(&format!("no such option: {name:?}"));
        return;
    };
    let Some(value) = value.or((spec.kind == Kind::Button).then_some("")) else {
        adapter.tell(&format!("option {}: no value", spec.name));
        return;
    };
    let result = match spec.id {
        Id::Hash => spin(spec, value, adapter).map(|mib| failure(controller.set_hash(mib, adapter))),
        Id::Threads => {
            spin(spec, value, adapter).map(|count| failure(controller.set_threads(count, adapter)))
        }
        Id::MultiPv => spin(spec, value, adapter).map(|lines| {
            controller.set_multi_pv(lines);
            None
        }),
        Id::MoveOverhead => spin(spec, value, adapter).map(|millis| {
            controller.set_move_overhead(Duration::from_millis(millis as u64));
            None
        }),
        Id::ClearHash => {
            controller.forget(adapter);
            None
        }
        Id::SkillLevel => spin(spec, value, adapter).map(|level| {
            controller.set_strength(|strength| strength.level = level as u8);
            None
        }),
        Id::Elo => spin(spec, value, adapter).map(|elo| {
            controller.set_strength(|strength| strength.elo = elo as i32);
            None
        }),
        Id::LimitStrength => check(spec, value, adapter).map(|on| {
            controller.set_strength(|strength| strength.is_by_elo = on);
            None
        }),
        Id::AnalyseMode => check(spec, value, adapter).map(|on| {
            controller.set_strength(|strength| strength.is_analysing = on);
            None
        }),
        Id::Debug => check(spec, value, adapter).map(|on| {
            controller.debug(on);
            None
        }),
        // The client ponders by `go ponder`; nothing is to be known beforehand.
        Id::Ponder => {
            let _ = check(spec, value, adapter);
            None
        }
        Id::ShowWdl => {
            if let Some(on) = check(spec, value, adapter) {
                controller.show_wdl(on);
            }
            None
        }
        Id::Variant => {
            let _ = combo(spec, value, adapter);
            None
        }
        Id::PromotionRule => {
            if let Some(word) = combo(spec, value, adapter) {
                let rule = if word == "met" { PromotionRule::Met } else { PromotionRule::Any };
                if !controller.set_promotion_rule(rule) {
                    adapter.tell("option PromotionRule: the moves played forbid it in this game; from the next position on");
                }
            }
            None
        }
        // What it tells cannot be set.
        Id::EngineAbout => None,
        Id::LogFile => {
            let path = if value == "<empty>" { "" } else { value };
            Some(failure(adapter.output().keep_journal(path)))
        }
        Id::EvalFile => {
            let evaluation = value.parse().unwrap_or_default();
            Some(failure(controller.set_evaluation(evaluation, adapter)))
        }
    };
    if let Some(Some(problem)) = result {
        adapter.tell(&format!("option {}: {problem}; the value before stays", spec.name));
    }
}

fn failure<E: std::fmt::Display>(result: Result<(), E>) -> Option<String> {
    result.err().map(|error| error.to_string())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_however_written() {
        for name in ["Move Overhead", "move overhead", "MOVE   OVERHEAD", "Move_Overhead"] {
            assert_eq!(find(name).map(|spec| spec.name), Some("Move Overhead"), "{name}");
        }
        for (name, known) in
            [("USI_Hash", "Hash"), ("usi_variant", "UCI_Variant"), ("Clear_Hash", "Clear Hash")]
        {
            assert_eq!(find(name).map(|spec| spec.name), Some(known), "{name}");
        }
        assert!(find("").is_none() && find("Hash2").is_none());
    }
}
