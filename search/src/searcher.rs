//! The face of the crate: one search at a time, in the background.

use std::fmt;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;
use makara_engine::{Game, Position};

use crate::evaluation::{Evaluation, Evaluator, Explanation, NetworkError};
use crate::iteration::conclude_without_moves;
use crate::limits::Limits;
use crate::memory::available;
use crate::report::{Event, Finished, Line};
use crate::score::Score;
use crate::signals::Signals;
use crate::skill::Skill;
use crate::time::TimeManager;
use crate::transposition::Table;
use crate::worker::{Common, Memory, NodeCounter, Worker};

/// Why a setting could not be changed. The setting before it stays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchError {
    /// The machine cannot give a table of so many MiB.
    Hash(usize),
    /// The machine cannot run so many threads.
    Threads(usize),
}

impl fmt::Display for SearchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SearchError::Hash(mib) => write!(f, "cannot allocate a hash table of {mib} MiB"),
            SearchError::Threads(count) => write!(f, "cannot run {count} threads"),
        }
    }
}

impl std::error::Error for SearchError {}

/// The table and the threads' memories, which a running search holds.
struct Engine {
    table: Table,
    memories: Vec<Memory>,
}

/// Searches positions. Owns the transposition table and the threads.
pub struct Searcher {
    /// At home unless a search runs.
    engine: Option<Engine>,
    running: Option<Running>,
    multi_pv: usize,
    skill: Skill,
    /// Of the draws below full strength; each search takes the next.
    seed: u64,
    overhead: Duration,
    evaluation: Evaluation,
    evaluator: Evaluator,
}

struct Running {
    signals: Arc<Signals>,
    thread: JoinHandle<Option<Engine>>,
}

/// Enough for the deepest recursion, of about 1 KiB a ply when optimised and some more when not.
const STACK_SIZE: usize = 16 << 20;

impl Searcher {
    /// The table size before any [`set_hash`](Searcher::set_hash), in MiB.
    pub const DEFAULT_HASH: usize = 16;
    /// The most threads that [`set_threads`](Searcher::set_threads) takes.
    pub const MAX_THREADS: usize = 1024;

    /// One thread, a table of [`DEFAULT_HASH`](Searcher::DEFAULT_HASH) MiB.
    ///
    /// # Errors
    /// When the machine cannot give even that.
    pub fn new() -> Result<Searcher, SearchError> {
        let hash = Searcher::DEFAULT_HASH;
        let table = Table::new(hash, 1).ok_or(SearchError::Hash(hash))?;
        Ok(Searcher {
            engine: Some(Engine { table, memories: vec![Memory::new()] }),
            running: None,
            multi_pv: 1,
            skill: Skill::FULL,
            seed: 0,
            overhead: Duration::from_millis(10),
            evaluation: Evaluation::BuiltIn,
            evaluator: Evaluator::built_in(),
        })
    }

    /// The engine, once a running search has ended.
    fn engine(&mut self) -> &mut Engine {
        self.stop();
        self.wait();
        self.engine.get_or_insert_with(|| {
            // Only a search that panicked does not bring its engine home.
            log::error!("the search was lost; its memory is made anew");
            let table = Table::new(1, 1).unwrap_or_else(|| std::process::exit(1));
            Engine { table, memories: vec![Memory::new()] }
        })
    }

    /// Changes the size of the transposition table, in MiB and at least 1, and empties it. Ends a running search
    /// first.
    ///
    /// # Errors
    /// When there is not so much memory; the old table stays.
    pub fn set_hash(&mut self, mib: usize) -> Result<(), SearchError> {
        let engine = self.engine();
        engine.table = Table::new(mib.max(1), engine.memories.len()).ok_or(SearchError::Hash(mib))?;
        Ok(())
    }

    /// Changes the number of threads, 1 to [`MAX_THREADS`](Searcher::MAX_THREADS). Ends a running search.
    ///
    /// # Errors
    /// When the machine cannot run so many; the old ones stay.
    pub fn set_threads(&mut self, count: usize) -> Result<(), SearchError> {
        let engine = self.engine();
        let more = count.saturating_sub(engine.memories.len()) as u64;
        let fits = available().is_none_or(|available| more * Memory::SIZE <= available);
        if !(1..=Searcher::MAX_THREADS).contains(&count) || !fits {
            return Err(SearchError::Threads(count));
        }
        engine.memories.resize_with(count, Memory::new);
        Ok(())
    }

