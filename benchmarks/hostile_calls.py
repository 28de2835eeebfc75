"""Hostile calls of the command line, drawn by a seed; of each it is told whether it is certainly wrong."""

import json
import os
import random
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.good_calls import BASES, commands
from tests.helpers.archive_members import members_of, zipped
from tests.helpers.archive_mutations import spoilt
from tests.helpers.mutations import mutated

NO_NUMBER = ("", "x", "nan", "1,5", "\x1b[31m1", "--", "1e", "0x1f")
NO_INTEGER = (*NO_NUMBER, "inf", "-inf", "1.5", "1e19", "1e-300")
NUMBERS = ("0", "-1", "1" + "0" * 20, "-1" + "0" * 20, "007", " 5", "9" * 5000)
NO_WORD = (
    "",
    "\x1b[2Jx",
    "\x07",
    "Ж\u202e",
    "$x^$",
    "x" * 20_000,
    "a\nb\nc",
    "[bold]x[/bold]",
    "%s%n",
    "-1",
    "\x9b1m",
)
"""What no option of words takes, but those that take any text."""
LAX = ("node", "board", "rows", "columns")
"""Options whose empty text is the whole, or none."""
KINDS = ("types", "options", "inputs", "outputs", "damaged", "partial", "specs", "texts")
SPECS_WRONG = (
    *"""
kuhn_poker(ranks=-1)
kuhn_poker(ranks=1e19)
kuhn_poker(ranks=nan)
kuhn_poker(ranks=)
kuhn_pokr
kuhn_poker(
kuhn_poker)
(ranks=3)
kuhn_poker(rank=3)
kuhn_poker(ranks=3,ranks=3)
.
leduc_poker(bets=[inf,1])
leduc_poker(bets=[])
leduc_poker(raises=[2])
coin_toss(heads=nan)
/
coin_toss(heads=1e400)
matrix_game(payoff=[[1,2],[3]])
matrix_game(payoff=[])
os:system
a:b
goofspiel(cards=0)
liars_dice(dice=0)
random_game(depth=-1)
auction(values=[])
small_holdem(board="")
no_limit_leduc(bets=[-1])
example:
example:../river
openspiel:
openspiel:kuhn_pokr
mymodule:
:
patrol(values=[1,2],steps=0)
kuhn_poker(ranks=[3])
matrix_game(payoff=[[nan]])
leduc_poker(suits_visible=maybe)
no_limit_leduc(stack=-1)
spot.tml
""".split(),  # noqa: SIM905
    *("", " ", "\x1b[31mkuhn", "kuhn_poker(ranks=\x1b[31m)", "x" * 50_000, "random_game(" + "[" * 5000 + ")"),
    *('small_holdem(board="Ks Ks Ks")', 'small_holdem(board="")'),
)
TEXTS = (
    "$x^$",
    "\\frac{",
    "a\x1b[31mb",
    "x" * 3000,
    "\u202eabc",
    "<b>&amp;",
    "[red]x",
    "é\u0301",
    "a\tb",
    "%d",
)
"""Names that users may give."""


@dataclass
class Call:
    """A call: words, and whether it must be refused.

    Attributes
    ----------
    kind : str
    words : list of str
    wrong : bool
        Whether it is certainly wrong: to answer it is to have taken something silently.
    data : bool
        Whether standard output holds a file, which may hold any character.
    """

    kind: str
    words: list[str]
    wrong: bool = False
    data: bool = False


