"""The run of the theorems: what holds is verified, what does not is named, with its worst cases."""

import json
import math
import signal
import sys
import time
from dataclasses import replace
from fractions import Fraction

import pytest

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.commands import printed
from tests.helpers.processes import children_of, ended, listening, seconds_to_stop
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.bench.verify import chunks, registry
from treeplex.bench.verify import verify as verifying
from treeplex.cli.app import FAILED
from treeplex.cli.main import BAD_INPUT, run

NUMBERS = ["instances", "checks", "zeros", "min_slack", "tight", "violations", "false_twin_violations"]
JSON_KEYS = ["name", "source", *NUMBERS, "seconds"]


def squares(effort):
    """Yield an instance for each of some numbers, from 0 on."""
    for seed in effort.seeds(quick=10, full=40):
        yield Instance("no game", seed - 1)


def doubled_is_less(instance):
    n = instance.seed
    yield Comparison(2 * n, n * n + 1, 10.0, at="n")


def doubled_is_much_less(instance):
    n = instance.seed
    yield Comparison(2 * n, n * n, 10.0)


HOLDS = Theorem(
    name="doubled",
    plain="Twice a number is at most its square and one.",
    tex="2n \\le n^2 + 1",
    source="arithmetic",
    relation="<=",
    instances=squares,
    measure=doubled_is_less,
    tolerance=0.0,
    equality="Where the number is one.",
    twin=Twin("Twice a number is at most its square.", doubled_is_much_less),
)


def only(theorem, **options):
    """Return the report of one theorem."""
    found = tp.verify([theorem], **options)
    (report,) = found.checks
    assert found.ok == report.ok
    return report


def raising(instance):
    yield from doubled_is_less(instance)
    if instance.seed == 3:
        raise KeyError("no such card")


def unlike(instance):
    yield Comparison(math.nan if instance.seed == 4 else 0.0, 1.0)


def test_a_theorem_holds_and_its_twin_fails():
    report = only(HOLDS, quick=True)
    assert report.ok
    assert [getattr(report, name) for name in NUMBERS] == [10, 10, 0, 0.0, 1, 0, 1]
    assert [point.instance.seed for point in report.worst] == [1, 0, 2, 3, 4]
    assert report.tightest == report.worst[0]
    assert report.tightest.comparison == Comparison(2, 2, 10.0, "n")


def test_counts_are_those_of_the_effort():
    assert only(HOLDS).instances == 40
    assert only(HOLDS, instances=7).instances == 7
    later = only(HOLDS, quick=True, seed=3)
    assert {point.instance.seed for point in later.worst} == {2, 3, 4, 5, 6}
    assert later.faults == ("its equality was never seen", "its false twin never failed")


def sometimes_zero(instance):
    if instance.seed % 2:
        yield Comparison(0, 0.0)
        yield Comparison(instance.seed, instance.seed + 1)


def test_instances_that_compare_nothing_and_comparisons_of_zeros_are_told():
    report = only(replace(HOLDS, measure=sometimes_zero, twin=None))
    assert (report.instances, report.checks, report.zeros) == (20, 40, 20)


def test_what_is_false_is_violated_and_named():
    false = replace(HOLDS, measure=doubled_is_much_less, equality="", twin=None)
    report = only(false)
    assert report.faults == ("violations: 1",)
    assert (report.violations, report.false_twin_violations, report.min_slack) == (1, None, -0.1)
    assert report.worst[0].instance == Instance("no game", 1)


def test_equality_allows_no_difference_on_either_side():
    def halves(instance):
        yield Comparison(Fraction(instance.seed, 3), Fraction(instance.seed, 3) + Fraction(sign, 10**40))

    for sign in (0, 1, -1):
        equal = replace(HOLDS, relation="==", measure=halves, equality="", twin=None)
        assert only(equal).ok == (sign == 0)


def test_what_is_within_the_tolerance_holds():
    near = replace(HOLDS, measure=doubled_is_much_less, tolerance=0.1, equality="", twin=None)
    report = only(near)
    assert (report.ok, report.min_slack, report.tight) == (True, -0.1, 3)


def test_an_error_is_a_violation_with_its_message():
    report = only(replace(HOLDS, measure=raising))
    assert report.faults == ("violations: 1 (KeyError: 'no such card': no game, seed 3)",)
    assert (report.instances, report.checks, report.violations) == (40, 40, 1)
    assert report.as_json()["min_slack"] is None
    assert report.as_json()["worst"][0] == {
        "game": "no game",
        "seed": 3,
        "seat": None,
        "choice": "",
        "at": "",
        "left": None,
        "right": None,
        "slack": None,
        "error": "KeyError: 'no such card'",
    }


def test_instances_that_cannot_be_made_are_a_violation():
    def none(effort):
        yield Instance()
        raise ValueError("no deck")

    assert only(replace(HOLDS, instances=none)).faults[0] == "violations: 1 (ValueError: no deck: )"


def test_what_is_no_number_is_a_violation():
    report = only(replace(HOLDS, measure=unlike, equality="", twin=None))
    assert (report.violations, report.min_slack) == (1, -math.inf)
    assert report.worst[0].instance.seed == 4


def test_a_twin_must_fail_and_an_error_is_no_failure():
    assert only(replace(HOLDS, twin=Twin("The same.", doubled_is_less))).faults == (
        "its false twin never failed",
    )
    (fault,) = only(replace(HOLDS, twin=Twin("An error.", raising))).faults
    assert fault == "its false twin raised an error (KeyError: 'no such card': no game, seed 3)"