    /// How many lines the next searches report, at least 1.
    pub fn set_multi_pv(&mut self, lines: usize) {
        self.multi_pv = lines.max(1);
    }

    /// How strong the next searches play. Below full strength one thread searches, moves are drawn, and `seed`
    /// begins the draws: the same seed and the same searches give the same moves.
    pub fn set_skill(&mut self, skill: Skill, seed: u64) {
        self.skill = skill;
        self.seed = seed;
    }

    /// Time to keep in reserve at each move for what lies between engine and clock.
    pub fn set_move_overhead(&mut self, overhead: Duration) {
        self.overhead = overhead;
    }

    /// Changes what searches evaluate by. Ends a running search, and forgets what was found by another
    /// evaluation.
    ///
    /// # Errors
    /// When a file is not a whole, undamaged network of this engine's shape; the evaluation before stays.
    pub fn set_evaluation(&mut self, evaluation: Evaluation) -> Result<(), NetworkError> {
        // A file may have changed under its name.
        if evaluation != self.evaluation || matches!(evaluation, Evaluation::File(_)) {
            self.evaluator = Evaluator::new(&evaluation)?;
            self.evaluation = evaluation;
            self.clear();
        }
        Ok(())
    }

    /// What searches evaluate by.
    pub const fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    /// Takes the evaluation of a position apart, without any search.
    pub fn explain(&self, position: &Position) -> Explanation {
        self.evaluator.explain(position)
    }

    /// Forgets everything learned from earlier searches. Ends a running search first.
    pub fn clear(&mut self) {
        let engine = self.engine();
        engine.table.clear(engine.memories.len());
        engine.memories.iter_mut().for_each(Memory::clear);
    }

    /// Starts a search of the game's position and returns at once. A search that still runs is stopped and
    /// sends its result first.
    pub fn start(&mut self, game: &Game, limits: Limits, events: Sender<Event>) {
        self.engine();
        let job = self.job(game, limits, events);
        let signals = Arc::clone(&job.signals);
        // The engine follows once the thread stands, so that it is not lost if none can be had.
        let (hand_over, handed_over) = crossbeam_channel::bounded::<(Job, Engine)>(1);
        let body = move || {
            let (job, mut engine) = handed_over.recv().ok()?;
            job.run(&mut engine);
            Some(engine)
        };
        match std::thread::Builder::new().name("search".into()).stack_size(STACK_SIZE).spawn(body) {
            Ok(thread) => {
                if let Some(engine) = self.engine.take() {
                    let _ = hand_over.send((job, engine));
                }
                self.running = Some(Running { signals, thread });
            }
            Err(error) => {
                log::error!("cannot start a search thread: {error}");
                // A poor answer is better than none.
                let limits = Limits { depth: Some(1), ..Limits::default() };
                let job = self.job(game, limits, job.events);
                job.run(self.engine());
            }
        }
    }

    fn job(&mut self, game: &Game, mut limits: Limits, events: Sender<Event>) -> Job {
        if self.skill.is_limited() {
            self.seed = self.seed.wrapping_add(1);
            let nodes = self.skill.nodes();
            limits.soft_nodes = Some(limits.soft_nodes.map_or(nodes, |limit| limit.min(nodes)));
        }
        Job {
            game: game.clone(),
            time: TimeManager::new(&limits, self.overhead, Instant::now()),
            signals: Arc::new(Signals::new(limits.infinite, limits.ponder)),
            limits,
            multi_pv: self.multi_pv,
            skill: self.skill,
            seed: self.seed,
            evaluator: self.evaluator.clone(),
            events,
        }
    }

    /// Searches on the calling thread and returns the last line with the answer; with more than one thread
    /// the others are started as usual. For self-play and batch analysis: `limits` must end by themselves.
    /// `None` for the line where there is no legal move.
    pub fn search(&mut self, game: &Game, limits: Limits) -> (Option<Line>, Finished) {
        let (sender, receiver) = crossbeam_channel::unbounded();
        let job = self.job(game, Limits { infinite: false, ponder: false, ..limits }, sender);
        job.run(self.engine());
        let mut last = None;
        for event in receiver.try_iter() {
            match event {
                Event::Line(line) if line.multipv == 1 => last = Some(line),
                Event::Finished(finished) => return (last.filter(|line| line.depth > 0), finished),
                _ => {}
            }
        }
        (last, Finished { best: None, ponder: None })
    }

