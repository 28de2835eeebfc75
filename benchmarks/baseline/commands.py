"""The commands whose output is kept: one table from a case's name to its command lines.

A command that is spelled in another way later is changed here and keeps its name, by which results are
compared. The lines of a case are run one after another in a temporary folder of its own, for which ``TMP``
stands and in which ``INPUTS`` lie; what they write there is kept as digests. ``--json`` is added to every
command that takes it. The files of checkpoints are called ``run.npz``.
"""

from collections.abc import Iterator, Mapping

from tests.helpers.acpc_files import KUHN

SPOT = """board = "Ks Th 7s 4d"
pot = 10
stack = 20
ranges = ["AA,KhKd,QJs", "KcQc,KhJh,99"]
bets = [1.0]
raises = ["a"]
"""
INPUTS: Mapping[str, str] = {
    "spot.toml": SPOT,
    "kuhn.game": KUHN,
    "part.csv": "player,infoset,action,probability\n0,J:,c,0.75\n0,J:,r,0.25\n",
    "bad.csv": "player,infoset,action,probability\n0,J:,c,-0.5\n",
    "bad.toml": SPOT.replace("Ks Th", "Ks Ks"),
}
TEXT_ONLY = ("export", "draw", "plot", "play", "reference", "serve")
"""The commands without ``--json``."""
TYPED = "p\n" + 20 * "1\n"
"""What is typed where a command reads standard input: moves."""

RIVER, TURN, LOCKED = "examples/river.toml", "examples/turn.toml", "examples/locked_river.toml"
LEDUC, SMALL_LEDUC = "leduc_poker", "leduc_poker(ranks=2,raises=1)"
SMALL_FLOP = "flop_holdem(ranks=4,suits=2,raises=[0,1])"
MENUS = "no_limit_flop_holdem(ranks=4,suits=2,bets=[1],flops=1)"
FULL_MENU, SMALL_MENU = (
    "no_limit_leduc(bets=[1/2,3/4,1],max_raises=[1,1])",
    "no_limit_leduc(max_raises=[1,1])",
)
SMALL_RHODE = "rhode_island(ranks=2,suits=3,raises=1)"
PROGRAMS = (
    "coin_toss(forfeit=false,subgames=2)",
    "matrix_game(payoff=[[3,1],[1/3,5]])",
    "dummy_pennies",
    "goofspiel(cards=4)",
    "liars_dice(faces=4)",
    "oshi_zumo(information=winner)",
    "phantom_mnk",
    "battleship",
    "sheriff",
    "patrol",
    "auction",
    "random_game(seed=7)",
    "kuhn_poker",
    LEDUC,
    "no_limit_leduc(max_raises=[1,1])",
    SMALL_RHODE,
    "small_holdem",
    SMALL_FLOP,
    "one_card_flop(ranks=3,suits=2)",
    "push_fold(stack=10)",
    LOCKED,
    "examples/night_crossing.efg",
    "openspiel:kuhn_poker",
    "TMP/kuhn.game",
    "TMP/spot.toml",
)
"""Games solved by the linear program, one of each family; all exactly too."""
FULL_WIDTH = ("cfr", "cfr+", "lcfr", "dcfr", "pcfr+", "pdcfr", "hedge", "cfr-br")
SAMPLED = ("external", "outcome", "chance", "average", "pruned", "public")
ON_BOARDS = ("cfr", "cfr+", "lcfr", "dcfr", "pcfr+", "pdcfr")
BOARDS, TABLE = "--form boards --method dcfr", "--form table --method mccfr-external"
GADGETS = ("resolve", "maxmargin", "lexicographic", "distributional")


def commands() -> dict[str, tuple[str, ...]]:
    """Return the command lines of each case by its name."""
    return {
        **dict(_solved()),
        **dict(_minimised()),
        **_OPTIONS,
        **_CHOSEN,
        **dict(_boards()),
        **_SAMPLES,
        **_JUDGED,
        **dict(_gadgets()),
        **dict(_off_tree()),
        **dict(_depth_limited()),
        **_SHOWN,
        **_EXPORTED,
        **{f"bad/{name}": (line,) for name, line in _BAD.items()},
    }


