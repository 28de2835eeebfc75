"""Solvers of subgames from a method's name (``reach-maxmargin``, ``mymodule:MyGadget``) or from a gadget."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from treeplex.gadgets.alternatives import (
    Alternatives,
    BlueprintAlternatives,
    EstimatedAlternatives,
    EstimatedGifts,
    Gifts,
    LowerBoundGifts,
    NoGifts,
    PlayedAlternatives,
)
from treeplex.gadgets.distributional import BlueprintGap, Distributional, Normal, SameDeviation
from treeplex.gadgets.drawn_distributional import DrawnDistributional
from treeplex.gadgets.gadget import Gadget
from treeplex.gadgets.joint_optimum import JointOptimum
from treeplex.gadgets.own_gadgets import as_gadget, load_gadget
from treeplex.gadgets.published_gadgets import Maxmargin, Resolve, Unsafe
from treeplex.gadgets.subgame_solvers import (
    EquilibriumOf,
    Lexicographic,
    QuasiPerfectOf,
    SubgameSolution,
    SubgameSolver,
)
from treeplex.games.base.errors import BadInputError
from treeplex.seqform.subgames.subgame import Subgame

REACH, ESTIMATED = "reach-", "estimated-"
BASES = ("resolve", "maxmargin", "lexicographic", "distributional")
METHODS = (
    "unsafe",
    "joint",
    *(prefix + base for prefix in ("", REACH, ESTIMATED, REACH + ESTIMATED) for base in BASES),
)
"""Every method with a name."""
GIFTS = ("lower-bound", "estimated")
ESTIMATES = ("joint", "blueprint")
EQUILIBRIA = ("any", "quasi-perfect")
ATOMS, HEDGE, AT_MOST = "atoms", "hedge", "at-most"
ENTERING = (ATOMS, HEDGE, AT_MOST)
Estimates = dict[tuple[str, str], float]
"""What the opponent gets at each top, by subgame and top, per unit of reach."""
MOST_SCALE, MOST_ATOMS, MOST_DEVIATION = 1e6, 256, 1e100
"""Larger gifts drown the payoffs in floats; each atom is one more copy of the opponent's decisions; squares
of deviations are still floats."""


@dataclass(frozen=True)
class GadgetOptions:
    """Options of methods.

    Attributes
    ----------
    gifts : {"lower-bound", "estimated"}
        For ``reach-``: gifts that no other subgame can take back, or those of the blueprint.
    scale : float
        For ``reach-``: what gifts are multiplied by; above 1 nothing is promised.
    estimates : {"joint", "blueprint"}
        For ``estimated-``: the exact values against the joint optimum, or those of the blueprint's own play.
    deviation : float or None
        For ``distributional``: the standard deviation of alternative values, in the game's unit; the gap
        between best response and blueprint unless given.
    atoms : int
        For ``distributional``: how many values stand for the normal distribution.
    entering : {"atoms", "hedge", "at-most"}
        For ``distributional``: whether the opponent decides to enter for each of ``atoms`` values, or, on
        boards, for all draws at once, by Hedge or where the draw is at most the last value of entering.
    equilibrium : {"any", "quasi-perfect"}
        Which equilibrium of a gadget's game is played.
    """

    gifts: str = "lower-bound"
    scale: float = 1.0
    estimates: str = "joint"
    deviation: float | None = None
    atoms: int = 16
    entering: str = ATOMS
    equilibrium: str = "any"

    def __post_init__(self) -> None:
        for name, value, legal in (
            ("gifts", self.gifts, GIFTS),
            ("estimates", self.estimates, ESTIMATES),
            ("entering", self.entering, ENTERING),
            ("equilibrium", self.equilibrium, EQUILIBRIA),
        ):
            if value not in legal:
                raise BadInputError(f"{name} must be one of {', '.join(legal)}, got {value!r}")
        if not 0.0 <= self.scale <= MOST_SCALE:
            raise BadInputError(f"scale must be between 0 and {MOST_SCALE:g}, got {self.scale}")
        if not 1 <= self.atoms <= MOST_ATOMS:
            raise BadInputError(f"atoms must be between 1 and {MOST_ATOMS}, got {self.atoms}")
        if self.deviation is not None and not 0.0 <= self.deviation <= MOST_DEVIATION:
            raise BadInputError(f"deviation must be between 0 and {MOST_DEVIATION:g}, got {self.deviation}")


@dataclass(frozen=True)
class JointSolver:
    """Play the joint optimum's part of each subgame.

    Attributes
    ----------
    joint : JointOptimum
    """

    joint: JointOptimum

    @property
    def name(self) -> str:
        """Name in reports."""
        return "joint"

    def solve(self, subgame: Subgame) -> SubgameSolution:
        """Return the joint optimum in a subgame."""
        played, solution = self.joint.behaviour, self.joint.solution
        return SubgameSolution(subgame, self.name, played, None, solution.profile, solution.certificate, "")


def name_of(method: str | Gadget) -> str:
    """Return what reports call a method: its name as given, or the gadget's own."""
    return method if isinstance(method, str) else as_gadget(method, repr(method)).name


