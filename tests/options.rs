//! Options: how they are named and set, and what becomes of values that cannot be.
//! The ids in the comments are those of the project's list of client cases.

mod harness;

use std::time::Duration;

use harness::*;

const AFTER_E4: &str = "rnbqkbnr/8/pppppppp/8/4P3/PPPP1PPP/8/RNBQKBNR b - - 0 1";

/// Sends an option and gives the messages that it caused.
fn set(engine: &mut Engine, option: &str) -> Vec<String> {
    engine.send(&format!("setoption {option}"));
    engine.ready()
}

/// Every option is announced in the form of the standard, and its default is accepted without a word.
#[test]
fn defaults_can_be_set() {
    let mut engine = Engine::with("uci");
    let lines = engine.until("uciok");
    let options: Vec<&String> = lines.iter().filter(|line| line.starts_with("option ")).collect();
    assert!(options.len() >= 6, "{options:#?}");
    for line in options {
        let (name, kind) = line
            .strip_prefix("option name ")
            .and_then(|rest| rest.split_once(" type "))
            .expect("name and type");
        let setting = match kind.split_once(" default ") {
            None => format!("name {name}"),
            Some((kind, rest)) => {
                let end = match kind {
                    "spin" => rest.find(" min "),
                    "combo" => rest.find(" var "),
                    _ => None,
                };
                format!("name {name} value {}", &rest[..end.unwrap_or(rest.len())])
            }
        };
        let said = set(&mut engine, &setting);
        assert!(said.is_empty(), "{setting}: {said:?}");
    }
    engine.quit();
}

/// A11: sizes that cannot be; whatever is refused, the engine plays on.
#[test]
fn hash_sizes() {
    let mut engine = Engine::start();
    for value in
        ["0", "-5", "33554432", "99999999999", "99999999999999999999999999999999999999999", "abc", "", "1.5"]
    {
        let said = set(&mut engine, &format!("name Hash value {value}"));
        assert!(!said.is_empty(), "{value:?}");
        assert!(
            said.iter().all(|line| line.starts_with("info string ") && line.contains("Hash")),
            "{said:?}"
        );
        check_answer(START, &[], &engine.go("go depth 4"));
    }
    for value in ["1", "2", "3", "16", "64"] {
        assert!(set(&mut engine, &format!("name Hash value {value}")).is_empty(), "{value}");
        check_answer(START, &[], &engine.go("go depth 4"));
    }
    engine.quit();
}

/// A11, for the other numbers.
#[test]
fn numbers_out_of_range() {
    let mut engine = Engine::start();
    for name in ["Threads", "MultiPV", "Move Overhead"] {
        for value in ["-1", "99999999999", "many", ""] {
            let said = set(&mut engine, &format!("name {name} value {value}"));
            assert!(!said.is_empty(), "{name} {value:?}");
            set(&mut engine, &format!("name {name} value 1"));
            check_answer(START, &[], &engine.go("go depth 3"));
        }
        let said = set(&mut engine, &format!("name {name}"));
        assert!(said.len() == 1 && said[0].contains(name), "{said:?}");
    }
    engine.quit();
}

/// D30, R15: names in any case and spacing.
#[test]
fn names_however_written() {
    let mut engine = Engine::start();
    for option in [
        "name move overhead value 50",
        "name MOVE   OVERHEAD   value   50",
        "   name Move_Overhead value 50",
        "name hash value 2",
        "name CLEAR HASH",
        "name Clear Hash value",
        "name clear  hash value now",
        "name Ponder value false",
        "name ponder value TRUE",
        "name multipv value 1",
        "name uci_variant value asean",
        "name promotionrule value ANY",
    ] {
        let said = set(&mut engine, option);
        assert!(said.is_empty(), "{option}: {said:?}");
    }
    for option in [
        "name Nonsense value 1",
        "name Hashes value 1",
        "name Ponder value maybe",
        "name",
        "Hash value 1",
        "",
    ] {
        let said = set(&mut engine, option);
        assert!(said.len() == 1 && said[0].starts_with("info string "), "{option}: {said:?}");
    }
    // What was set in another spelling is in force.
    assert!(set(&mut engine, "name MULTIPV value 2").is_empty());
    let answer = engine.go("go depth 3");
    assert!(answer.infos().iter().any(|line| field(line, "multipv") == Some("2")), "{answer:?}");
    engine.quit();
}

/// R15: a file name is kept as it is, with blanks and the word `value` in it.
#[test]
fn file_names_with_blanks() {
    let mut engine = Engine::start();
    let path = std::env::temp_dir().join(format!("makara {} a value b  c.net", std::process::id()));
    let option = format!("name EvalFile value {}", path.display());
    let missing = set(&mut engine, &option);
    std::fs::write(&path, b"no network").expect("a file");
    let damaged = set(&mut engine, &option);
    std::fs::remove_file(&path).expect("removed");
    assert!(missing.len() == 1 && damaged.len() == 1, "{missing:?} {damaged:?}");
    assert_ne!(missing, damaged, "the file was found");
    check_answer(START, &[], &engine.go("go depth 3"));
    engine.quit();
}