def _solved() -> Iterator[tuple[str, tuple[str, ...]]]:
    for spec in PROGRAMS:
        name = spec.removeprefix("TMP/").removeprefix("examples/")
        yield f"solve/{name}/lp", (f"solve '{spec}' --method lp --out TMP/s.csv",)
        yield f"solve/{name}/lp/exact", (f"solve '{spec}' --method lp --exact",)
    for solver in ("simplex", "ipm", "hipo"):
        yield f"solve/leduc/lp/{solver}", (f"solve {LEDUC} --method lp --solver {solver} --out TMP/s.json",)
    yield "solve/river/lp", (f"solve {RIVER} --method lp",)


def _minimised() -> Iterator[tuple[str, tuple[str, ...]]]:
    methods = dict.fromkeys(FULL_WIDTH, 200) | {f"mccfr-{name}": 2000 for name in SAMPLED} | {"cfr-d": 5}
    for method, count in methods.items():
        line = f"solve {LEDUC} --method {method} --iterations {count} --out TMP/s.csv"
        yield f"solve/leduc/{method}/{count}", (line,)
    for method, count in {"cfr+": 100, "mccfr-external": 1000, "cfr-d": 3}.items():
        yield (
            f"solve/goofspiel/{method}/{count}",
            (f"solve goofspiel --method {method} --iterations {count}",),
        )
    for method in ("cfr+", "dcfr", "hedge", "mccfr-public"):
        yield f"solve/river/{method}/50", (f"solve {RIVER} --method {method} --iterations 50",)
    yield "solve/locked_river/cfr+/200", (f"solve {LOCKED} --method cfr+ --iterations 200 --out TMP/s.csv",)


_MINIMISE = f"solve {LEDUC} --method cfr+ --iterations 100"
_ON_BOARDS = f"solve '{SMALL_LEDUC}' {BOARDS} --iterations 20"
_SAMPLE = f"solve {LEDUC} --method mccfr-external --iterations 1000"
_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "solve/option/target-met": (f"solve {LEDUC} --method cfr+ --target 0.05",),
    "solve/option/target-missed": (f"solve {LEDUC} --method cfr+ --target 1e-9 --iterations 100",),
    "solve/option/no-target": ("solve kuhn_poker --method dcfr",),
    "solve/option/exact": (f"{_MINIMISE} --exact",),
    "solve/option/average": tuple(f"{_MINIMISE} --average {a}" for a in ("uniform", "quadratic", "last")),
    "solve/option/counted": tuple(f"{_MINIMISE} --set counted={c}" for c in ("before", "after", "seen")),
    "solve/option/order": tuple(
        f"{_MINIMISE} --set order={order}" for order in ("simultaneous", "alternating")
    ),
    "solve/option/seed": (f"{_SAMPLE} --seed 1", f"{_SAMPLE} --seed 1 --average linear"),
    "solve/option/streams": (f"{_SAMPLE} --set streams=3",),
    "solve/option/trace": (f"{_MINIMISE} --trace TMP/t.csv",),
    "solve/option/checkpoint": tuple(
        f"solve {LEDUC} --method {m} --iterations {n} --checkpoint TMP/{m}/run.npz"
        for m in ("cfr+", "mccfr-external", "cfr-d")
        for n in (4, 10)
    ),
    "solve/option/warm-start": (
        f"solve {LEDUC} --method cfr+ --iterations 50 --out TMP/w.csv",
        f"solve {LEDUC} --method dcfr --iterations 50 --warm-start TMP/w.csv --out TMP/s.csv",
        f"solve {LEDUC} --method hedge --iterations 50 --warm-start TMP/w.csv --warm-iterations 20",
    ),
    "solve/option/missing": (
        "solve kuhn_poker --method cfr+ --iterations 50 --warm-start TMP/part.csv --missing uniform",
    ),
    "solve/option/parquet": (
        "solve kuhn_poker --method lp --out TMP/s.parquet",
        "check kuhn_poker TMP/s.parquet",
    ),
}

_CHOSEN: Mapping[str, tuple[str, ...]] = {
    "solve/chosen/kuhn": ("solve kuhn_poker --out TMP/s.csv",),
    "solve/chosen/leduc": (f"solve {LEDUC} --out TMP/s.csv", f"solve {LEDUC} --iterations 50"),
    "solve/chosen/goofspiel": ("solve goofspiel --out TMP/s.csv", "solve goofspiel --iterations 50"),
    "solve/chosen/river": (
        "solve example:river --iterations 20 --out TMP/s.csv",
        "check example:river TMP/s.csv",
    ),
    "solve/chosen/turn": (
        "solve example:turn --iterations 2 --out TMP/s.npz",
        "check example:turn TMP/s.npz",
    ),
    "solve/chosen/rhode_island": (
        f"solve '{SMALL_RHODE}' --out TMP/s.csv",
        f"solve '{SMALL_RHODE}' --iterations 20 --out TMP/i.csv",
    ),
    "solve/chosen/form": tuple(
        f"solve {LEDUC} --form {form} --iterations 50 --out TMP/{form}.{kind}"
        for form, kind in (("tree", "csv"), ("public", "csv"), ("boards", "npz"), ("table", "csv"))
    ),
    "solve/chosen/limit_holdem": (
        "solve limit_holdem --method mccfr-external --iterations 100 --out TMP/s.csv",
        "solve limit_holdem --iterations 50",
    ),
    "table/liars_dice": (f"solve 'liars_dice(faces=3)' {TABLE} --iterations 300 --out TMP/s.csv",),
}