def check_method(method: str | Gadget, options: GadgetOptions | None = None) -> None:
    """Refuse what is no method, and options that are not for it, before time is spent.

    Raises
    ------
    ValueError
        If the method is neither a name in ``METHODS``, nor ``module:Name`` of a gadget that can be imported,
        nor a gadget; or an option differs from its default though the method does not look at it.
    """
    own = not isinstance(method, str) or ":" in method
    if own:
        _own_gadget(method)
    elif method not in METHODS:
        near = get_close_matches(str(method), METHODS, n=3) or METHODS
        raise BadInputError(
            f"there is no method {method!r}; there is {', '.join(near)}, or module:Name for your own"
        )
    name, named = name_of(method), "" if own else str(method)
    chosen, default = GadgetOptions() if options is None else options, GadgetOptions()
    for option, used in (
        ("gifts", named.startswith(REACH)),
        ("scale", named.startswith(REACH)),
        ("estimates", ESTIMATED in named),
        ("deviation", named.endswith("distributional")),
        ("atoms", named.endswith("distributional")),
        ("entering", named.endswith("distributional")),
        ("equilibrium", named != "joint" and not named.endswith("lexicographic")),
    ):
        value = getattr(chosen, option)
        if value != getattr(default, option) and not used:
            raise BadInputError(f"{option} is not for the method {name}, got {value}")
    if chosen.entering != ATOMS and chosen.atoms != default.atoms:
        raise BadInputError(f"atoms are for entering {ATOMS}, got {chosen.atoms} with {chosen.entering}")


def solver_of(
    method: str | Gadget,
    subgames: Sequence[Subgame],
    joint: JointOptimum,
    options: GadgetOptions | None = None,
) -> SubgameSolver:
    """Return the solver of a method.

    Parameters
    ----------
    method : str or Gadget
        One of ``METHODS``, ``module:Name`` of a class or object that satisfies :class:`Gadget`, or such a
        class or object.
    subgames : sequence of Subgame
        All that will be solved; estimates are made for them.
    joint : JointOptimum
        Of those subgames.
    options : GadgetOptions, optional

    Raises
    ------
    ValueError
        If there is no such method, or an option is not for it.
    """
    check_method(method, options)
    chosen = GadgetOptions() if options is None else options
    if isinstance(method, str) and method == "joint":
        return JointSolver(joint)

    def estimates() -> Estimates:
        return {key: value for s in subgames for key, value in joint.estimates(s).items()}

    if isinstance(method, str) and method.endswith("lexicographic"):
        return Lexicographic(_alternatives(method, estimates, chosen))
    gadget = gadget_of(method, estimates, chosen)
    return EquilibriumOf(gadget) if chosen.equilibrium == "any" else QuasiPerfectOf(gadget)


def gadget_of(name: str | Gadget, estimates: Callable[[], Estimates], options: GadgetOptions) -> Gadget:
    """Return the gadget of a method, as ``check_method`` lets it pass, that is made of one gadget.

    Parameters
    ----------
    name : str or Gadget
    estimates : callable
        Returns the estimates at the tops of all subgames that will be solved; called for ``estimated-`` only,
        where these are not the values of the blueprint's own play.
    options : GadgetOptions
    """
    if not isinstance(name, str) or ":" in name:
        return _own_gadget(name)
    if name == "unsafe":
        return Unsafe()
    alternatives = _alternatives(name, estimates, options)
    if name.endswith("resolve"):
        return Resolve(alternatives)
    if name.endswith("maxmargin"):
        return Maxmargin(alternatives)
    deviations = BlueprintGap() if options.deviation is None else SameDeviation(options.deviation)
    if options.entering != ATOMS:
        return DrawnDistributional(alternatives, deviations, by_hedge=options.entering == HEDGE)
    return Distributional(Normal(alternatives, deviations, options.atoms))


def _alternatives(name: str, estimates: Callable[[], Estimates], options: GadgetOptions) -> Alternatives:
    gifts: Gifts = _gifts(options) if name.startswith(REACH) else NoGifts()
    if ESTIMATED not in name:
        return BlueprintAlternatives(gifts)
    played = options.estimates == "blueprint"
    return PlayedAlternatives(gifts) if played else EstimatedAlternatives(estimates(), gifts)


def _gifts(options: GadgetOptions) -> Gifts:
    if options.gifts == "estimated":
        return EstimatedGifts(options.scale)
    return LowerBoundGifts(options.scale)


def _own_gadget(method: str | Gadget) -> Gadget:
    return load_gadget(method) if isinstance(method, str) else as_gadget(method, repr(method))