def test_nothing_compared_is_not_verified():
    for empty in (replace(HOLDS, measure=lambda instance: ()), replace(HOLDS, instances=lambda effort: ())):
        assert only(replace(empty, twin=None)).faults == ("nothing was compared",)


def test_a_twin_has_instances_of_its_own():
    late = Twin("The same.", doubled_is_much_less, lambda effort: [Instance(seed=1)])
    assert only(replace(HOLDS, twin=late), seed=1).false_twin_violations == 1


def test_a_request_to_stop_is_no_violation():
    def stopped(instance):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        only(replace(HOLDS, measure=stopped))


def test_the_first_violation_stops_the_run():
    seen = []

    def slow(instance):
        seen.append(instance)
        yield Comparison(0, 1)

    false = replace(HOLDS, name="false", measure=doubled_is_much_less)
    slow_one = replace(HOLDS, name="slow", measure=slow, twin=None)
    found = tp.verify([slow_one, false], fail_fast=True)
    assert [report.name for report in found.checks] == ["false"]
    assert found.checks[0].faults == ("violations: 1",)
    assert len(seen) < 40
    assert [report.name for report in tp.verify([slow_one, false]).checks] == ["slow", "false"]


@pytest.mark.seconds(3)
def test_numbers_do_not_depend_on_the_processes():
    found = [tp.verify(registry.THEOREMS[:2], quick=True, instances=2, workers=workers) for workers in (1, 2)]
    here, aside = [[replace(report, seconds=0.0) for report in run.checks] for run in found]
    assert here == aside


def test_a_process_that_ends_is_a_violation_of_what_it_measured(monkeypatch):
    lost = lambda chunk, code: chunks.Ended(code)  # noqa: E731
    monkeypatch.setattr(chunks, "answers_of", lambda work, tasks, n, look: answered(tasks, lost))
    report = tp.verify(registry.THEOREMS[:1], workers=2).checks[0]
    assert report.violations == report.instances > 0
    assert "ended with code -11" in report.faults[0]


def answered(tasks, answer):
    for k, task in enumerate(tasks):
        yield k, answer(task, -11)


@over(
    [
        ({"names": ["doubled"]}, "a theorem must be one of the"),
        ({"names": []}, "theorems must be at least one"),
        ({"seed": 0}, "seed"),
        ({"instances": -1}, "instances"),
        ({"workers": 0}, "workers"),
    ]
)
def test_what_cannot_be_run_is_refused(options, said):
    with pytest.raises(ValueError, match=said):
        tp.verify(**options)


# the command


@pytest.fixture
def one(monkeypatch):
    """The made-up theorem as the only one of the registry."""
    monkeypatch.setattr(verifying, "THEOREMS", (HOLDS,))
    return HOLDS


def test_the_command_prints_the_contract(one, capsys):
    found = json.loads(printed(capsys, "verify", "--quick", "--json"))
    assert list(found) == ["ok", "seconds", "checks"]
    assert found["ok"] is True
    (check,) = found["checks"]
    assert list(check)[: len(JSON_KEYS)] == JSON_KEYS
    assert [check[name] for name in NUMBERS] == [10, 10, 0, 0.0, 1, 0, 1]


def test_the_command_prints_a_table(one, capsys):
    out = printed(capsys, "verify", "--instances", 20)
    assert "doubled" in out
    assert out.splitlines()[-1] == "verified"


def test_the_command_fails_and_shows_the_worst(monkeypatch, capsys):
    false = replace(HOLDS, measure=doubled_is_much_less)
    monkeypatch.setattr(verifying, "THEOREMS", (false,))
    out = printed(capsys, "verify", code=FAILED)
    assert "no game, seed 1: 2 against 1, slack -0.1" in out
    assert out.splitlines()[-1] == "NOT VERIFIED: doubled"


def test_a_list_names_the_theorems(capsys):
    found = json.loads(printed(capsys, "verify", "--list", "--json"))
    assert [row["name"] for row in found["theorems"]] == [t.name for t in registry.THEOREMS]
    out = printed(capsys, "verify", "weak-duality", "--list")
    assert "Koller" in out


def test_an_unknown_name_is_one_line_with_what_is_near(complaint):
    assert "got 'weak-dualty'; near are weak-duality" in complaint("verify", "weak-dualty")
    assert run(["verify", "--seed", "0"]) == BAD_INPUT


def test_progress_names_the_theorem_and_the_rest(monkeypatch):
    monkeypatch.setattr(verifying, "ESTIMATED_AFTER", 0.0)
    said = []
    tp.verify([HOLDS], progress=lambda text, width: said.append(text))
    assert said[0] == "verifying: 0 of 40 parts done"
    assert said[-1] == "verifying doubled: 39 of 40 parts done, about 1 s left"


@pytest.mark.seconds(3)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="signals, and /proc")
def test_a_signal_ends_the_run_and_its_children(number):
    with listening("verify", "--workers", "2") as process:
        while len(there := children_of(process.pid)) < 2:
            time.sleep(0.05)
        _, out, err = seconds_to_stop(process, number)
        assert ended(there)
    assert (process.returncode, out) == (128 + number, "")
    assert err.splitlines()[-1] == "treeplex: interrupted"