/// D31, R13: one variant, in whatever order it is said.
#[test]
fn the_variant() {
    let mut engine = Engine::with("setoption name UCI_Variant value asean");
    check_answer(START, &[], &engine.go("go depth 6"));
    engine.send("position startpos moves e3e4");
    for value in ["asean", "Asean", "ASEAN", "asean"] {
        assert!(set(&mut engine, &format!("name UCI_Variant value {value}")).is_empty(), "{value}");
        assert_eq!(engine.fen(), AFTER_E4, "{value}");
    }
    for value in ["chess", "makruk", ""] {
        let said = set(&mut engine, &format!("name UCI_Variant value {value}"));
        assert!(said.len() == 1 && said[0].contains("asean"), "{value}: {said:?}");
        assert_eq!(engine.fen(), AFTER_E4, "{value}");
    }
    check_answer(START, &["e3e4"], &engine.go("go depth 4"));
    engine.send("ucinewgame\nsetoption name UCI_Variant value asean");
    assert_eq!(engine.fen(), AFTER_E4, "only `position` sets the board");
    engine.send("position startpos moves e3e4\nsetoption name UCI_Variant value asean");
    assert_eq!(engine.fen(), AFTER_E4);
    engine.quit();
}

/// The promotion rule holds for the position on the board and for those that follow.
#[test]
fn the_promotion_rule() {
    let mut engine = Engine::with(&format!("position fen {PROMOTION}"));
    let promotions = |engine: &mut Engine| {
        engine.shown("Moves").split(' ').filter(|text| text.starts_with("a7a8")).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(promotions(&mut engine), "a7a8b a7a8n a7a8q a7a8r");
    assert!(set(&mut engine, "name PromotionRule value met").is_empty());
    assert_eq!(promotions(&mut engine), "a7a8q");
    engine.send(&format!("position fen {PROMOTION} moves a7a8r"));
    assert_eq!(messages(&engine.ready()).len(), 1, "a rook is refused");
    assert_eq!(engine.search(PROMOTION, "go depth 3 searchmoves a7a8r a7a8q").best, "a7a8q");
    engine.send("setoption name PromotionRule value any");
    assert_eq!(promotions(&mut engine), "a7a8b a7a8n a7a8q a7a8r");
    assert_eq!(set(&mut engine, "name PromotionRule value king").len(), 1);
    engine.quit();
}

/// R29: a large table costs no time of the first move, nor much at each new game.
#[test]
fn a_large_table_is_quick() {
    let mut engine = Engine::with("setoption name Hash value 128");
    engine.ready();
    let answer = engine.go("ucinewgame\nposition startpos\ngo movetime 100");
    check_answer(START, &[], &answer);
    assert!(answer.time < PROMPT, "{:?}", answer.time);
    for _ in 0..20 {
        engine.send("ucinewgame");
        engine.ready();
    }
    let answer = engine.go("go movetime 100");
    assert!(answer.time < PROMPT && answer.number("time") < 1000, "{answer:?}");
    assert!(engine.listen(Duration::from_millis(50)).is_empty());
    engine.quit();
}

/// Below full strength moves vary and come fast, and an analysis is not weakened.
#[test]
fn strength_is_limited() {
    let mut engine = Engine::start();
    for limit in
        ["name Skill Level value 0", "name UCI_LimitStrength value true\nsetoption name UCI_Elo value 500"]
    {
        assert!(set(&mut engine, limit).is_empty());
        let answers: Vec<Answer> = (0..12).map(|_| engine.go("go movetime 20000")).collect();
        for answer in &answers {
            check_answer(START, &[], answer);
            assert!(answer.time < PROMPT, "{:?}", answer.time);
        }
        assert!(
            answers.iter().any(|answer| answer.best != answers[0].best),
            "{limit}: always {}",
            answers[0].best
        );
        assert!(set(&mut engine, "name Skill Level value 20").is_empty());
    }
    assert!(set(&mut engine, "name UCI_AnalyseMode value true").is_empty());
    let deep = engine.go("go depth 9");
    assert!(deep.lines.iter().any(|line| line.starts_with("info depth 9 ")), "{:#?}", deep.lines);
    assert!(!set(&mut engine, "name Skill Level value 21").is_empty());
    engine.quit();
}

/// With `Debug` each search is told as it was understood.
#[test]
fn debug_tells_of_searches() {
    let mut engine = Engine::start();
    for (on, off) in
        [("debug on", "debug off"), ("setoption name Debug value true", "setoption name Debug value false")]
    {
        engine.send(on);
        let told = engine.go("go depth 2").lines;
        assert!(told.iter().any(|line| line.starts_with("info string search: ")), "{told:#?}");
        engine.send(off);
        let silent = engine.go("go depth 2").lines;
        assert!(!silent.iter().any(|line| line.starts_with("info string")), "{silent:#?}");
    }
    engine.quit();
}
