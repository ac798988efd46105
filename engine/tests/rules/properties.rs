//! Round trips of all notations, and parsers that never panic, on random input.

use makara_engine::notation::UsiMove;
use makara_engine::{Move, Position, PromotionRule, Setup, Square};
use proptest::prelude::*;

use crate::perft_fens;

/// A position that play reaches: a reference position and random moves from it.
fn any_position() -> impl Strategy<Value = Position> {
    let fens: Vec<&str> = perft_fens().collect();
    let rule = prop_oneof![Just(PromotionRule::Any), Just(PromotionRule::Met)];
    let choices = prop::collection::vec(any::<prop::sample::Index>(), 0..60);
    (prop::sample::select(fens), rule, choices).prop_map(|(fen, rule, choices)| {
        let mut position = Position::from_fen(fen, rule).expect(fen);
        for choice in choices {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.after(moves[choice.index(moves.len())]);
        }
        position
    })
}

/// Any text, and texts made of the characters that the notations use, which get further.
fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::collection::vec(any::<char>(), 0..20).prop_map(String::from_iter),
        "[KQRBNkqrbnpP1-8a-hx=+#/ wb0-]{0,80}",
        "[KQRBN]?[a-h]?[1-8]?x?[a-h][1-8](=?[KQRBNkqrbn])?[+#!?é]{0,2}",
        "[1-9a-h]{4}[qrbnk+]?",
        "([1-8kqrbnpKQRBNP]{1,8}/){7}[1-8kqrbnpKQRBNP]{1,8} [wb] - (-|0|32|88|128) [0-9]{1,6} [0-9]{1,11}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn positions_survive_writing(position in any_position()) {
        let rule = position.promotion_rule();
        let fen = position.to_fen();
        let read = Position::from_fen(&fen, rule).expect("own FEN");
        prop_assert_eq!(read.to_fen(), fen);
        if position.count().is_none() {
            prop_assert_eq!(read, position);
        }
        let sfen = position.to_sfen();
        let read = Position::from_sfen(&sfen, rule).expect("own SFEN");
        prop_assert_eq!(read.to_sfen(), sfen);
        let (setup, own) = (read.to_setup(), position.to_setup());
        prop_assert_eq!((setup.board, setup.turn, setup.fullmove), (own.board, own.turn, own.fullmove));
    }

    #[test]
    fn moves_survive_writing(position in any_position()) {
        for mv in position.legal_moves() {
            prop_assert_eq!(position.parse_uci(&mv.to_string()), Ok(mv));
            prop_assert_eq!(position.parse_usi(&mv.usi().to_string()), Ok(mv));
            prop_assert_eq!(position.parse_san(&position.san(mv).to_string()), Ok(mv));
        }
    }

    #[test]
    fn texts_never_panic(text in any_text(), position in any_position()) {
        if let Ok(mv) = text.parse::<Move>() {
            prop_assert_eq!(mv.to_string(), text.to_lowercase());
        }
        if let Ok(mv) = text.parse::<UsiMove>() {
            prop_assert_eq!(mv.to_string(), text.to_lowercase());
        }
        for mv in [position.parse_uci(&text).ok(), position.parse_usi(&text).ok(), position.parse_san(&text).ok()] {
            prop_assert!(mv.is_none_or(|mv| position.is_legal(mv)));
        }
        let _ = (text.parse::<Square>(), text.parse::<PromotionRule>());
        if let Ok(setup) = text.parse::<Setup>() {
            prop_assert_eq!(setup.to_string().parse(), Ok(setup));
        }
        let fen = Position::from_fen(&text, PromotionRule::Any).ok();
        let sfen = Position::from_sfen(&text, PromotionRule::Any).ok();
        for position in fen.into_iter().chain(sfen) {
            for mv in position.legal_moves() {
                let _ = position.after(mv).outcome();
            }
        }
    }

    /// Setups far from play: whatever is accepted can be written back, and its moves made.
    #[test]
    fn scattered_men_are_read_or_refused(
        men in prop::collection::vec((0..64usize, 0..12usize), 0..36),
        kings in (0..64usize, 0..64usize),
        black in any::<bool>(),
        limit in 0..4usize,
        counter in any::<u16>(),
        fullmove in 1..=u32::MAX,
    ) {
        use makara_engine::{Color, CountLimit, Piece};
        let mut setup = Setup::empty();
        for (square, piece) in men {
            let piece = Piece::ALL[piece];
            if piece.role() != makara_engine::Role::King {
                setup.board[square] = Some(piece);
            }
        }
        setup.board[kings.0] = Some(Piece::WhiteKing);
        setup.board[kings.1] = Some(Piece::BlackKing);
        setup.turn = if black { Color::Black } else { Color::White };
        setup.count_limit = CountLimit::ALL.get(limit).copied();
        (setup.counter, setup.fullmove) = (counter, fullmove);
        prop_assert_eq!(setup.to_string().parse(), Ok(setup.clone()));
        if let Ok(position) = Position::from_setup(&setup, PromotionRule::Any) {
            prop_assert_eq!(position.to_setup(), setup);
            for mv in position.legal_moves() {
                let next = position.after(mv);
                prop_assert!(Position::from_setup(&next.to_setup(), PromotionRule::Any).is_ok());
                prop_assert_eq!(position.gives_check(mv), next.in_check());
                prop_assert_eq!(position.parse_san(&position.san(mv).to_string()), Ok(mv));
            }
        }
    }
}
