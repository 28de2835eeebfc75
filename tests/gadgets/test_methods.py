"""Methods on Coin Toss and Leduc as published, distributions of alternative values, gadgets of users."""

from dataclasses import replace
from math import erf

import numpy as np
import pytest

from tests.helpers.cells import over
from tests.helpers.forms import numbered
from tests.helpers.profiles import mixed_profile, uniform_profile
from tests.helpers.two_tiers import two_tiers
from treeplex.gadgets.alternatives import AlternativeValues, EstimatedAlternatives
from treeplex.gadgets.distributional import (
    DeviationAtoms,
    Distributional,
    Normal,
    SameDeviation,
    standard_normal,
)
from treeplex.gadgets.gadget import KeyedGadget, RootGadget, UndefinedError, enter
from treeplex.gadgets.joint_optimum import joint_game, joint_optimum
from treeplex.gadgets.methods_by_name import METHODS, GadgetOptions, solver_of
from treeplex.gadgets.own_gadgets import load_gadget
from treeplex.gadgets.published_gadgets import Maxmargin, Resolve
from treeplex.gadgets.subgame_solvers import EquilibriumOf, Lexicographic
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.programs.highs import run_highs
from treeplex.seqform.programs.lp_solution import solve_lp
from treeplex.seqform.programs.sequence_program import LinearProgram, sequence_program
from treeplex.seqform.subgames.cut import cut
from treeplex.seqform.subgames.forest import choices
from treeplex.seqform.subgames.public_states import PublicStates
from treeplex.seqform.subgames.subgame import Subgame
from treeplex.seqform.subgames.tops import Entry, RootDecisions
from treeplex.subgames.resolve import resolve


def subgames_of(enumerated, defender, blueprint):
    states = PublicStates.of(enumerated.tree)
    names = states.first_subgames(defender)
    return [Subgame.of(cut(states, enumerated, [name], defender), blueprint) for name in names]


def coin_toss_blueprint(enumerated, heads, tails, forfeit=None, play=(0.5, 0.5)):
    """Player 1's blueprint of the paper, and player 0's chances to play after heads and after tails."""
    guess = (heads, tails) if forfeit is None else (heads, tails, forfeit)
    n_guesses = enumerated.form.treeplexes[1].n_infosets
    x = np.array([1, 1 - play[0], play[0], 1 - play[1], play[1]])
    return Profile(enumerated.form.treeplexes, (x, np.array([1, *guess * n_guesses])))


def opponents_value(certificate, defender):
    return float(certificate.value) * (1 if defender == 1 else -1)


def agree(gadget, subgame):
    """The gadget game's value, by its own certificate, and the direct program's are one number."""
    try:
        game = gadget.apply(subgame)
    except UndefinedError:
        return False
    solution = solve_lp(game)
    assert solution.certificate.nash_conv <= 1e-9
    direct = gadget.program(subgame).solve()
    value = opponents_value(solution.certificate, subgame.cut.defender)
    assert direct.value == pytest.approx(value, abs=1e-9)
    return True


@over([0, 1])
def test_joint_game_equals_the_whole_program_with_fixed_columns(defender):
    """The joint optimum once more: the whole game's program, columns outside held at the blueprint's plan."""
    enumerated = numbered("leduc_poker")
    blueprint = mixed_profile(enumerated.form, 3)
    subgames = subgames_of(enumerated, defender, blueprint)
    value = solve_lp(joint_game(subgames)).certificate.value
    written = sequence_program(enumerated.form, defender)
    free = np.any([s.cut.inside for s in subgames], axis=0)
    plan = blueprint.plans[defender] * written.scale.sequence[defender]
    old = written.program
    lower, upper = old.col_lower.copy(), old.col_upper.copy()
    held = np.flatnonzero(~free)
    lower[held], upper[held] = plan[held] - 1e-12, plan[held] + 1e-12
    run = run_highs(
        LinearProgram(old.cost, old.matrix, old.row_lower, old.row_upper, lower, upper),
        "simplex",
        tolerance=1e-9,
    )
    assert written.value(run.objective) == pytest.approx(value, abs=1e-8)