@dataclass
class Drawing:
    """Draws one call within a folder of its own, into which it puts the files that are read."""

    chance: random.Random
    folder: Path
    good: Mapping[str, Path]
    taken: list[Path] = field(default_factory=list)

    def call(self) -> Call:
        """Draw a call."""
        kind = self.chance.choice(KINDS)
        call: Call = getattr(self, f"_{kind}")()
        to_stdout = any(word in ("-", "/dev/stdout") for word in call.words)
        call.data = to_stdout or (call.words[0] in ("export", "reference") and "--out" not in call.words)
        return call

    def _base(self, allowed: Callable[[tuple[str, ...]], bool] = lambda words: True) -> list[str]:
        """Return the words of a good call, with the good files copied here."""
        words = self.chance.choice([words for words in BASES if allowed(words)])
        return [self._copied(word[1:]) if word.startswith("@") else word for word in words]

    def _copied(self, name: str) -> str:
        good = self.good[name]
        path = self.folder / good.name
        if not path.exists():
            (shutil.copytree if good.is_dir() else shutil.copy)(good, path)
            self.taken.append(path)
        return path.name

    def _put(self, words: list[str], param: Any, value: str) -> list[str]:
        """Return words with an option's value replaced, or the option added."""
        name = param.opts[0]
        if name in words:
            words[words.index(name) + 1] = value
        else:
            words += [name, value]
        return words

    def _types(self) -> Call:
        words = self._base(lambda words: bool(_options(words[0])))
        param = self.chance.choice(_options(words[0]))
        if param.bare_type() in ("int", "float"):
            never = NO_INTEGER if param.bare_type() == "int" else NO_NUMBER
            value = self.chance.choice((*never, *NUMBERS))
            return Call("types", self._put(words, param, value), value in never)
        value = self.chance.choice(NO_WORD)
        wrong = not (value == "" and param.name in LAX)
        if param.name in ("checkpoint", "store", "keep") or words[0] in ("challenge", "export"):
            wrong = value == "" and param.name not in LAX  # they make a file or a folder of any name
        return Call("types", self._put(words, param, value), wrong)

    def _options(self) -> Call:
        """Draw a call with an option of another command or none, a setting of nothing, or no command."""
        words = self._base()
        own = {name for p in commands()[words[0]].params for name in (*p.opts, *p.secondary_opts)}
        case = self.chance.randrange(4)
        if case == 0:
            param = self.chance.choice([p for name in commands() for p in _options(name)])
            words += [param.opts[0], "1"]
            return Call("options", words, param.opts[0] not in own)
        if case == 1:
            words += [
                self.chance.choice(
                    (
                        "--exakt",
                        "--iteration s",
                        "--\x1b[31m",
                        "---",
                        "-z",
                        "--json=1",
                        "--=",
                        "extra\x07word",
                    )
                )
            ]
            return Call(
                "options", words, words[0] not in ("reference", "verify", "plot") or words[-1].startswith("-")
            )
        if case == 2:
            words += [
                "--set",
                self.chance.choice(
                    ("x", "=", "x=1", "order=", "order=x\x1b[31m", "alpha=nan", "", "seed=1.5", "scales=\x07")
                ),
            ]
            return Call("options", words, True)
        words[0] = self.chance.choice(("slove", "", "\x1b[31msolve", "solve ", "x" * 9000, "--", "-"))
        return Call("options", words, True)

    def _inputs(self) -> Call:
        """Draw a call with a file that is none in the place of one that is read."""
        words = self._base(lambda words: any(word.startswith("@") for word in words))
        path = self.chance.choice(self.taken)
        at = words.index(path.name)
        case = self.chance.randrange(8)
        other = f"{'x' * 8}{path.suffix}"
        if case == 0:
            os.mkfifo(self.folder / other)
        elif case == 1:
            (self.folder / other).symlink_to("/dev/zero")
        elif case == 2:
            (self.folder / other).symlink_to(other)
        elif case == 3:
            (self.folder / other).mkdir()
        elif case == 4:
            other = f"a\x1b[31m\x07{path.suffix}"
        elif case == 5:
            other = "x" * 5000 + path.suffix
        elif case == 6:
            other = f"none/{other}"
        words[at] = other
        makes = words[at - 1] in ("--checkpoint", "--store")  # which make what is not there
        wrong = not (makes and case in (3, 4, 6, 7)) and not (words[0] == "store" and case == 3)
        return Call("inputs", words, wrong)

    def _outputs(self) -> Call:
        """Draw a call whose output cannot be written."""
        words = self._base(lambda words: "--out" in words and words[0] != "challenge")
        at = words.index("--out") + 1
        suffix = Path(words[at]).suffix
        (self.folder / f"folder{suffix}").mkdir()
        (self.folder / f"round{suffix}").symlink_to(f"round{suffix}")
        (self.folder / f"full{suffix}").symlink_to("/dev/full")
        inputs = [path.name for path in self.taken if path.is_file()]
        out = self.chance.choice(
            (
                *(f"folder{suffix}", f"round{suffix}", f"full{suffix}", f"none/x{suffix}", "x.doc", "x", ""),
                *(f"{'x' * 300}{suffix}", f"/proc/x{suffix}", f"a\x1b[31m/x{suffix}", "/dev/full"),
                *("/dev/fd/99", *inputs),
            )
        )
        words[at] = out
        return Call("outputs", words, not ("--format" in words and out in ("x.doc", "x")))

    def _damaged(self) -> Call:
        """Draw a call that reads a damaged copy of a good file."""
        words = self._base(lambda words: any(word.startswith("@") for word in words))
        path = self.chance.choice(self.taken)
        if path.is_dir():
            path = self.chance.choice(sorted(inner for inner in path.rglob("*") if inner.is_file()))
        data = path.read_bytes()
        case = self.chance.randrange(7)
        seed = str(self.chance.random())
        archive = path.suffix == ".npz"
        wrong = False
        if case == 0:
            new, wrong = b"", True
        elif case == 1:
            cut = self.chance.randrange(len(data) // 10, 9 * len(data) // 10 + 1)
            new, wrong = data[:cut], archive or path.suffix == ".json"
        elif case == 2 and archive:
            members = members_of(data)
            del members[self.chance.randrange(len(members))]
            new, wrong = zipped(members), True
        elif case == 3 and archive:
            new = spoilt(seed, data)
        elif case == 4 and not archive:
            lines = data.splitlines(keepends=True)
            k = self.chance.randrange(len(lines))
            lines[k] = self.chance.choice((b"\xff\xfe\n", b"\0\0\n", b"}{\n", b"\x1b[31m = [\n"))
            new = b"".join(lines)
        elif case == 5 and not archive:
            new, wrong = b"\xff" + data, True
        else:
            new = mutated(seed, data)
        path.write_bytes(new)
        reads = not {"store", "kept"} & {*path.parts[-3:-1]} and words[0] != "store"
        return Call("damaged", words, wrong and reads and path.parent == self.folder)

    def _partial(self) -> Call:
        """Draw a call with half a profile, or the strategy of one seat."""
        tables = ("@strategy.csv", "@strategy.json", "@toss.csv", "@leduc.csv")
        words = self._base(lambda words: any(word in tables for word in words))
        path = next(path for path in self.taken if f"@{path.name}" in tables)
        seat = self.chance.randrange(2)
        half = self.chance.random() < 0.5
        if path.suffix == ".csv":
            head, *rows = path.read_text().splitlines()
            kept = rows[: len(rows) // 2] if half else [r for r in rows if r.startswith(f"{seat},")]
            path.write_text("\n".join([head, *kept]) + "\n")
        else:
            whole = json.loads(path.read_text())
            kept = whole[: len(whole) // 2] if half else [row for row in whole if row["player"] == seat]
            path.write_text(json.dumps(kept))
        return Call("partial", words, True)

    def _specs(self) -> Call:
        words = self._base(lambda words: len(words) > 1 and words[0] in WITH_SPEC)
        words[1] = self.chance.choice(SPECS_WRONG)
        return Call("specs", words, True)

    def _texts(self) -> Call:
        """Draw a call with texts of users in the place of good ones: paths, names of games, traces."""
        text = self.chance.choice(TEXTS)
        if self.chance.random() < 0.5:
            words = self._base(lambda words: any(word.startswith("@") for word in words))
            path = self.chance.choice(self.taken)
            new = self.folder / f"{text[:100]}{path.suffix}".replace("/", "_")
            path.rename(new)
            words[words.index(path.name)] = new.name
            return Call("texts", words)
        words = self._base(
            lambda words: (
                words[0] in ("draw", "plot", "solve", "export") and bool({"@tex.efg", "@tex.csv"} & {*words})
            )
        )
        path = self.taken[0]
        path.write_text(
            path.read_text()
            .replace("$x^$", text.replace("\\", "\\\\"))
            .replace("0.5", self.chance.choice(("0.5", "1e300", "1e-320", "0")))
        )
        return Call("texts", words)


WITH_SPEC = (
    *("solve", "games", "theory", "check", "crosscheck", "gadget", "depth-limited", "answer", "show", "draw"),
    *("abstract", "export", "race", "reference"),
)
"""Commands whose first word is a game."""


def _options(command: str) -> list[Any]:
    """Return the options of a command that take a value."""
    return [p for p in commands()[command].params if p.param_type_name == "option" and not p.is_flag]


def drawn(seed: int, number: int, folder: Path, good: Mapping[str, Path]) -> Call:
    """Return one call of a seed; the files it reads are in the folder then."""
    return Drawing(random.Random(f"{seed} {number}"), folder, good).call()