    /// Ends the running search, if any: its result comes within milliseconds.
    pub fn stop(&self) {
        if let Some(running) = &self.running {
            running.signals.stop();
        }
    }

    /// The opponent played the expected move: a pondering search goes on by the clock.
    pub fn ponder_hit(&self) {
        if let Some(running) = &self.running {
            running.signals.ponder_hit();
        }
    }

    /// Waits until the running search, if any, has sent its result.
    pub fn wait(&mut self) {
        if let Some(running) = self.running.take() {
            self.engine = running.thread.join().ok().flatten();
        }
    }
}

impl Drop for Searcher {
    fn drop(&mut self) {
        self.stop();
        self.wait();
    }
}

impl fmt::Debug for Searcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Searcher").field("running", &self.running.is_some()).finish_non_exhaustive()
    }
}

/// One search.
struct Job {
    game: Game,
    limits: Limits,
    time: TimeManager,
    multi_pv: usize,
    skill: Skill,
    seed: u64,
    evaluator: Evaluator,
    signals: Arc<Signals>,
    events: Sender<Event>,
}

impl Job {
    fn run(self, engine: &mut Engine) {
        let finished = if self.game.position().has_legal_move() {
            self.search(engine)
        } else {
            // The line is told at once, the answer waits where it must.
            conclude_without_moves(&self.game, &self.events)
        };
        self.signals.wait_for_release();
        let _ = self.events.send(Event::Finished(finished));
    }

    fn search(&self, engine: &mut Engine) -> Finished {
        engine.table.age();
        let limited = self.skill.is_limited();
        let threads = if limited { 1 } else { engine.memories.len() };
        let memories = &mut engine.memories[..threads];
        let common = Common {
            table: &engine.table,
            signals: &self.signals,
            limits: &self.limits,
            time: self.time,
            counters: memories.iter().map(|_| NodeCounter::default()).collect(),
            multi_pv: self.multi_pv,
            lines: if limited { self.multi_pv.max(self.skill.lines()) } else { self.multi_pv },
            evaluator: &self.evaluator,
            events: &self.events,
        };
        let mut workers: Vec<Worker<'_>> = memories
            .iter_mut()
            .enumerate()
            .map(|(id, memory)| Worker::new(id, &common, memory, &self.game))
            .collect();
        if let [main, helpers @ ..] = &mut workers[..] {
            std::thread::scope(|scope| {
                for helper in helpers {
                    let body = || helper.iterate();
                    let builder = std::thread::Builder::new().name("helper".into()).stack_size(STACK_SIZE);
                    if let Err(error) = builder.spawn_scoped(scope, body) {
                        log::warn!("a search thread could not start: {error}");
                    }
                }
                main.iterate();
            });
        }
        if let [main] = &mut workers[..]
            && limited
        {
            main.draw(self.skill, self.seed);
        }
        let chosen = elect(&workers);
        chosen.conclude()
    }
}

/// The worker whose answer counts: each votes for its move by score and depth.
fn elect<'w, 'a>(workers: &'w [Worker<'a>]) -> &'w Worker<'a> {
    let main = &workers[0];
    // Only the main worker keeps several lines, and only its depth is the one asked for.
    if workers.len() == 1 || main.common.multi_pv > 1 || main.common.limits.depth.is_some() {
        return main;
    }
    let finished = || workers.iter().filter(|worker| worker.completed_depth > 0);
    let worst = finished().map(|worker| worker.root_moves[0].score).min().unwrap_or(Score::DRAW);
    let votes = |worker: &Worker<'_>| -> i64 {
        let same = |other: &&Worker<'_>| other.root_moves[0].mv == worker.root_moves[0].mv;
        finished().filter(same).map(|other| other.vote(worst)).sum()
    };
    finished()
        .max_by_key(|worker| {
            let score = worker.root_moves[0].score;
            // A mate found is a mate; the nearest is best. Among equals the first worker wins.
            (score.is_win().then_some(score), votes(worker), worker.vote(worst), std::cmp::Reverse(worker.id))
        })
        .unwrap_or(main)
}
