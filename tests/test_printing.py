"""Results print themselves: text as the command prints it, a line for ``repr``, HTML for notebooks."""

import copy
import pickle
import re
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from types import MappingProxyType

import pytest

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.commands import printed
from treeplex.bench.verify.registry import THEOREMS
from treeplex.cli.printing import show
from treeplex.core.problem import Problem
from treeplex.games.base.display import Shown
from treeplex.games.formats.specs import load_game
from treeplex.seqform.programs.lp_solution import solve_lp

CRAMPED = "no_limit_leduc(ranks=2,suits=2,bets=[1/2,3/4,1])"
ODD = "matrix_game(payoff=[[3,-1],[-2,4/7]])"
SMALL = 'small_holdem(board="As Kh Qs Js",ranks=4,suits=3,stack=30,bets=[1],raises=[1],max_raises=2)'
FAULT = "treeplex.examples.faults:PrintedCoinToss"
ARRAY = re.compile(r"array\(|dtype=|\[ *-?\d+\. |0x[0-9a-f]{6}")
"""Signs that an array, or an object without a text of its own, is printed."""


def right(game, iterations):
    return tp.solve(game, "cfr+", iterations=iterations).profile


@cache
def solved(method="lp", game="kuhn_poker", **options):
    return tp.solve(game, method, **options)


def resolved():
    return tp.resolve("leduc_poker", 1, "K:cc/", "maxmargin", blueprint="uniform")


RESULTS = {
    "result": solved,
    "exact result": lambda: solved(exact=True),
    "result on boards": lambda: solved("cfr+", "leduc_poker", iterations=3, form="boards"),
    "sampled result": lambda: solved("mccfr-external", "leduc_poker", iterations=3, form="table"),
    "check": lambda: tp.check("kuhn_poker", solved().profile),
    "size of a program": lambda: solved().fact(tp.LPSize),
    "certificate": lambda: solved().certificate,
    "exact certificate": lambda: solved(exact=True).certificate,
    "factored certificate": lambda: solved("cfr+", "leduc_poker", iterations=3, form="boards").certificate,
    "trace point": lambda: solved("cfr", iterations=4).trace[-1],
    "profile": lambda: solved().profile,
    "large profile": lambda: solved("cfr", "leduc_poker", iterations=1).profile,
    "factored strategy": lambda: solved("cfr+", "small_holdem", iterations=3, form="boards").strategy,
    "factored strategy, suits hidden": lambda: (
        solved("cfr+", "leduc_poker", iterations=3, form="boards").strategy
    ),
    "sampled strategy": lambda: solved("mccfr-external", "leduc_poker", iterations=3, form="table").strategy,
    "problem": lambda: tp.load("kuhn_poker"),
    "spot": lambda: tp.load("example:river"),
    "catalogue entry": lambda: made("catalogue")[0],
    "catalogue": tp.catalogue,
    "normal form": lambda: tp.normal_form("kuhn_poker"),
    "small normal form": lambda: tp.normal_form("coin_toss"),
    "sizes": lambda: tp.size("leduc_poker"),
    "crosscheck": lambda: tp.crosscheck(ODD),
    "losses": lambda: tp.losses("kuhn_poker", solved("cfr", iterations=4).profile),
    "loss": lambda: made("losses")[0],
    "theory": lambda: tp.theory("kuhn_poker", "cfr+", 10),
    "sampled theory": lambda: tp.theory("kuhn_poker", "mccfr-outcome", 10),
    "regret log": lambda: made("theory").log,
    "sampled regret log": lambda: made("sampled theory").log,
    "bound": lambda: made("theory").bounds[0],
    "resolution": resolved,
    "top": lambda: made("resolution").tops[0],
    "resolution on boards": lambda: tp.resolve(
        "small_holdem", 1, "c", "maxmargin", blueprint="uniform", form="boards"
    ),
    "nested": lambda: tp.nested(CRAMPED, "1/2,1", 1),
    "translation": lambda: tp.translate(CRAMPED, "1/2,1", 1),
    "answer": lambda: tp.answer(SMALL, "dcfr:50", "AsKhQsJs:cr1.25", "resolve", iterations=50),
    "depth-limited": lambda: tp.depth_limited("leduc_poker", 0),
    "theorem": lambda: THEOREMS[0],
    "twin": lambda: next(theorem.twin for theorem in THEOREMS if theorem.twin),
    "verification": lambda: tp.verify(["perfect-recall"], quick=True, workers=1),
    "report of a theorem": lambda: made("verification").checks[0],
    "challenge": lambda: tp.challenge(FAULT, "strategy"),
    "counterexample": lambda: made("challenge").counterexample,
    "examination": lambda: tp.examine(right, games=["kuhn_poker"]),
    "report of a game": lambda: made("examination").rungs[0],
    "rungs": tp.rungs,
    "rung": lambda: tp.rungs()[0],
    "reproduced": lambda: tp.reproduce("coin-toss", rows=["5: heads 3/4"]),
    "table of a paper": lambda: made("reproduced").tables[0],
    "reference pack": lambda: tp.reference("kuhn_poker"),
    "reference": lambda: made("reference pack").entries[0],
    "sequence form": lambda: tp.load("kuhn_poker").form,
    "treeplex": lambda: tp.load("kuhn_poker").form.treeplexes[0],
    "payoff": lambda: tp.load("kuhn_poker").form.payoff,
    "small form": lambda: tp.load("kuhn_poker").small,
    "histories": lambda: tp.load("kuhn_poker").enumerated,
    "public tree": lambda: tp.load("kuhn_poker").tree,
    "betting": lambda: tp.load("kuhn_poker").betting,
    "boards": lambda: tp.load("leduc_poker").boards().boards,
    "two factors": lambda: tp.load("leduc_poker").boards(),
    "solution of a program": lambda: solve_lp(tp.load("kuhn_poker").form),
    "program": lambda: solve_lp(tp.load("kuhn_poker").form).program,
}