def _boards() -> Iterator[tuple[str, tuple[str, ...]]]:
    for method in ON_BOARDS:
        line = f"solve '{SMALL_LEDUC}' --form boards --method {method} --iterations 20 --out TMP/s.npz"
        yield f"boards/leduc/{method}/20", (line,)
    options = {
        "int16": "--set storage=int16",
        "threads": "--threads 2",
        "no-isomorphism": "--set isomorphism=no",
        "average": "--average uniform",
        "trace": "--trace TMP/t.csv",
    }
    for name, option in options.items():
        yield f"boards/leduc/{name}", (f"{_ON_BOARDS} {option} --out TMP/s.npz",)
    target = f"solve '{SMALL_LEDUC}' {BOARDS} --target"
    yield "boards/leduc/target", (f"{target} 0.05", f"{target} 1e-9 --iterations 5")
    resumed = f"solve '{SMALL_LEDUC}' {BOARDS} --checkpoint TMP/run.npz --iterations"
    yield "boards/leduc/checkpoint", (f"{resumed} 8", f"{resumed} 20 --out TMP/s.npz")
    yield (
        "boards/turn/dcfr/3",
        (f"solve {TURN} {BOARDS} --iterations 3 --threads 2 --out TMP/s.npz", f"check {TURN} TMP/s.npz"),
    )
    yield "boards/flop/dcfr/1", (f"solve examples/flop.toml {BOARDS} --iterations 1 --threads 2",)
    yield "boards/turn/int16/3", (f"solve {TURN} {BOARDS} --iterations 3 --threads 2 --set storage=int16",)
    yield "boards/spot/dcfr/50", (f"solve TMP/spot.toml {BOARDS} --iterations 50 --out TMP/s.npz",)
    yield "boards/river/dcfr/50", (f"solve {RIVER} {BOARDS} --iterations 50 --out TMP/s.npz",)
    yield "boards/locked_river/dcfr/50", (f"solve {LOCKED} {BOARDS} --iterations 50 --out TMP/s.npz",)
    yield "boards/flop_holdem/dcfr/20", (f"solve '{SMALL_FLOP}' {BOARDS} --iterations 20 --out TMP/s.npz",)
    listed = f"{SMALL_FLOP.removesuffix(')')},flops=3)"
    yield (
        "boards/listed_flops/dcfr/20",
        (f"solve '{listed}' {BOARDS} --iterations 20 --out TMP/s.npz", f"check '{listed}' TMP/s.npz"),
    )
    yield "boards/rhode_island/dcfr/2", (f"solve rhode_island {BOARDS} --iterations 2",)