# Coin Toss (Brown and Sandholm 2017): player 1's guess by each method, and what a best response wins.


@over(
    [
        ("unsafe", (1, 0, 0), None, (0, 0), 3 / 4),
        ("maxmargin", (5 / 8, 3 / 8, 0), (1 / 4, 1 / 4), (0, 0), 3 / 8),
        ("lexicographic", (5 / 8, 3 / 8, 0), (1 / 4, 1 / 4), (0, 0), 3 / 8),
        ("reach-maxmargin", (1 / 2, 1 / 2, 0), (1 / 2, 1 / 2), (1 / 2, 0), 1 / 4),
        ("estimated-maxmargin", (1 / 4, 3 / 4, 0), (0, 0), (0, 0), 0),
        ("joint", (1 / 4, 3 / 4, 0), None, (0, 0), 0),
    ]
)
def test_coin_toss_methods(method, guess, margins, gifts, after):
    """Blueprint 1/2, 1/4, 1/4 with player 0 playing 3/4 of heads and 1/2 of tails (Figure 2)."""
    enumerated = numbered("coin_toss")
    blueprint = coin_toss_blueprint(enumerated, 1 / 2, 1 / 4, 1 / 4, play=(3 / 4, 1 / 2))
    found = resolve("coin_toss", 1, ":Play", method, blueprint=blueprint)
    assert found.exploitability_before == pytest.approx(1 / 2, abs=1e-12)
    assert found.exploitability_after == pytest.approx(after, abs=1e-9)
    assert found.exploitability_joint == pytest.approx(0, abs=1e-9)
    assert found.profile.behaviour[1][1:] == pytest.approx(guess, abs=1e-9)
    assert [top.top for top in found.tops] == ["Heads:Play", "Tails:Play"]
    assert [top.cbv for top in found.tops] == pytest.approx([0, 1 / 2], abs=1e-12)
    assert [top.gift for top in found.tops] == pytest.approx(gifts, abs=1e-12)
    if margins is not None:
        assert [top.margin for top in found.tops] == pytest.approx(margins, abs=1e-9)


def test_coin_toss_resolve_is_safe_and_its_value_is_the_sum_of_alternatives():
    enumerated = numbered("coin_toss")
    blueprint = coin_toss_blueprint(enumerated, 1 / 2, 1 / 4, 1 / 4, play=(3 / 4, 1 / 2))
    (subgame,) = subgames_of(enumerated, 1, blueprint)
    assert solve_lp(Resolve().apply(subgame)).certificate.value == pytest.approx(1 / 4, abs=1e-12)
    assert solve_lp(Maxmargin().apply(subgame)).certificate.value == pytest.approx(-1 / 4, abs=1e-12)
    found = resolve("coin_toss", 1, ":Play", "resolve", blueprint=blueprint)
    assert found.exploitability_after <= 1 / 2 + 1e-12
    assert found.min_margin >= -1e-12


def test_estimated_maxmargin_with_the_equilibrium_values():
    enumerated = numbered("coin_toss")
    blueprint = coin_toss_blueprint(enumerated, 1 / 2, 1 / 4, 1 / 4)
    (subgame,) = subgames_of(enumerated, 1, blueprint)
    estimates = {(":Play", "Heads:Play"): 0.5, (":Play", "Tails:Play"): -0.5}
    solution = EquilibriumOf(Maxmargin(EstimatedAlternatives(estimates))).solve(subgame)
    assert solution.behaviour[1:] == pytest.approx([1 / 4, 3 / 4, 0], abs=1e-9)
    with pytest.raises(ValueError, match="no estimate for the top 'Tails:Play' of ':Play'"):
        EquilibriumOf(Resolve(EstimatedAlternatives({(":Play", "Heads:Play"): 0.5}))).solve(subgame)
    estimates[":Play", "Heads:Play"] = float("nan")
    for solver in (
        EquilibriumOf(Maxmargin(EstimatedAlternatives(estimates))),
        Lexicographic(EstimatedAlternatives(estimates)),
    ):
        with pytest.raises(ValueError, match="estimates must be finite, got nan at 'Heads:Play' of ':Play'"):
            solver.solve(subgame)