@cache
def made(name):
    return RESULTS[name]()


class Page(HTMLParser):
    """Tags must be closed in order; the texts of cells are kept."""

    VOID = ("br", "img")

    def __init__(self):
        super().__init__()
        self.open, self.texts, self.tags = [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def page_of(result):
    page = Page()
    page.feed(result._repr_html_())
    page.close()
    assert page.open == []
    return page


@pytest.mark.seconds(4)
@over(RESULTS)
def test_a_result_prints_as_the_command_line_prints_it(name, capsys):
    result = made(name)
    assert isinstance(result, Shown)
    show(result)
    assert capsys.readouterr().out == f"{result}\n"
    assert str(result).strip()
    assert not ARRAY.search(str(result))


@pytest.mark.seconds(2)
@over(RESULTS)
def test_the_representation_is_a_short_line(name):
    text = repr(made(name))
    assert text.startswith(f"{type(made(name)).__name__}(")
    assert "\n" not in text
    assert len(text) < 120
    assert not ARRAY.search(text)


@over(RESULTS)
def test_html_says_what_the_text_says(name, monkeypatch):
    monkeypatch.setenv("COLUMNS", "1000")  # nothing wraps
    page = page_of(made(name))
    if "img" not in page.tags:
        assert sorted(" ".join(page.texts).split()) == sorted(str(made(name)).split())


@over(["result", "crosscheck", "resolution", "losses", "theory", "catalogue"])
def test_tables_are_tables(name):
    assert {"table", "tr", "td", "th"} <= set(page_of(made(name)).tags)


class Stray:
    """A fact with a key that results do not have."""

    def rows(self, units):
        yield "stray", f"1 {units.unit}"

    def as_json(self):
        return {"stray": 1}


def test_facts_are_told_by_kind_in_tables_and_by_known_keys():
    plain = solved()
    stray = replace(plain, facts=(*plain.facts, Stray()))
    assert isinstance(stray.fact(Stray), Stray)
    assert stray.fact(tp.LPSize) is plain.fact(tp.LPSize)
    assert stray.fact(tp.SplitFacts) is None
    assert str(stray) == f"{plain}\n  stray             1 chips"
    with pytest.raises(KeyError, match="keys that no result prints: stray"):
        stray.as_json()


def test_html_is_escaped():
    result = replace(solved(), game="<b>&'\"", note="<script>")
    assert "<b>" not in result._repr_html_()
    assert "<script>" not in result._repr_html_()
    assert "<b>&'\"" in page_of(result).texts


@over(
    [
        ("result", ("solve", "kuhn_poker", "--method", "lp")),
        ("exact result", ("solve", "kuhn_poker", "--method", "lp", "--exact")),
        ("sizes", ("games", "leduc_poker")),
        (
            "resolution",
            (
                *["gadget", "leduc_poker", "--defender", "1", "--at", "K:cc/", "--method", "maxmargin"],
                "--blueprint",
                "uniform",
            ),
        ),
        ("theory", ("theory", "kuhn_poker", "--method", "cfr+", "--iterations", "10")),
        ("catalogue", ("games",)),
    ],
)
def test_commands_print_results(name, command, capsys):
    assert untimed(printed(capsys, *command)) == untimed(f"{made(name)}\n")


def untimed(text):
    return re.sub(r"(seconds +)[\d.]+", r"\1", text)


def test_a_target_is_shown_where_it_was_asked_for_or_missed():
    assert "target" not in str(solved())
    assert "  target            0.01: met" in str(solved(target=0.01))
    missed = replace(solved("cfr", iterations=4), target=1e-9)
    assert "  target            1e-09: missed" in str(missed)


def test_a_large_profile_shows_its_first_infosets():
    lines = str(made("large profile")).splitlines()
    assert len(lines) == 2 + 2 * 12 + 1
    assert lines[0] == "profile of 144 and 144 infosets"
    assert lines[-1] == "the first 12 of each player; rows() has all"


def test_a_problem_builds_nothing_to_be_printed():
    problem = Problem(load_game("kuhn_poker"))
    before = str(problem)
    assert "infosets" not in before
    assert vars(problem).keys() == vars(Problem(load_game("kuhn_poker"))).keys()
    assert problem.form
    assert "  infosets     6 and 6\n  sequences    13 and 13" in str(problem)


@over(["losses", "catalogue", "rungs"])
def test_listings_are_tuples(name):
    listing = made(name)
    assert isinstance(listing, tuple)
    assert listing == tuple(listing)
    assert copy.copy(listing) == listing
    assert str(copy.copy(listing)) == str(listing)


def test_losses_keep_their_unit_in_files():
    again = pickle.loads(pickle.dumps(made("losses")))
    assert (again, again.unit, type(again)) == (made("losses"), "chips", type(made("losses")))


def test_one_loss_is_one():
    assert str(type(made("losses"))(made("losses")[:1], "chips")).startswith("1 infoset loses in chips")


@over([lambda: tp.draw("coin_toss"), lambda: tp.show("leduc_poker")])
def test_a_picture_prints_what_the_command_line_prints_without_colours(picture, capsys):
    drawn = picture()
    show(drawn)
    printed_lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert [line.rstrip() for line in str(drawn).splitlines()] == printed_lines
    assert len(printed_lines) > 5
    assert len(repr(drawn)) < 120


@pytest.mark.seconds(2)
@over(
    [
        lambda: tp.solve("kuhn_poker"),
        lambda: tp.check("coin_toss", tp.solve("coin_toss").profile),
        lambda: tp.resolve("kuhn_poker", 1, "all", "resolve", blueprint="uniform"),
        lambda: tp.crosscheck("coin_toss"),
        lambda: tp.race(["kuhn_poker"], ["cfr+"], iterations=4),
    ]
)
def test_results_are_pickled_and_copied(make):
    """Processes hand them over; mappings in them can still not be written to."""
    result = make()
    for again in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
        assert str(again) == str(result)
        for name, value in vars(result).items():
            if isinstance(value, MappingProxyType):
                assert type(getattr(again, name)) is MappingProxyType
                assert getattr(again, name) == value


@over(["certificate", "size of a program", "loss", "sizes", "bound", "top", "rung"])
def test_results_are_the_values_that_they_were(name):
    result = made(name)
    assert pickle.loads(pickle.dumps(result)) == result
    assert replace(result) == result
    assert replace(result) is not result
    if name != "loss":  # which holds a dictionary
        assert hash(replace(result)) == hash(result)
