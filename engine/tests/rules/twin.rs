//! A slow, plain second form of the rules: letters in an 8 by 8 array, legality by trying each move.
//! It shares no code with the engine, so a fault must be made twice to go unseen.

use makara_engine::{Move, Position, PromotionRule};

use crate::{Random, perft_fens, position};

#[derive(Clone)]
pub(crate) struct Twin {
    /// FEN letters, `.` for an empty square, `board[0]` is rank 1.
    board: [[char; 8]; 8],
    white_to_move: bool,
    limit: Option<u32>,
    counter: u32,
    fullmove: u32,
    promotions: &'static str,
}

const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const STRAIGHT: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const LEAPS: [(i32, i32); 8] = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)];

type At = (i32, i32);

impl Twin {
    pub(crate) fn new(fen: &str, promotions: &'static str) -> Twin {
        let fields: Vec<&str> = fen.split(' ').collect();
        let mut board = [['.'; 8]; 8];
        for (row, text) in fields[0].split('/').enumerate() {
            let mut file = 0;
            for letter in text.chars() {
                match letter.to_digit(10) {
                    Some(gap) => file += gap as usize,
                    None => {
                        board[7 - row][file] = letter;
                        file += 1;
                    }
                }
            }
        }
        Twin {
            board,
            white_to_move: fields[1] == "w",
            limit: fields[3].parse().ok(),
            counter: fields[4].parse().expect("a counter"),
            fullmove: fields[5].parse().expect("a move number"),
            promotions,
        }
    }

    pub(crate) fn fen(&self) -> String {
        let mut rows = Vec::new();
        for row in self.board.iter().rev() {
            let mut text: String = row.iter().collect();
            for gap in (1..=8).rev() {
                text = text.replace(&".".repeat(gap), &gap.to_string());
            }
            rows.push(text);
        }
        let side = if self.white_to_move { 'w' } else { 'b' };
        let limit = self.limit.map_or("-".into(), |limit| limit.to_string());
        format!("{} {side} - {limit} {} {}", rows.join("/"), self.counter, self.fullmove)
    }

    fn at(&self, (file, rank): At) -> Option<char> {
        let inside = (0..8).contains(&file) && (0..8).contains(&rank);
        inside.then(|| self.board[rank as usize][file as usize])
    }

    /// The squares that the man on a square attacks.
    fn attacks(&self, from: At) -> Vec<At> {
        let man = self.at(from).expect("on the board");
        let ahead = if man.is_ascii_uppercase() { 1 } else { -1 };
        let steps: Vec<(i32, i32)> = match man.to_ascii_lowercase() {
            'p' => vec![(-1, ahead), (1, ahead)],
            'q' => DIAGONAL.into(),
            'b' => DIAGONAL.into_iter().chain([(0, ahead)]).collect(),
            'n' => LEAPS.into(),
            'k' | 'r' => {
                DIAGONAL.into_iter().filter(|_| man.eq_ignore_ascii_case(&'k')).chain(STRAIGHT).collect()
            }
            _ => vec![],
        };
        let reach = if man.eq_ignore_ascii_case(&'r') { 7 } else { 1 };
        let mut attacked = Vec::new();
        for (files, ranks) in steps {
            for distance in 1..=reach {
                let to = (from.0 + files * distance, from.1 + ranks * distance);
                let Some(target) = self.at(to) else { break };
                attacked.push(to);
                if target != '.' {
                    break;
                }
            }
        }
        attacked
    }

    fn squares_of(&self, white: bool) -> Vec<At> {
        let own = |at: &At| {
            self.at(*at).is_some_and(|man| man.is_ascii_alphabetic() && man.is_ascii_uppercase() == white)
        };
        (0..64).map(|i| (i % 8, i / 8)).filter(own).collect()
    }

    pub(crate) fn in_check(&self, white: bool) -> bool {
        let king = if white { 'K' } else { 'k' };
        self.squares_of(!white)
            .into_iter()
            .any(|from| self.attacks(from).into_iter().any(|to| self.at(to) == Some(king)))
    }

    /// All legal moves in coordinates, sorted.
    pub(crate) fn legal_moves(&self) -> Vec<String> {
        let white = self.white_to_move;
        let mut moves = Vec::new();
        for from in self.squares_of(white) {
            let pawn = self.at(from).is_some_and(|man| man.eq_ignore_ascii_case(&'p'));
            let mut targets = self.attacks(from);
            targets.retain(|&to| {
                let target = self.at(to).expect("on the board");
                if target == '.' { !pawn } else { target.is_ascii_uppercase() != white }
            });
            let push = (from.0, from.1 + if white { 1 } else { -1 });
            if pawn && self.at(push) == Some('.') {
                targets.push(push);
            }
            for to in targets {
                let text = format!("{}{}", name(from), name(to));
                if pawn && (to.1 == 0 || to.1 == 7) {
                    moves.extend(self.promotions.chars().map(|letter| format!("{text}{letter}")));
                } else {
                    moves.push(text);
                }
            }
        }
        moves.retain(|mv| {
            let mut next = self.clone();
            next.play(mv);
            !next.in_check(white)
        });
        moves.sort();
        moves
    }

