#!/usr/bin/env python3
"""Counts faults in the games and logs of cutechess-cli; exit code 1 if there is any, or no game at all.

Counted: time losses, illegal moves, disconnects, stalls, unfinished games, and warnings in a log.
"""

import argparse
import re
import sys
from collections import Counter
from pathlib import Path

# What each fault looks like: the PGN's Termination tag or the reason in a log's "Finished game" line.
PATTERNS = {
    "time loss": re.compile(r'^\[Termination "time forfeit"\]|^Finished game .* loses on time\}'),
    "illegal move": re.compile(r'^\[Termination "illegal move"\]|^Finished game .* makes an illegal move'),
    "disconnect": re.compile(r'^\[Termination "abandoned"\]|^Finished game .* disconnects\}'),
    "stall": re.compile(r'^\[Termination "stalled connection"\]|^Finished game .*(stalls|stalled connection)\}'),
    "unfinished game": re.compile(r'^\[Termination "unterminated"\]|^Finished game .*: \* '),
    "warning": re.compile(r"^(Warning|Error|Terminating process|Cannot|Could not)\b", re.IGNORECASE),
}
GAME = re.compile(r"^\[Result |^Finished game ")


class Faults:
    """Counts by kind; true when there is any, or when no game was seen. The worse of PGN and log counts,
    since both tell of the same games."""

    def __init__(self):
        self.counts = Counter()
        self.games = 0
        self.examples = {}

    def read(self, path):
        """Counts in one file, a PGN or a log."""
        found, games = Counter(), 0
        with open(path, errors="replace") as lines:
            for line in lines:
                games += bool(GAME.match(line))
                for kind, pattern in PATTERNS.items():
                    if pattern.match(line):
                        found[kind] += 1
                        self.examples.setdefault(kind, line.strip())
        self.counts |= found
        self.games = max(self.games, games)

    def __bool__(self):
        return self.games == 0 or self.counts.total() > 0

    def __str__(self):
        counts = ", ".join(f"{kind} {self.counts[kind]}" for kind in PATTERNS)
        examples = "".join(f"\n  first {kind}: {line}" for kind, line in self.examples.items())
        return f"{self.games} games: {counts}{examples}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path, help="PGN files and logs of the same games")
    faults = Faults()
    for path in parser.parse_args().files:
        faults.read(path)
    print(faults)
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
