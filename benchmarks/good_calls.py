"""Calls of the command line that are answered, and the good files that they read, one of every kind."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import typer

import treeplex as tp
from tests.helpers.read_formats import FLOPS, FORMATS, LEDUC, VISIBLE, kept_answers, split_store
from treeplex.cli.app import app, register

NO_LIMIT = "no_limit_leduc(bets=[1/2,1],max_raises=[1,1])"
TEX = """EFG 2 R "$x^$" { "\\\\frac" "$_$" }

p "" 1 1 "$\\\\bad{$" { "$x^$" "_^" } 0
t "" 1 "" { 1, -1 }
t "" 2 "" { -1, 1 }
"""
"""Names that are formulas of TeX, or nearly."""
RAW = TEX.replace("$x^$", "x\x1b[31m").replace("$\\\\bad{$", "a\x07\x1b]0;t\x07b")
HUGE = "game,method,unit,iterations,nash_conv\nk,cfr,chips,1,1e300\nk,cfr,chips,1000000000000,1e-300\n"
ODD_TRACE = "game,method,unit,iterations,nash_conv\n$x^$,$\\bad{$,$_$,1,0.5\n$x^$,$\\bad{$,$_$,9,0.1\n"


@cache
def goods(folder: Path) -> Mapping[str, Path]:
    """Write a good file or folder of every kind that commands read; return their paths by name."""
    commands()  # imports all that calls import
    found = {}
    for name in (
        *("spot.toml", "hand.toml", "acpc.game", "gambit.efg", "strategy.csv", "strategy.json"),
        *("strategy.parquet", "strategy on boards", "buckets.csv", "card abstraction", "sampled blueprint"),
        *("checkpoint", "trace.csv", "counterexample.json"),
    ):
        place = folder / name.replace(" ", "-")
        place.mkdir()
        found[name] = FORMATS[name].write(place)
    for name, write, steps in (("split store", split_store, 1), ("kept answers", kept_answers, 2)):
        place = folder / name.replace(" ", "-")
        place.mkdir()
        found[name] = [*write(place).parents][steps - 1]
    for name, spec in (("leduc.csv", "leduc_poker"), ("toss.csv", "coin_toss"), ("small.csv", NO_LIMIT)):
        found[name] = folder / name
        tp.write(tp.solve(spec, "cfr+", iterations=5).strategy, found[name])
    for name, text in (("tex.efg", TEX), ("raw.efg", RAW), ("huge.csv", HUGE), ("tex.csv", ODD_TRACE)):
        found[name] = folder / name
        found[name].write_text(text)
    return found


AT = ("--defender", "1", "--at", "all", "--blueprint")
BASES: tuple[tuple[str, ...], ...] = (
    ("solve", "kuhn_poker", "--solver", "simplex", "--exact", "--target", "0.1", "--out", "s.csv"),
    ("solve", "kuhn_poker", "--method", "cfr+", "--iterations", "20", "--average", "linear"),
    (
        "solve",
        "kuhn_poker",
        "--method",
        "cfr+",
        "--iterations",
        "9",
        "--trace",
        "t.csv",
        "--checkpoint",
        "c.npz",
    ),
    ("solve", "kuhn_poker", "--method", "cfr+", "--iterations", "9", "--checkpoint", "@checkpoint"),
    ("solve", "coin_toss", "--method", "cfr", "--iterations", "9", "--set", "order=alternating", "--json"),
    (
        "solve",
        "kuhn_poker",
        "--method",
        "dcfr",
        "--iterations",
        "9",
        "--warm-start",
        "@strategy.csv",
        "--warm-iterations",
        "5",
    ),
    (
        "solve",
        "leduc_poker",
        "--method",
        "mccfr-external",
        "--form",
        "table",
        "--iterations",
        "50",
        "--seed",
        "3",
    ),
    (
        "solve",
        VISIBLE,
        "--form",
        "boards",
        "--method",
        "cfr+",
        "--iterations",
        "3",
        "--threads",
        "1",
        "--out",
        "s.npz",
    ),
    (
        "solve",
        LEDUC,
        "--store",
        "@split store",
        "--method",
        "cfr+",
        "--executor",
        "serial",
        "--iterations",
        "2",
    ),
    ("solve", "leduc_poker", "--abstraction", "@card abstraction", "--method", "cfr+", "--iterations", "3"),
    (
        "race",
        "kuhn_poker",
        "--methods",
        "cfr,hs-dcfr",
        "--iterations",
        "9",
        "--horizon",
        "5",
        "--out",
        "p.png",
    ),
    *(
        ("solve", f"@{name}", "--method", "cfr+", "--iterations", "2")
        for name in ("acpc.game", "gambit.efg", "tex.efg", "raw.efg")
    ),
    *(("games", f"@{name}") for name in ("spot.toml", "hand.toml", "acpc.game")),
    ("methods", "cfr+"),
    ("theory", "kuhn_poker", "--method", "cfr+", "--iterations", "9", "--out", "log.csv", "--every", "3"),
    ("theory", "kuhn_poker", "--method", "mccfr-external", "--iterations", "9", "--seed", "1", "--p", "0.1"),
    ("check", "kuhn_poker", "@strategy.csv", "--where", "--most", "2", "--target", "0.9"),
    ("check", "kuhn_poker", "@strategy.json", "--exact", "--missing", "error"),
    ("check", "kuhn_poker", "@strategy.parquet"),
    ("check", VISIBLE, "@strategy on boards"),
    ("check", "leduc_poker", "@sampled blueprint", "--abstraction", "@card abstraction"),
    ("check", FLOPS.format("0.5,1"), "@kept answers"),
    ("crosscheck", "coin_toss"),
    ("verify", "perfect-recall", "--instances", "1", "--workers", "1", "--seed", "2", "--quick"),
    (
        "challenge",
        "maxmargin",
        "--games",
        "1",
        "--seconds",
        "1",
        "--seed",
        "2",
        "--claim",
        "safe",
        "--out",
        "found",
    ),
    ("challenge", "unsafe", "--replay", "@counterexample.json"),
    ("gadget", "coin_toss", *AT, "@toss.csv", "--method", "resolve", "--scale", "1", "--out", "g.csv"),
    ("gadget", "kuhn_poker", *AT, "@strategy.csv", "--method", "reach-maxmargin", "--set", "gifts=best"),
    (
        "gadget",
        VISIBLE,
        *AT,
        "uniform",
        "--method",
        "resolve",
        "--form",
        "boards",
        "--width",
        "0.1",
        "--iterations",
        "3",
    ),
    (
        "depth-limited",
        "kuhn_poker",
        *AT,
        "@strategy.csv",
        "--continuations",
        "biased",
        "--factor",
        "2",
        "--rounds",
        "2",
    ),
    (
        "answer",
        NO_LIMIT,
        "--by",
        "translation",
        "--abstraction",
        "1",
        "--defender",
        "1",
        "--strategy",
        "uniform",
    ),
    (
        "show",
        "kuhn_poker",
        "--strategy",
        "@strategy.csv",
        "--node",
        "c",
        "--map",
        "strategy",
        "--out",
        "p.png",
    ),
    ("show", "leduc_poker", "--strategy", "@leduc.csv", "--board", "Ks"),
    ("draw", "kuhn_poker", "--depth", "2", "--out", "d.svg"),
    (
        "draw",
        "coin_toss",
        "--at",
        "all",
        "--defender",
        "1",
        "--gadget",
        "resolve",
        "--blueprint",
        "@toss.csv",
    ),
    *(("draw", f"@{name}", "--out", "d.svg") for name in ("gambit.efg", "tex.efg", "raw.efg")),
    ("draw", "@raw.efg"),
    *(("plot", f"@{name}", "--out", "p.png") for name in ("trace.csv", "huge.csv", "tex.csv")),
    ("abstract", "turn_holdem(ranks=3)", "--street", "turn:3:equity", "--out", "a.npz", "--seed", "1"),
    ("export", "kuhn_poker", "--format", "lp", "--player", "1", "--out", "k.lp"),
    ("export", "@tex.efg", "--format", "efg", "--out", "k.efg"),
    *(("store", action, "@split store") for action in ("info", "verify", "prune", "replay")),
    ("reference", "coin_toss", "--out", "r.json"),
    ("reproduce",),
)
"""Calls that are answered, by which hostile ones are made; ``@`` precedes the name of a good file."""


@cache
def commands() -> Mapping[str, Any]:
    """Return every command of the command line, as typer makes them."""
    register([])
    return typer.main.get_command(app).commands  # type: ignore[attr-defined,no-any-return]