    pub(crate) fn play(&mut self, mv: &str) {
        let bytes = mv.as_bytes();
        let index = |i: usize, first: u8| usize::from(bytes[i] - first);
        let (from_file, from_rank) = (index(0, b'a'), index(1, b'1'));
        let (to_file, to_rank) = (index(2, b'a'), index(3, b'1'));
        let mut man = std::mem::replace(&mut self.board[from_rank][from_file], '.');
        let zeroing = man.eq_ignore_ascii_case(&'p') || self.board[to_rank][to_file] != '.';
        if let Some(letter) = mv.chars().nth(4) {
            man = if self.white_to_move { letter.to_ascii_uppercase() } else { letter };
        }
        self.board[to_rank][to_file] = man;
        self.counter = if zeroing && self.limit.is_none() { 0 } else { self.counter + 1 };
        self.fullmove += u32::from(!self.white_to_move);
        self.white_to_move = !self.white_to_move;
        if self.limit.is_none() && self.starting_limit().is_some() {
            self.limit = self.starting_limit();
            self.counter = 0;
        }
    }

    fn starting_limit(&self) -> Option<u32> {
        let men: String = self.board.iter().flatten().collect::<String>().to_lowercase();
        if men.contains('p') || self.squares_of(self.white_to_move).len() > 1 {
            return None;
        }
        [('r', 32), ('b', 88), ('n', 128)]
            .into_iter()
            .find(|&(man, _)| men.contains(man))
            .map(|(_, limit)| limit)
    }
}

fn name(at: At) -> String {
    format!("{}{}", (b'a' + at.0 as u8) as char, at.1 + 1)
}

fn sorted_moves(position: &Position) -> Vec<String> {
    let mut moves: Vec<String> = position.legal_moves().iter().map(Move::to_string).collect();
    moves.sort();
    moves
}

fn compare_game(fen: &str, rule: PromotionRule, plies: usize, random: &mut Random) {
    let promotions = if rule == PromotionRule::Any { "bnqr" } else { "q" };
    let mut twin = Twin::new(fen, promotions);
    let mut position = Position::from_fen(fen, rule).expect(fen);
    for _ in 0..plies {
        let moves = sorted_moves(&position);
        assert_eq!(moves, twin.legal_moves(), "{position}");
        assert_eq!(position.to_fen(), twin.fen());
        assert_eq!(position.in_check(), twin.in_check(position.turn().is_white()), "{position}");
        if moves.is_empty() {
            break;
        }
        let mv = &moves[random.below(moves.len())];
        position = position.after(position.parse_uci(mv).expect(mv));
        twin.play(mv);
    }
}

#[test]
fn twin_agrees_on_random_games() {
    let mut random = Random(7);
    for rule in [PromotionRule::Any, PromotionRule::Met] {
        for _ in 0..20 {
            compare_game(&Position::start(rule).to_fen(), rule, 300, &mut random);
        }
        for fen in perft_fens() {
            compare_game(fen, rule, 40, &mut random);
        }
    }
}

/// The start's shallow counts prove nothing about promotion, so pawns stand near it here.
#[test]
fn both_promotion_rules_equal_the_twin_in_depth() {
    fn count(twin: &Twin, depth: u32) -> u64 {
        let moves = twin.legal_moves();
        if depth == 1 {
            return moves.len() as u64;
        }
        let after = |mv: &String| {
            let mut next = twin.clone();
            next.play(mv);
            count(&next, depth - 1)
        };
        moves.iter().map(after).sum()
    }
    for fen in [
        "1r2k3/P1P5/8/8/8/8/3p4/2N1K3 w - - 0 1",
        "1n1bk3/P1P4P/8/8/8/8/p5pp/1R1QK2R b - - 0 1",
        "4k2r/6P1/8/8/8/8/1p6/R3K3 w - - 0 1",
    ] {
        for (rule, letters) in [(PromotionRule::Any, "bnqr"), (PromotionRule::Met, "q")] {
            let position = Position::from_fen(fen, rule).expect(fen);
            for depth in 1..=3 {
                let expected = count(&Twin::new(fen, letters), depth);
                assert_eq!(makara_engine::perft(&position, depth), expected, "{fen} {rule} {depth}");
            }
        }
    }
}

#[test]
fn flipped_positions_have_flipped_moves() {
    let flip = |text: &str| -> String {
        let turn = |c: char| if c.is_ascii_digit() { (b'1' + b'8' - c as u8) as char } else { c };
        text.chars().map(turn).collect()
    };
    for fen in perft_fens() {
        let position = position(fen);
        let mut flipped: Vec<String> = sorted_moves(&position.flipped()).iter().map(|mv| flip(mv)).collect();
        flipped.sort();
        assert_eq!(sorted_moves(&position), flipped, "{fen}");
        assert_eq!(position.flipped().flipped(), position);
    }
}