# Leduc: 15 boards, both seats.


@two_tiers([(0, 2.574116, 0.874033, 0.899977)], [(1, 2.173106, 0.802935, 0.802935)], seconds=(3, 3))
def test_leduc_from_uniform(defender, before, joint, unsafe):
    """What does not depend on which optimum a solver ends with; of the others, that they are safe."""
    found = {
        m: resolve("leduc_poker", defender, "all", m, blueprint="uniform")
        for m in (
            "unsafe",
            "resolve",
            "maxmargin",
            "lexicographic",
            "estimated-maxmargin",
            "estimated-resolve",
        )
    }
    for one in found.values():
        assert one.exploitability_before == pytest.approx(before, abs=1e-6)
        assert one.exploitability_joint == pytest.approx(joint, abs=1e-6)
        assert len(one.subgames) == 15
        assert len(one.tops) == 45
    assert found["unsafe"].exploitability_after == pytest.approx(unsafe, abs=1e-6)
    for estimated in ("estimated-maxmargin", "estimated-resolve"):
        assert found[estimated].exploitability_after == pytest.approx(
            found[estimated].exploitability_joint, abs=1e-9
        )
    for safe in ("resolve", "maxmargin", "lexicographic"):
        assert found[safe].exploitability_after <= before + 1e-9
        assert found[safe].min_margin >= -1e-9
    assert found["lexicographic"].min_margin == pytest.approx(found["maxmargin"].min_margin, abs=1e-9)


@over(METHODS)
def test_every_named_method_runs_on_kuhn(method):
    found = resolve("kuhn_poker", 1, "all", method, blueprint="cfr+:5")
    assert found.subgames == (":c", ":r")
    enumerated = numbered("kuhn_poker")
    subgames = subgames_of(enumerated, 1, uniform_profile(enumerated.form))
    assert solver_of(method, subgames, joint_optimum(subgames)).name == method
    assert found.exploitability_after >= found.exploitability_joint - 1e-9
    assert found.exploitability_joint <= found.exploitability_before + 1e-12
    if "estimated" not in method and method != "unsafe" and "distributional" not in method:
        assert found.exploitability_after <= found.exploitability_before + 1e-9


def test_the_root_is_a_subgame_and_estimated_solving_of_it_solves_the_game():
    found = resolve("kuhn_poker", 0, "", "maxmargin", blueprint="uniform")
    assert found.exploitability_after == pytest.approx(0, abs=1e-9)


# Distributional alternative values.


def test_distributional_coin_toss():
    """Equal deviations: at means (0, 1/2) values rise alike, 5/8 and 3/8; at (1/2, -1/2) they are met."""
    enumerated = numbered("coin_toss")
    (subgame,) = subgames_of(enumerated, 1, coin_toss_blueprint(enumerated, 1 / 2, 1 / 4, 1 / 4))
    for means, heads in (((0.0, 0.5), 5 / 8), ((0.5, -0.5), 1 / 4)):
        estimates = {(":Play", top): m for top, m in zip(("Heads:Play", "Tails:Play"), means, strict=True)}
        for deviation in (0.5, 2.0):
            distribution = Normal(EstimatedAlternatives(estimates), SameDeviation(deviation), 400)
            solution = EquilibriumOf(Distributional(distribution)).solve(subgame)
            assert solution.behaviour[1] == pytest.approx(heads, abs=0.02)