_LARGE = f"solve limit_holdem {TABLE} --seed 5 --iterations"
_SAMPLES: Mapping[str, tuple[str, ...]] = {
    "table/leduc/external": (f"solve {LEDUC} {TABLE} --iterations 20000 --seed 3 --out TMP/s.csv",),
    "table/leduc/outcome": (
        f"solve {LEDUC} --method mccfr-outcome --form table --iterations 20000 --out TMP/s.json",
    ),
    "table/leduc/full": (f"solve {LEDUC} {TABLE} --iterations 1000 --set max_infosets=50",),
    "table/limit_holdem": (f"{_LARGE} 300 --out TMP/s.csv",),
    "table/limit_holdem/checkpoint": (
        f"{_LARGE} 100 --checkpoint TMP/run.npz",
        f"{_LARGE} 300 --checkpoint TMP/run.npz --out TMP/s.csv",
    ),
    "table/whole_hand": (f"solve examples/whole_hand.toml {TABLE} --iterations 100 --out TMP/s.csv",),
}
_JUDGED: Mapping[str, tuple[str, ...]] = {
    "check/leduc": (
        f"solve {LEDUC} --method cfr+ --iterations 100 --out TMP/s.csv",
        f"check {LEDUC} TMP/s.csv",
        f"check {LEDUC} TMP/s.csv --target 0.001",
    ),
    "check/goofspiel": ("solve goofspiel --method lp --out TMP/s.json", "check goofspiel TMP/s.json"),
    "check/locked_river": (f"solve {LOCKED} --method lp --out TMP/s.csv", f"check {LOCKED} TMP/s.csv"),
    "check/boards": (
        f"{_ON_BOARDS} --out TMP/s.npz",
        f"check '{SMALL_LEDUC}' TMP/s.npz",
        f"check '{SMALL_LEDUC}' TMP/s.npz --target 1e-9",
    ),
    "check/table": (f"solve {LEDUC} {TABLE} --iterations 20000 --out TMP/s.csv", f"check {LEDUC} TMP/s.csv"),
    "check/missing": ("check kuhn_poker TMP/part.csv --missing uniform",),
    "crosscheck/kuhn": ("crosscheck kuhn_poker",),
    "crosscheck/coin_toss": ("crosscheck coin_toss",),
    "crosscheck/goofspiel": ("crosscheck goofspiel",),
    "crosscheck/locked_river": (f"crosscheck {LOCKED}",),
    "crosscheck/leduc": (f"crosscheck '{SMALL_LEDUC}'",),
    "theory/kuhn/cfr": ("theory kuhn_poker --method cfr --iterations 100 --out TMP/b.csv",),
    "theory/kuhn/hedge": ("theory kuhn_poker --method hedge --iterations 100 --simultaneous",),
    "theory/leduc/cfr+": (f"theory {LEDUC} --method cfr+ --iterations 50 --every 10 --out TMP/b.csv",),
    "theory/leduc/dcfr": (f"theory {LEDUC} --method dcfr --iterations 50 --average linear",),
    "theory/leduc/cfr-br": (f"theory {LEDUC} --method cfr-br --iterations 50",),
    "theory/kuhn/mccfr": tuple(
        f"theory kuhn_poker --method mccfr-{scheme} --iterations 200 --seed 2"
        for scheme in ("external", "outcome", "chance", "average")
    ),
}


def _gadgets() -> Iterator[tuple[str, tuple[str, ...]]]:
    leduc = f"gadget {LEDUC} --at all --blueprint cfr+:50"
    for method in ("unsafe", "joint", *GADGETS, *(f"reach-{m}" for m in GADGETS), "estimated-maxmargin"):
        yield (
            f"gadget/leduc/{method}",
            tuple(f"{leduc} --defender {p} --method {method} --out TMP/s{p}.csv" for p in (0, 1)),
        )
    coin = "gadget coin_toss --defender 1 --at :Play --method"
    for method in GADGETS:
        line = f"{coin} reach-estimated-{method} --blueprint uniform --set estimates=blueprint"
        yield f"gadget/coin_toss/reach-estimated-{method}", (line,)
    for blueprint in ("uniform", "nash"):
        yield (
            f"gadget/leduc/blueprint/{blueprint}",
            (f"gadget {LEDUC} --defender 1 --at K:cc/ --method resolve --blueprint {blueprint}",),
        )
    kuhn = "gadget kuhn_poker --defender 0 --at all --blueprint uniform --method"
    yield "gadget/kuhn/quasi-perfect", (f"{kuhn} maxmargin --set equilibrium=quasi-perfect --out TMP/s.csv",)
    yield "gadget/kuhn/gifts", (f"{kuhn} reach-resolve --set gifts=estimated --scale 0.5",)
    yield "gadget/kuhn/distributional", (f"{kuhn} distributional --set deviation=0.5 --set atoms=4",)
    yield (
        "gadget/kuhn/missing",
        (
            "gadget kuhn_poker --defender 1 --at all --method resolve --blueprint TMP/part.csv "
            "--missing uniform",
        ),
    )


def _off_tree() -> Iterator[tuple[str, tuple[str, ...]]]:
    full = f"'{FULL_MENU}' --abstraction 1/2,1"
    for method, approach in (
        ("resolve", "inexpensive"),
        ("reach-maxmargin", "inexpensive"),
        ("maxmargin", "expensive"),
        ("unsafe", "expensive"),
    ):
        line = f"answer {full} --by {method} --approach {approach}"
        yield (
            f"nested/{method}/{approach}",
            tuple(f"{line} --defender {p} --out TMP/s{p}.csv" for p in (0, 1)),
        )
    yield (
        "nested/spec",
        (f"answer '{FULL_MENU}' --abstraction '{SMALL_MENU}' --defender 1 --strategy cfr+:50",),
    )
    yield (
        "translate",
        tuple(f"answer {full} --by translation --defender {p} --out TMP/s{p}.csv" for p in (0, 1)),
    )


