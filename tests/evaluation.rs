//! The evaluation as clients see it: which one is used, what `eval` says of it, what scores promise.

mod harness;

use std::path::PathBuf;

use harness::*;

/// A rook up.
const ROOK_UP: &str = "4k3/8/pppp4/8/8/PPPP4/8/R3K3 w - - 0 1";

fn set(engine: &mut Engine, value: &str) -> Vec<String> {
    engine.send(&format!("setoption name EvalFile value {value}"));
    engine.ready()
}

/// The evaluation's own score in `eval`.
fn score(engine: &mut Engine) -> String {
    engine.send("eval");
    let lines = engine.ready();
    let found = lines.iter().find_map(|line| line.strip_prefix("Score: ")).expect("a score");
    found.to_string()
}

#[test]
fn evaluations_can_be_changed_and_changed_back() {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../search/networks/makara.nn");
    let mut engine = Engine::with(&format!("position fen {ROOK_UP}"));
    let built_in = score(&mut engine);
    assert!(set(&mut engine, "<hand-written>").is_empty());
    let hand_written = score(&mut engine);
    assert_ne!(built_in, hand_written);
    check_answer(ROOK_UP, &[], &engine.go("go depth 4"));
    // What is refused changes nothing.
    assert_eq!(set(&mut engine, "/no/such/file").len(), 1);
    assert_eq!(score(&mut engine), hand_written);
    // The same network from a file is the same.
    assert!(set(&mut engine, &file.display().to_string()).is_empty());
    assert_eq!(score(&mut engine), built_in);
    assert!(set(&mut engine, "<built-in>").is_empty());
    assert_eq!(score(&mut engine), built_in);
    engine.quit();
}

/// A network that is cut short, of another shape, or damaged, each with one message of its own.
#[test]
fn bad_networks_are_refused() {
    let good = include_bytes!("../search/networks/makara.nn");
    let path = std::env::temp_dir().join(format!("makara-bad-{}.nn", std::process::id()));
    let changed = |at: usize| {
        let mut bytes = good.to_vec();
        bytes[at] ^= 1;
        bytes
    };
    let mut engine = Engine::with(&format!("position fen {ROOK_UP}"));
    let before = score(&mut engine);
    let mut said = Vec::new();
    for bytes in [good[..good.len() - 1].to_vec(), Vec::new(), changed(16), changed(1000)] {
        std::fs::write(&path, bytes).expect("a file");
        let messages = set(&mut engine, &path.display().to_string());
        assert!(messages.len() == 1 && messages[0].starts_with("info string "), "{messages:?}");
        assert_eq!(score(&mut engine), before);
        said.extend(messages);
    }
    std::fs::remove_file(&path).expect("removed");
    said.sort();
    said.dedup();
    assert_eq!(said.len(), 4, "{said:?}");
    engine.quit();
}

#[test]
fn chances_come_with_scores_when_asked_for() {
    let mut engine = Engine::with(&format!("position fen {ROOK_UP}"));
    assert!(engine.go("go depth 5").infos().iter().all(|line| !line.contains(" wdl ")));
    engine.send("setoption name UCI_ShowWDL value true");
    let answer = engine.go("go depth 5");
    for line in answer.infos() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let at = words.iter().position(|word| *word == "wdl").expect("chances in every line");
        let chances: Vec<u32> =
            words[at + 1..at + 4].iter().map(|word| word.parse().expect("a number")).collect();
        assert_eq!(chances.iter().sum::<u32>(), 1000, "{line}");
        assert!(chances[0] > chances[2], "White is a rook up: {line}");
    }
    // A mate is certain.
    let answer = engine.go("position fen 7k/8/5K2/8/8/8/8/6R1 w - - 0 1\ngo depth 12");
    assert!(answer.last().contains("score mate ") && answer.last().contains(" wdl 1000 0 0 "), "{answer:?}");
    engine.send("setoption name UCI_ShowWDL value maybe");
    assert_eq!(engine.ready().len(), 1);
    engine.quit();
}

#[test]
fn the_evaluation_on_the_command_line() {
    let text = |arguments: &[&str]| {
        let output = run(arguments);
        assert!(output.status.success(), "{arguments:?}");
        String::from_utf8(output.stdout).expect("text")
    };
    let start = text(&["eval"]);
    assert!(start.contains("Output for 30 to 32 men: ") && start.contains(" (used)\n"), "{start}");
    let up = text(&["eval", "--fen", ROOK_UP, "--eval-file", "<hand-written>"]);
    assert!(up.contains("Evaluation: <hand-written>\n") && up.contains("Score: +"), "{up}");
    let bad = run(&["eval", "--eval-file", "/no/such/file"]);
    assert_eq!(bad.status.code(), Some(1));
    let bad = run(&["eval", "--fen", "nonsense"]);
    assert_eq!(bad.status.code(), Some(1));
    let nodes = |arguments: &[&str]| text(arguments).split(' ').next().map(str::to_string);
    assert_ne!(nodes(&["bench", "5"]), nodes(&["bench", "5", "--eval-file", "<hand-written>"]));
}