@over([1, 2, 3, 16, 101])
def test_atoms_of_a_normal(n_atoms):
    """The mean is kept, and E max(v, X) falls short by no more than the stated error, which is attained."""
    means, error = standard_normal(n_atoms)
    assert means.mean() == pytest.approx(0, abs=1e-12)
    v = np.concatenate((np.linspace(-4, 4, 2001), means))
    phi = np.exp(-v * v / 2) / np.sqrt(2 * np.pi)
    cdf = np.array([0.5 * (1 + erf(x / np.sqrt(2))) for x in v])
    short = v * cdf + phi - np.maximum(v[:, None], means).mean(axis=1)
    assert short.min() >= -1e-12
    assert short.max() == pytest.approx(error, abs=1e-9)


class Given:
    """Atoms of each top as (value, probability), in the order of tops."""

    prefix = ""

    def __init__(self, *rows):
        self.rows = np.array(rows)

    def atoms(self, subgame):
        return DeviationAtoms(self.rows[:, :, 0], self.rows[:, :, 1], np.zeros(len(self.rows)))

    def centre(self, subgame):
        return AlternativeValues(self.atoms(subgame).mean, np.zeros(len(self.rows)))


def test_discrete_atoms():
    enumerated = numbered("coin_toss")
    (subgame,) = subgames_of(enumerated, 1, coin_toss_blueprint(enumerated, 1 / 2, 1 / 4, 1 / 4))
    sure = Given([(0.0, 1.0)], [(0.5, 1.0)])
    assert agree(Distributional(sure), subgame)
    as_resolve = solve_lp(Distributional(sure).apply(subgame)).certificate.value
    assert as_resolve == pytest.approx(solve_lp(Resolve().apply(subgame)).certificate.value, abs=1e-12)
    spread = Given([(-1.0, 0.25), (0.5, 0.75)], [(0.0, 0.5), (1.0, 0.5)])
    assert agree(Distributional(spread), subgame)


# Gadgets that users write.


class Inherited(KeyedGadget):
    """The least that a user writes: Resolve's game under another name."""

    def apply(self, subgame):
        """Return Resolve's game."""
        return Resolve().apply(subgame)


def test_a_gadget_of_ones_own():
    found = resolve("leduc_poker", 1, "all", f"{__name__}:Inherited", blueprint="uniform")
    assert found.exploitability_after <= found.exploitability_before + 1e-9
    assert {top.alternative for top in found.tops} == {None}
    assert load_gadget(f"{__name__}:Inherited").name == "Inherited"


class NoForm(KeyedGadget):
    def apply(self, subgame):
        return "a game"


class OtherGame(KeyedGadget):
    def apply(self, subgame):
        return numbered("coin_toss").form


class WrongShape(Inherited):
    def invert(self, subgame, solution):
        return np.ones(3)


class NotNormalised(Inherited):
    def invert(self, subgame, solution):
        return 2 * super().invert(subgame, solution)


class Raises(Inherited):
    def apply(self, subgame):
        return {}["a key"]


class Exits(Inherited):
    def invert(self, subgame, solution):
        raise SystemExit(3)


class OffersFive(Inherited):
    def alternative_values(self, subgame):
        return 5


class OffersNothingFinite(Inherited):
    def alternative_values(self, subgame):
        return AlternativeValues(np.full(len(subgame.reach), np.nan), subgame.reach)


class PaysInfinity(KeyedGadget):
    def apply(self, subgame):
        header = choices(("enter",), ("stay",))
        return enter(subgame, "infinite", RootDecisions(header, (), (np.array([1]), np.array([np.inf]))))


class NoPayoff(Inherited):
    def apply(self, subgame):
        return replace(super().apply(subgame), payoff=None)


def decisions(tops, at=1, weight=1.0):
    header = choices(("enter",), ("stay", "enter"))
    entry = Entry(np.full(len(tops.reach), at), np.full(len(tops.reach), weight))
    return RootDecisions(header, (entry,), (header.begin, np.zeros(1)))