def _depth_limited() -> Iterator[tuple[str, tuple[str, ...]]]:
    leduc = f"depth-limited {LEDUC} --at all"
    for kind in ("blueprint", "biased", "self-generated"):
        line = f"{leduc} --continuations {kind} --blueprint cfr+:20 --rounds 5"
        if kind != "self-generated":
            line = line.removesuffix(" --rounds 5")
        yield (
            f"depth-limited/leduc/{kind}",
            tuple(f"{line} --defender {p} --out TMP/s{p}.csv" for p in (0, 1)),
        )


_SHOWN: Mapping[str, tuple[str, ...]] = {
    "games": ("games",),
    "methods": ("methods", "methods cfr+"),
    "verify": ("verify weak-duality strong-duality --quick",),
    "challenge": ("challenge unsafe --claim safe --games 20",),
    "examine": ("examine treeplex:cfr+ --games kuhn_poker --iterations 64",),
    "reproduce": ("reproduce coin-toss",),
    "store": (
        f"solve '{SMALL_RHODE}' --store TMP/store --executor serial --iterations 5",
        "store info TMP/store",
        "store verify TMP/store",
        "store replay TMP/store --seed 1",
        "store prune TMP/store",
    ),
    "abstract": (
        f"abstract '{SMALL_FLOP}' --street flop:20:ochs --out TMP/a.npz",
        f"show '{SMALL_FLOP}' --map buckets --abstraction TMP/a.npz --board AsKsQh",
        f"solve '{SMALL_FLOP}' --abstraction TMP/a.npz --iterations 5 --out TMP/s.npz",
        f"check '{SMALL_FLOP}' TMP/s.npz",
        f"solve '{SMALL_FLOP}' --abstraction TMP/a.npz --method cfr-br --iterations 5",
        f"solve '{SMALL_FLOP}' --abstraction TMP/a.npz --method mccfr-external --iterations 5000"
        " --set batch=500",
    ),
    "answer": (f"answer {RIVER} --strategy cfr+:20 --at cr37 --by resolve",),
    "reference": ('reference coin_toss "kuhn_poker(ranks=3)" --out TMP/p.json',),
    "size/leduc": (f"games {LEDUC}",),
    "size/rhode_island": ("games rhode_island",),
    "size/limit_holdem": ("games limit_holdem",),
    "size/flop": ("games examples/flop.toml",),
    "size/whole_hand": ("games examples/whole_hand.toml",),
    "show/leduc": (f"show {LEDUC} --node cc/ --board K", f"show {LEDUC} --node crr --map ev"),
    "show/river": (f"show {RIVER} --node c --out TMP/g.svg", f"show {RIVER} --node c --map equity"),
    "show/push_fold": ("show 'push_fold(stack=10)'",),
    "show/boards": (
        f"{_ON_BOARDS} --out TMP/s.npz",
        f"show '{SMALL_LEDUC}' --strategy TMP/s.npz --node cc/ --board K",
        f"show '{SMALL_LEDUC}' --strategy TMP/s.npz --node cc/ --board K --map ev",
    ),
    "show/turn": (
        f"solve {TURN} {BOARDS} --iterations 1 --out TMP/s.npz",
        f"show {TURN} --strategy TMP/s.npz --node c",
    ),
}
_EXPORTED: Mapping[str, tuple[str, ...]] = {
    "export/kuhn": (
        *(f"export kuhn_poker --out TMP/k.{kind}" for kind in ("mps", "lp", "npz", "dot", "efg")),
        "export kuhn_poker --format lp --player 1",
    ),
    "export/leduc": tuple(f"export {LEDUC} --out TMP/l.{kind}" for kind in ("mps", "lp", "npz", "efg")),
    "export/river": (f"export {RIVER} --out TMP/r.mps", f"export {RIVER} --out TMP/r.npz"),
    "draw/kuhn": ("draw kuhn_poker", "draw kuhn_poker --out TMP/k.svg"),
    "draw/coin_toss": (
        "draw coin_toss --at :Play --defender 1",
        "draw coin_toss --at :Play --defender 1 --gadget resolve --blueprint uniform",
        "draw coin_toss --at :Play --defender 1 --gadget maxmargin --out TMP/c.png",
    ),
    "draw/liars_dice": ("draw 'liars_dice(faces=2)' --depth 4",),
    "plot": (f"{_MINIMISE} --trace TMP/t.csv", "plot TMP/t.csv --out TMP/t.png"),
    "match": (
        "match uniform always-call kuhn_poker --hands 200 --duplicate --seed 3 --json",
        "match uniform always-call kuhn_poker --hands 200 --seed 3 --out TMP/hands --json",
    ),
    "improve": (
        f"solve '{MENUS}' --out TMP/s.csv",
        f"match uniform always-call '{MENUS} + r200' --hands 40 --out TMP/day",
        f"improve 'TMP/s.csv(game=\"{MENUS}\")' --from TMP/day --width 0.01 --json --out TMP/n.npz",
    ),
    "acpc": (
        "acpc dealer coin_toss --hands 2",
        "acpc dealer kuhn_poker --hands 2 --ports 0",
        "acpc agent nobody kuhn_poker --port 1",
    ),
    "play": ("play kuhn_poker --against uniform --hands 3 --seed 3",),
    "serve": ("serve kuhn_poker --port 70000", "serve kuhn_poker=gone.csv", "serve example:turn"),
    "race": ("race kuhn_poker leduc_poker --methods cfr,dcfr+,hs-dcfr --iterations 20 --json",),
}
_BAD: Mapping[str, str] = {
    "no-command": "nothing",
    "unknown-game": "solve nope",
    "unknown-key": "solve 'kuhn_poker(cards=3)'",
    "key-out-of-range": "solve 'kuhn_poker(ranks=1)'",
    "no-file": "solve TMP/gone.toml",
    "bad-spot": "solve TMP/bad.toml",
    "unknown-method-of-list": "methods nope",
    "unknown-setting": "solve kuhn_poker --method cfr --set nope=1",
    "setting-without-a-value": "solve kuhn_poker --method cfr --set order",
    "setting-twice": "solve kuhn_poker --method cfr --set order=alternating --set order=alternating",
    "unknown-method": "solve kuhn_poker --method nope",
    "unknown-solver": "solve kuhn_poker --method lp --solver nope",
    "no-iterations": "solve kuhn_poker --method cfr+ --iterations 0",
    "no-integer": "solve kuhn_poker --method cfr+ --iterations x",
    "seed-of-cfr": "solve kuhn_poker --method cfr+ --seed 1",
    "iterations-of-lp": "solve kuhn_poker --method lp --iterations 5",
    "target": "solve kuhn_poker --method cfr+ --target -1",
    "out": "solve kuhn_poker --method lp --out TMP/s.txt",
    "too-large-for-any": "solve limit_holdem",
    "too-large": "solve limit_holdem --method lp",
    "boards-not-poker": f"solve goofspiel {BOARDS}",
    "boards-too-large": f"solve limit_holdem {BOARDS}",
    "form-of-method": f"solve {LEDUC} --method hedge --form boards",
    "table-without-iterations": f"solve {LEDUC} {TABLE}",
    "target-of-table": f"solve {LEDUC} {TABLE} --iterations 5 --target 0.1",
    "threads-of-tree": f"solve {LEDUC} --method cfr+ --form tree --iterations 5 --threads 2",
    "streams-of-boards": f"solve {LEDUC} {BOARDS} --iterations 5 --set streams=2",
    "nested-abstraction": f"answer '{FULL_MENU}' --abstraction {LEDUC} --defender 0",
    "depth-limited-state": f"depth-limited {LEDUC} --defender 0 --at nope",
    "boards-storage": f"solve {LEDUC} {BOARDS} --set storage=int8",
    "sample-not-poker": f"solve coin_toss {TABLE} --iterations 5 --set max_infosets=5",
    "check-probability": "check kuhn_poker TMP/bad.csv",
    "check-missing": "check kuhn_poker TMP/part.csv",
    "gadget-method": "gadget kuhn_poker --defender 0 --at all --method nope --blueprint nash",
    "gadget-state": "gadget kuhn_poker --defender 0 --at nope --method resolve --blueprint nash",
    "show-node": f"show {RIVER} --node nope",
    "size-not-poker": "games coin_toss",
    "export-format": "export kuhn_poker --out TMP/k.txt",
    "theory-method": "theory kuhn_poker --method lp --iterations 5",
}
