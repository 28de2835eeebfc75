"""Enumerated games, cuts and blueprints from the arguments of subgame solving."""

from collections.abc import Sequence
from math import inf
from pathlib import Path
from typing import Any

from treeplex.cfr.engine import average
from treeplex.cfr.sequence_form import full_width
from treeplex.cfr.variants.variant import VARIANTS
from treeplex.core.limits import walk
from treeplex.core.loading import GameLike, game_of
from treeplex.core.progress import Progress, silent
from treeplex.games.counting.game_sizes import game_sizes
from treeplex.games.poker.game import PokerGame
from treeplex.games.protocol import Game
from treeplex.seqform.certify.certificate import Certificate
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.tree_form import NumberedTree, number_tree
from treeplex.seqform.subgames.cut import JOINER, Cut, check_disjoint, cut
from treeplex.seqform.subgames.public_states import PublicStates
from treeplex.seqform.trees.poker_deals import MAX_HOLE_CARDS
from treeplex.store.completion import Completed, check_unused
from treeplex.store.strategies import SUFFIXES
from treeplex.store.strategy_like import StrategyLike, profile_on

MOST_HISTORIES = 500_000
"""Subgames are cut from games that are enumerated history by history, up to so many."""
MOST_ITERATIONS = 10_000_000
"""Most iterations of CFR+ that a blueprint may take."""
ALL = "all"
"""Stands for every subgame right after the first chance move that follows a decision."""


FORMS = ("tree", "boards")
"""Where subgames are solved: on the enumerated game by linear programs, on boards by regret minimisers."""


def form_of(game: Game[Any], form: str | None = None) -> str:
    """Return where subgames of a game are solved: on the enumerated game unless that is too large.

    Raises
    ------
    ValueError
        If there is no such form, or it is boards and the game is none of cards on boards.
    """
    if form is not None and form not in FORMS:
        raise ValueError(f"form must be {' or '.join(FORMS)}, got {form!r}")
    on_boards = isinstance(game, PokerGame) and game.hole_cards <= MAX_HOLE_CARDS
    if form == "boards" and not on_boards:
        raise ValueError(f"boards are for poker games of one or two hole cards, got {game.name}")
    if form is not None:
        return form
    return "boards" if isinstance(game, PokerGame) and on_boards and _is_large(game) else "tree"


def _is_large(game: PokerGame) -> bool:
    sizes = game_sizes(game)
    return sizes.decision_states + sizes.leaf_states > MOST_HISTORIES


def check_defender(defender: int) -> None:
    """Refuse a defender that is no player."""
    if type(defender) is not int or defender not in (0, 1):
        raise ValueError(f"defender must be 0 or 1, got {defender!r}")


def unlocked_game(game: GameLike, progress: Progress = silent) -> Game[Any]:
    """Return the game of a spec, of a problem, or as it is; ``progress`` is called while a file is read.

    Raises
    ------
    ValueError
        If the spec is of no game, or hands are locked in it.
    """
    rules = game_of(game, progress=progress)
    if isinstance(rules, PokerGame) and rules.locks:
        raise ValueError(f"subgames are of games without locks, got {rules.name}")
    return rules


def enumerated(game: Game[Any], progress: Progress = silent) -> NumberedTree:
    """Return a game history by history; ``progress`` is called with how many there are so far.

    Raises
    ------
    treeplex.seqform.trees.walk_watch.TooManyHistoriesError
        If there are more than ``MOST_HISTORIES``.
    """
    return number_tree(walk(game, MOST_HISTORIES, lambda text: progress(text, inf)))


def cuts_of(game: NumberedTree, defender: int, at: str | Sequence[str] = ALL) -> list[Cut]:
    """Cut a game at the public states that ``at`` names, as :func:`treeplex.resolve` takes them.

    Raises
    ------
    ValueError
        If there is none, a name is no public state, or the subgames cut an infoset or overlap.
    """
    states = PublicStates.of(game.tree)
    names = names_of(at)
    if names == (ALL,) and ALL not in states.index:
        names = states.first_subgames(defender)
    unions = [[name] if name in states.index else name.split(JOINER) for name in names]
    cuts = [cut(states, game, union, defender) for union in unions]
    check_disjoint(cuts)
    return cuts


def names_of(at: str | Sequence[str]) -> tuple[str, ...]:
    """Return the keys of public states that ``at`` holds.

    Raises
    ------
    TypeError, ValueError
        If it is neither a key nor several, or holds none.
    """
    names = (at,) if isinstance(at, str) else tuple(at) if isinstance(at, Sequence) else (at,)
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"at must be keys of public states, or all, got {name!r}")
    if not names:
        raise ValueError("at must be one public state at least, or all, got none")
    return names


def make_blueprint(
    game: Game[Any], form: SequenceForm, blueprint: StrategyLike, equilibrium: Profile, missing: str = "error"
) -> Completed[Profile]:
    """Return the blueprint of a name (``uniform``, ``nash``, ``cfr+:N``), or of whatever is a strategy.

    Raises
    ------
    ValueError
        If the name is none of these, or the strategy is none of the game.
    """
    if isinstance(blueprint, str) and Path(blueprint).suffix.lower() not in SUFFIXES:
        check_unused(missing, f"blueprint {blueprint}")
        return Completed(_named(form, blueprint, equilibrium))
    return profile_on(game, form, blueprint, missing)


def _named(form: SequenceForm, name: str, equilibrium: Profile) -> Profile:
    if name == "nash":
        return equilibrium
    if name == "uniform":
        return Profile(form.treeplexes, (form.treeplexes[0].uniform(), form.treeplexes[1].uniform()))
    if name.startswith("cfr+:"):
        iterations = name.removeprefix("cfr+:")
        short = iterations.isascii() and iterations.isdigit() and len(iterations) <= len(f"{MOST_ITERATIONS}")
        if not (short and 1 <= int(iterations) <= MOST_ITERATIONS):
            raise ValueError(
                f"blueprint cfr+:N needs N between 1 and {MOST_ITERATIONS:,} iterations, got {iterations!r}"
            )
        return average(full_width.prepare(form, VARIANTS["cfr+"]), int(iterations))
    raise ValueError(
        f"blueprint must be uniform, nash, cfr+:N or a {' or '.join(SUFFIXES)} strategy file, got {name!r}"
    )


def distance_to_value(form: SequenceForm, value: Certificate, defender: int, strategy: Profile) -> float:
    """Return how much more than the game's value a best response wins against the defender's strategy."""
    gained = form.best_response(1 - defender, strategy.plans[defender]).total
    v = float(value.value)
    return gained - (v if defender == 1 else -v)