class Normalises(RootGadget):
    def root(self, tops):
        reach = tops.reach
        reach /= reach.sum()
        return decisions(tops)


class WritesValues(KeyedGadget):
    def apply(self, subgame):
        subgame.value[:] = 0.0


class LessThanNothing(RootGadget):
    def root(self, tops):
        return decisions(tops, weight=-1.0)


class NoSequence(RootGadget):
    def root(self, tops):
        return decisions(tops, at=1.5)


class NoDecisions(RootGadget):
    def root(self, tops):
        return ()


class Lists(RootGadget):
    def root(self, tops):
        entry = Entry([2] * len(tops.reach), [1] * len(tops.reach))
        return RootDecisions(choices(("enter",), ("stay", "enter")), [entry], ([1], [0]))


class Arrays(RootGadget):
    def root(self, tops):
        return decisions(tops, at=2)


def test_lists_are_taken_for_arrays():
    one, other = (resolve("kuhn_poker", 1, ":c", g, blueprint="uniform") for g in (Lists(), Arrays()))
    assert one.exploitability_after == other.exploitability_after
    assert [top.value for top in one.tops] == [top.value for top in other.tops]


def altered_root(**parts):
    """Return a gadget whose root decisions have other parts."""

    class Altered(RootGadget):
        def root(self, tops):
            return replace(decisions(tops), **{name: part(tops) for name, part in parts.items()})

    return Altered()


def entry_of(tops, at=1, weight=1.0):
    n = len(tops.reach)
    return (Entry(np.full(n, at), np.full(n, weight)),)


def header_written_to(tops):
    """Return a header that was a treeplex when it was made."""
    header = choices(("enter",), ("stay", "enter"))
    header.parent[:] = 50
    return header


@over(
    [
        (
            {"entries": lambda tops: entry_of(tops, weight=1e308)},
            "weight of an entry must be 3 numbers from 0",
        ),
        ({"entries": lambda tops: entry_of(tops, weight=1j)}, "weight of an entry must be 3 real numbers"),
        ({"entries": lambda tops: entry_of(tops, weight="a")}, "weight of an entry must be 3 real numbers"),
        ({"entries": lambda tops: ()}, "entries must be at least one, got none"),
        ({"header": lambda tops: "a header"}, "header must be a Treeplex, got str"),
        ({"header": header_written_to}, "parent sequence must come before"),
        ({"stay": lambda tops: ([1], [1e308])}, "payoffs of stay must be 1 numbers from -1e.307"),
        ({"stay": lambda tops: ([3], [0.0])}, "sequences of stay must be integers from 0 to 2"),
        ({"stay": lambda tops: ([1], [0.0, 0.0])}, "payoffs of stay must be 1 real numbers"),
    ]
)
def test_root_decisions_that_are_none_are_refused(parts, complaint):
    with pytest.raises(ValueError, match=f"Altered.root: .*{complaint}"):
        resolve("kuhn_poker", 1, ":c", altered_root(**parts), blueprint="uniform")


@over([[1] * 3, [True] * 3])
def test_integers_and_truth_values_are_weights_too(weight):
    small = altered_root(entries=lambda tops: (Entry(np.full(len(tops.reach), 2, np.uint8), weight),))
    one, other = (resolve("kuhn_poker", 1, ":c", g, blueprint="uniform") for g in (small, Arrays()))
    assert one.exploitability_after == other.exploitability_after


def altered_payoff(**parts):
    """Return a function from games to payoffs, other parts in their matrix."""

    def altered(form):
        base = form.payoff.base
        return replace(form.payoff, base=replace(base, **{name: part(base) for name, part in parts.items()}))

    return altered


