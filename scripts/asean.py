"""The rules of ASEAN chess for the scripts: moves by pyffish, the ends of a game as README.md has them.

pyffish (Fairy-Stockfish) says what is legal, what the next FEN is and whether there is check. It does not
tell the ends of a game apart, so those are worked out here from the FEN, and `disagreements` holds them
against what pyffish does tell.
"""

from collections import Counter
from functools import cached_property

import pyffish

VARIANT = "asean"
START = pyffish.start_fen(VARIANT)

FIFTY_MOVES_PLIES = 100
# The count's limit in plies, by the strongest man of the side that is not bare.
COUNT_LIMITS = {"r": 32, "b": 88, "n": 128}


def board(fen):
    """The men by square number, a1 = 0, h8 = 63."""
    men = {}
    for row, text in enumerate(fen.split(" ", 1)[0].split("/")):
        file = 0
        for letter in text:
            if letter.isdigit():
                file += int(letter)
            else:
                men[(7 - row) * 8 + file] = letter
                file += 1
    return men


def is_dead(fen):
    """True when no mate can arise: bare kings, one knight, or only mets, all on one colour."""
    men = {square: letter.lower() for square, letter in board(fen).items() if letter not in "Kk"}
    roles = Counter(men.values())
    if roles.keys() <= {"q"}:
        return len({(square // 8 + square % 8) % 2 for square in men}) <= 1
    return roles == {"n": 1}


def is_count_expired(fen):
    """True when a count runs in the FEN and is greater than its limit."""
    limit, plies = fen.split()[3:5]
    return limit != "-" and int(plies) > int(limit)


class Position:
    """One position of a game. A question to pyffish costs a millisecond: each is put once, when needed."""

    def __init__(self, start, moves, clock):
        self._args = (VARIANT, start, moves)
        self.clock = clock
        # How often the same men have stood so with the same side to move.
        self.repetitions = 1

    @cached_property
    def fen(self):
        return pyffish.get_fen(*self._args)

    @cached_property
    def moves(self):
        return sorted(pyffish.legal_moves(*self._args))

    @cached_property
    def in_check(self):
        return pyffish.gives_check(*self._args)

    @cached_property
    def outcome(self):
        """The end that needs no claim, in order of precedence, or None."""
        if not self.moves:
            return "checkmate" if self.in_check else "stalemate"
        if is_dead(self.fen):
            return "dead position"
        return "counting" if is_count_expired(self.fen) else None

    @property
    def result(self):
        """The result as PGN writes it, where there is an outcome."""
        if self.outcome != "checkmate":
            return "1/2-1/2"
        return "0-1" if self.fen.split()[1] == "w" else "1-0"

    @cached_property
    def claim(self):
        """The draw that a player may claim, or None."""
        if self.outcome:
            return None
        if self.repetitions >= 3:
            return "threefold repetition"
        return "fifty moves" if self.clock >= FIFTY_MOVES_PLIES else None

    def disagreements(self):
        """What pyffish says otherwise about this end; nothing is the rule.

        pyffish has one answer ('optional end') for claims and for a count that has run out, and gives
        it even in a dead position.
        """
        if not self.moves:
            mated = pyffish.game_result(*self._args) != pyffish.VALUE_DRAW
            return [] if mated == (self.outcome == "checkmate") else [f"game_result: mated {mated}"]
        found = []
        dead = pyffish.has_insufficient_material(*self._args) == (True, True)
        if dead != (self.outcome == "dead position"):
            found.append(f"has_insufficient_material: {dead}")
        optional = pyffish.is_optional_game_end(*self._args)[0]
        drawn = is_count_expired(self.fen) or self.repetitions >= 3 or self.clock >= FIFTY_MOVES_PLIES
        if optional != drawn:
            found.append(f"is_optional_game_end: {optional}")
        return found


class Game:
    """A game from a start FEN. `position` is where it stands."""

    def __init__(self, start=START):
        self.start = start
        self.moves = []
        # pyffish replays all moves at every question: it gets only those since the last position that
        # cannot come back and whose FEN says all (a running count hides the fifty-move clock).
        self._base, self._since = start, []
        limit, plies = start.split()[3:5]
        self._clock = int(plies) if limit == "-" else 0
        self._seen = Counter()
        self.position = self._stand()

    def is_violent(self, move):
        """True for a capture, a pawn move or a promotion."""
        men = board(self.position.fen)
        origin, target = (ord(name[0]) - 97 + 8 * (int(name[1]) - 1) for name in (move[:2], move[2:4]))
        return target in men or men.get(origin) in ("P", "p")

    def play(self, move):
        """Plays a legal move."""
        zeroing = self.is_violent(move)
        self.moves.append(move)
        self._since.append(move)
        self._clock = 0 if zeroing else self._clock + 1
        self.position = self._stand()
        if zeroing and self.position.fen.split()[3] == "-":
            self._base, self._since = self.position.fen, []

    def checks(self):
        """For each move played, whether it gave check: one question for the whole game."""
        sans = pyffish.get_san_moves(VARIANT, self.start, self.moves)
        return [san[-1] in "+#" for san in sans]

    def _stand(self):
        position = Position(self._base, list(self._since), self._clock)
        same = tuple(position.fen.split()[:2])
        self._seen[same] += 1
        position.repetitions = self._seen[same]
        return position
