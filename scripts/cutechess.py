"""How this project runs matches with cutechess-cli. Used by `match` and `sprt`.

The program is taken from the environment's CUTECHESS, else from the PATH. Conventions: variant asean, each
opening of tests/data/openings.epd played with both colours, no draw or resign rule unless asked for, and no
restart of an engine that died. All output goes to the screen and to a log beside the PGN, and both are
searched for faults at the end.
"""

import argparse
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from check_pgn import Faults

OPENINGS = Path(__file__).resolve().parent.parent / "tests" / "data" / "openings.epd"


def parser(description):
    """The options that all matches have."""
    made = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("first", help="engine A, a command; its score is what is reported")
    made.add_argument("second", help="engine B")
    made.add_argument("--tc", default="8+0.08", help="time control of both, as cutechess-cli has it (%(default)s)")
    made.add_argument("--hash", type=int, default=16, help="MiB of each (%(default)s)")
    made.add_argument("--threads", type=int, default=1, help="of each (%(default)s)")
    made.add_argument("--concurrency", type=int, default=1, help="games at a time (%(default)s)")
    made.add_argument("--openings", type=Path, default=OPENINGS, help="EPD file (tests/data/openings.epd)")
    made.add_argument("--seed", type=int, default=1, help="for the order of the openings (%(default)s)")
    made.add_argument("--pgn", type=Path, default=Path("match.pgn"), help="replaced; its log beside it (%(default)s)")
    made.add_argument("--names", nargs=2, default=("A", "B"), metavar=("A", "B"), help="of the engines (%(default)s)")
    for letter in "ab":
        text = f"UCI option of engine {letter.upper()} only; may be repeated"
        made.add_argument(f"--option-{letter}", action="append", default=[], metavar="NAME=VALUE", help=text)
    made.add_argument("--draw", metavar="RULE", help="draw rule, such as 'movenumber=60 movecount=10 score=5'")
    made.add_argument("--resign", metavar="RULE", help="resign rule, such as 'movecount=5 score=900'")
    made.add_argument("--margin", type=int, default=0, help="ms that a clock may overrun (%(default)s)")
    return made


def command(args, rounds, extra):
    """The whole command line."""
    program = os.environ.get("CUTECHESS") or shutil.which("cutechess-cli")
    if not program:
        sys.exit("cutechess-cli is neither in CUTECHESS nor in the PATH")
    words = [program, "-variant", "asean"]
    engines = zip((args.first, args.second), args.names, (args.option_a, args.option_b))
    for path, name, options in engines:
        found = shutil.which(path)
        if not found:
            sys.exit(f"no such engine: {path}")
        words += ["-engine", f"cmd={Path(found).resolve()}", f"name={name}"]
        # One value a name: cutechess-cli does not say which of two it would take.
        options = dict([("Hash", args.hash), ("Threads", args.threads)] + [named_value(text) for text in options])
        words += [f"option.{name}={value}" for name, value in options.items()]
    words += ["-each", "proto=uci", f"tc={args.tc}", f"timemargin={args.margin}"]
    words += ["-openings", f"file={args.openings}", "format=epd", "order=random", "-srand", str(args.seed)]
    words += ["-games", "2", "-repeat", "-rounds", str(rounds), "-concurrency", str(args.concurrency)]
    words += ["-ratinginterval", "20", "-pgnout", str(args.pgn)]
    for flag, rule in (("-draw", args.draw), ("-resign", args.resign)):
        if rule:
            words += [flag, *rule.split()]
    return words + extra


def named_value(text):
    """The two sides of NAME=VALUE."""
    name, equals, value = text.partition("=")
    if not equals:
        sys.exit(f"not NAME=VALUE: {text}")
    return name, value


def run(args, rounds, extra=()):
    """Plays, prints the result and the faults. Returns an exit code: 1 on any fault."""
    words = command(args, rounds, list(extra))
    log = args.pgn.with_suffix(".log")
    args.pgn.unlink(missing_ok=True)
    print(shlex.join(words), flush=True)
    lines = []
    with log.open("w") as out:
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
            for line in process.stdout:
                out.write(line)
                lines.append(line)
                if not line.startswith(("Started game", "Finished game")):
                    print(line, end="", flush=True)
    print_result(lines)
    faults = Faults()
    faults.read(log)
    if args.pgn.exists():
        faults.read(args.pgn)
    print(faults)
    return 1 if process.returncode or faults else 0


def print_result(lines):
    """The last score and Elo lines, in short."""
    score = next((line for line in reversed(lines) if line.startswith("Score of ")), None)
    elo = next((line for line in reversed(lines) if line.startswith("Elo difference: ")), None)
    if score is None:
        print("no game was finished")
        return
    numbers = score.split(": ", 1)[1].split()
    print(f"W-D-L {numbers[0]}-{numbers[4]}-{numbers[2]}, {numbers[-1]} games")
    if elo:
        print("Elo " + elo.removeprefix("Elo difference: ").split(",")[0])