@over(
    [
        (
            {"treeplexes": lambda form: ("a", "b")},
            r"its treeplexes must be a pair of Treeplex, got \['a', 'b'\]",
        ),
        ({"treeplexes": lambda form: None}, "its treeplexes must be a pair of Treeplex, got none"),
        ({"stakes": lambda form: None}, "TypeError"),
        ({"stakes": lambda form: (1.0, np.inf)}, "its stakes must be 2 numbers from 0"),
        (
            {"payoff": altered_payoff(cols=lambda m: m.cols + 1000)},
            "entries of its payoff's base must each have",
        ),
        (
            {"payoff": altered_payoff(rows=lambda m: m.rows * 1.0)},
            "entries of its payoff's base must each have",
        ),
        ({"payoff": altered_payoff(num=lambda m: m.num * np.nan)}, "its payoff's base must be integers over"),
        ({"payoff": altered_payoff(den=lambda m: 0)}, "its payoff's base must be integers over"),
        (
            {"payoff": lambda form: replace(form.payoff, link=np.zeros(2, bool))},
            "its payoff's left must be of shape",
        ),
    ]
)
def test_games_that_are_none_are_refused(parts, complaint):
    class Altered(Inherited):
        def apply(self, subgame):
            form = super().apply(subgame)
            return replace(form, **{name: part(form) for name, part in parts.items()})

    with pytest.raises(ValueError, match=f"Altered.apply: {complaint}"):
        resolve("kuhn_poker", 1, ":c", Altered(), blueprint="uniform")


@over([["a", "b", "c"], [1j, 0.0, 0.0], [1e308, 0.0, 0.0]])
def test_alternative_values_that_are_none_are_refused(values):
    class Altered(Inherited):
        def alternative_values(self, subgame):
            return AlternativeValues(values, np.zeros(3))

    with pytest.raises(ValueError, match=r"Altered\.alternative_values: alternative must be 3"):
        resolve("kuhn_poker", 1, ":c", Altered(), blueprint="uniform")


@over(["resolve", "maxmargin"])
def test_payoffs_may_be_large(method):
    found = resolve("coin_toss(heads=1e200,tails=-1e200)", 1, ":Play", method, blueprint="uniform")
    assert found.safe


class Ragged(Inherited):
    def invert(self, subgame, solution):
        return [[1.0], [1.0, 2.0]]


NOT_A_GADGET = object()


@over(
    [
        ("NoForm", "NoForm.apply must return a SequenceForm, got str"),
        ("OtherGame", "the gadget's game lacks player 1's infoset"),
        (
            "WrongShape",
            r"WrongShape.invert must return real numbers of shape \(13,\), got float64 of \(3,\)",
        ),
        ("NotNormalised", "NotNormalised.invert"),
        ("Ragged", "Ragged.invert: setting an array element"),
        ("Raises", "Raises.apply: KeyError: 'a key'"),
        ("Exits", "Exits.invert: SystemExit: 3"),
        ("OffersFive", "OffersFive.alternative_values must return AlternativeValues or None, got int"),
        (
            "OffersNothingFinite",
            "OffersNothingFinite.alternative_values: alternative must be 3 numbers from -1e.307 to 1e.307",
        ),
        ("PaysInfinity", "PaysInfinity.apply: payoffs must be finite, got inf"),
        ("Normalises", "Normalises.root: output array is read-only"),
        ("WritesValues", "WritesValues.apply: assignment destination is read-only"),
        (
            "LessThanNothing",
            "LessThanNothing.root: weight of an entry must be 3 numbers from 0 to 1e.30",
        ),
        ("NoSequence", "NoSequence.root: at of an entry must be integers from -1 to 2"),
        ("NoDecisions", "NoDecisions.root must return RootDecisions, got tuple"),
        ("NoPayoff", "NoPayoff.apply: its payoff must be a Payoff, got none"),
        ("NOT_A_GADGET", "is no gadget: it has no method apply"),
        ("Missing", "cannot load the gadget"),
    ]
)
def test_malformed_gadgets_are_refused(name, complaint):
    with pytest.raises(ValueError, match=complaint):
        resolve("kuhn_poker", 1, ":c", f"{__name__}:{name}", blueprint="uniform")


@over(
    [
        ({"gifts": "all"}, "gifts must be one of lower-bound, estimated, got 'all'"),
        ({"estimates": "none"}, "estimates must be one of joint, blueprint"),
        ({"equilibrium": "best"}, "equilibrium must be one of any, quasi-perfect"),
        ({"scale": -1.0}, "scale must be between 0"),
        ({"scale": float("nan")}, "scale must be between 0"),
        ({"atoms": 0}, "atoms must be between 1 and 256"),
        ({"deviation": -0.1}, "deviation must be between 0 and"),
    ]
)
def test_bad_options(options, complaint):
    with pytest.raises(ValueError, match=complaint):
        GadgetOptions(**options)


def test_an_equilibrium_is_chosen_in_games_only():
    enumerated = numbered("kuhn_poker")
    subgames = subgames_of(enumerated, 1, uniform_profile(enumerated.form))
    with pytest.raises(ValueError, match="equilibrium is not for the method lexicographic"):
        solver_of(
            "lexicographic", subgames, joint_optimum(subgames), GadgetOptions(equilibrium="quasi-perfect")
        )
    with pytest.raises(ValueError, match="there is no method 'resolv'"):
        solver_of("resolv", subgames, joint_optimum(subgames))


@over(
    [
        ((), "at must be one public state at least"),
        ((":Play", ":Play/Heads"), "subgames must be disjoint, but ':Play/Heads' overlaps ':Play'"),
        ((":Play/Heads", ":Play"), "subgames must be disjoint, but ':Play' overlaps ':Play/Heads'"),
        ((":Sell", ":Sell"), "subgames must be disjoint"),
    ]
)
def test_subgames_must_be_disjoint(at, complaint):
    with pytest.raises(ValueError, match=complaint):
        resolve("coin_toss", 1, at, "maxmargin")


def test_a_union_of_public_states_is_one_subgame():
    one = resolve("leduc_poker", 1, "K:cc/ | Q:cc/", "estimated-maxmargin", blueprint="uniform")
    two = resolve("leduc_poker", 1, ("K:cc/", "Q:cc/"), "estimated-maxmargin", blueprint="uniform")
    assert one.subgames == ("K:cc/ | Q:cc/",)
    assert one.exploitability_after == pytest.approx(two.exploitability_after, abs=1e-9)


def test_gifts_that_drown_the_payoffs_are_an_error_and_not_an_answer():
    """Offers a million times what leaves pay leave no digits for the leaves: refused, or right."""
    spec, options = "leduc_poker(bets=[8,8])", GadgetOptions(gifts="estimated", scale=1e6)
    found = resolve(spec, 1, "all", "reach-resolve", blueprint="cfr+:10", options=options)
    assert found.min_margin >= -1e-4
    with pytest.raises(ValueError, match="scale must be between 0 and 1e"):
        GadgetOptions(scale=1e8)


def test_the_discretisation_error_is_reported():
    options = GadgetOptions(deviation=2.0, atoms=8)
    found = resolve("kuhn_poker", 1, "all", "distributional", blueprint="uniform", options=options)
    assert found.discretisation == pytest.approx(2.0 * standard_normal(8)[1])
    assert resolve("kuhn_poker", 1, "all", "resolve", blueprint="uniform").discretisation is None


def test_lexicographic_is_an_optimum_of_resolve():
    enumerated = numbered("leduc_poker")
    for subgame in subgames_of(enumerated, 1, mixed_profile(enumerated.form, 11)):
        solution = Lexicographic().solve(subgame)
        plan = enumerated.form.treeplexes[1].plan(solution.behaviour)
        values = subgame.cut.top_values(plan, enumerated.form.best_response(0, plan))
        assert np.all(values <= subgame.value + 1e-9)
