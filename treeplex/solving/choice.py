"""The choice of method and form from a game's size, where users name none."""

from collections.abc import Mapping
from dataclasses import dataclass

from treeplex.cfr.variant import is_by_rule, is_full_width
from treeplex.core.limits import check_boards
from treeplex.core.problem import Problem
from treeplex.games.base.errors import BadInputError
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.trees.memory import machine_memory
from treeplex.seqform.trees.poker_deals import MAX_HOLE_CARDS
from treeplex.solving.form import Form
from treeplex.solving.methods import FORMS, form_chosen, forms_of, options_of

LP, SAMPLER = "lp", "mccfr-external"
QUICK_WITH_BOARDS, QUICK_ON_ONE_BOARD = 20_000, 100_000
"""Sequences, both players' together, up to which poker games with and without cards to come are solved by
linear program unless a method is named: within seconds."""
QUICK_WALKED = 500_000
"""The same for games that are walked history by history."""


@dataclass(frozen=True)
class Choice:
    """A method, its form, and the reason of the choice.

    Attributes
    ----------
    method : str
        ``lp``, one of ``treeplex.solving.methods.METHODS``, or ``module:name`` of a rule.
    form : {"tree", "public", "boards", "table"}
    why : str
        One sentence.
    """

    method: str
    form: str
    why: str


def choose(
    problem: Problem,
    method: str | None,
    form: str | None,
    minimiser: bool,
    given: Mapping[str, object] | None = None,
) -> Choice:
    """Choose what is not named of a method and its form.

    Parameters
    ----------
    problem : Problem
    method : str, optional
        ``lp`` or the name of a regret minimiser.
    form : str, optional
        ``tree``, ``public``, ``boards``, ``buckets`` or ``table``.
    minimiser : bool
        Whether something was asked for that only regret minimisers have, such as a number of iterations.
    given : mapping, optional
        Options: storage and isomorphism say how much memory boards take; what a form needs chooses it.

    Raises
    ------
    ValueError
        If the method does not run on the form, or the game has no such form.
    """
    options = {} if given is None else given
    on = FORMS.get(form_chosen(options) or form or "")
    if on is not None and on.needs is not None:
        return _needed(problem, on, method, form, options)
    if method is None:
        return _without_method(problem, form, minimiser, options)
    if method == LP:
        if form not in (None, walked_or_public(problem)):
            raise BadInputError(f"the linear program of {problem.game.name} has no form {form}")
        return Choice(LP, walked_or_public(problem), "the method was asked for")
    if form is not None:
        return Choice(method, _checked(problem, method, form), "method and form were asked for")
    return _form_of(problem, method, "the method was asked for")


def _needed(
    problem: Problem, on: Form, method: str | None, form: str | None, given: Mapping[str, object]
) -> Choice:
    """Return the choice where an option chooses the form, or a form is named that needs the option."""
    assert on.needs is not None
    option, what = on.needs
    if option not in given:
        raise BadInputError(f"the form {on.name} needs {what}, got none")
    if method == LP or form not in (None, on.name):
        got = "method lp" if method == LP else f"the form {form}"
        raise BadInputError(f"{what} is for regret minimisers on {on.name}, got {got}")
    why = "CFR+ unless a method is named" if method is None else "the method was asked for"
    return Choice(method or "cfr+", _checked(problem, method or "cfr+", on.name), f"{what} was given; {why}")


def walked_or_public(problem: Problem) -> str:
    """Return where a game's sequence form comes from: its histories, or its public tree."""
    return "public" if isinstance(problem.game, PokerGame) else "tree"


def cards_come(game: PokerGame) -> bool:
    """Return whether board cards are dealt within the game."""
    return sum(game.board_cards) > 0


def is_for_boards(problem: Problem) -> bool:
    """Return whether a game is a poker game with cards to come, too large for a quick linear program."""
    game = problem.game
    if not isinstance(game, PokerGame) or game.hole_cards > MAX_HOLE_CARDS or not cards_come(game):
        return False
    return sum(problem.sizes.sequences) > QUICK_WITH_BOARDS


def too_large(problem: Problem, given: Mapping[str, object]) -> str | None:
    """Return why tables on all boards do not fit into memory, by counting; None if they do."""
    boards, method = FORMS["boards"], _on_boards(given)
    own = {name: value for name, value in given.items() if name in boards.options[method].names()}
    entry_bytes = boards.config(method, options_of(method, "boards", own)).entry_bytes
    isomorphism = given.get("isomorphism") is not False
    try:
        assert isinstance(problem.game, PokerGame)
        memory = machine_memory() * 3 // 4
        check_boards(
            problem.game, problem.sizes, isomorphism=isomorphism, entry_bytes=entry_bytes, memory=memory
        )
    except ValueError as error:
        return str(error)
    return None


def _without_method(
    problem: Problem, form: str | None, minimiser: bool, given: Mapping[str, object]
) -> Choice:
    fits = form in (None, walked_or_public(problem))
    if fits and not minimiser and (count := _quick(problem)) is not None:
        return Choice(LP, walked_or_public(problem), f"a linear program of {count:,} sequences is quick")
    why = "an option of regret minimisers was given" if minimiser else "no linear program is quick"
    if not fits and not minimiser:
        why = "the linear program does not run there"
    if form is not None:
        method = {"boards": _on_boards(given), "table": SAMPLER}.get(form, "cfr+")
        return Choice(method, _checked(problem, method, form), f"the form was asked for, and {why}")
    if is_for_boards(problem):
        memory = too_large(problem, given)
        if memory is None:
            return _form_of(problem, _on_boards(given), why)
        if not minimiser:
            advice = f"method {SAMPLER} with a number of iterations samples it, certified by nothing"
            raise BadInputError(f"{memory}; {advice}")
        form = _checked(problem, SAMPLER, "table")
        return Choice(SAMPLER, form, f"{why}; the game does not fit into memory, and nothing is certified")
    return _form_of(problem, "cfr+", why)


def _on_boards(given: Mapping[str, object]) -> str:
    """Return the method on boards unless one is named: CFR+ where choices are for it, else discounted CFR."""
    return "cfr+" if given.get("storage") == "int32" or given.get("average") == "last" else "dcfr"


def _quick(problem: Problem) -> int | None:
    """Return the number of sequences of a game whose linear program is quick; None for all others."""
    game = problem.game
    if isinstance(game, PokerGame):
        count, most = (
            sum(problem.sizes.sequences),
            QUICK_WITH_BOARDS if cards_come(game) else QUICK_ON_ONE_BOARD,
        )
    else:
        count, most = sum(problem.form.n_sequences), QUICK_WALKED
    return count if count <= most else None


def _form_of(problem: Problem, method: str, why: str) -> Choice:
    """Choose the form on which a method is fastest."""
    forms = forms_of(method)
    if problem_is_locked(problem) and not is_full_width(method):
        raise BadInputError(f"where hands are locked a regret minimiser is of full width, got {method}")
    if (
        "boards" in forms
        and is_for_boards(problem)
        and not (is_by_rule(method) and problem_is_locked(problem))
    ):
        count = sum(problem.sizes.sequences)
        return Choice(
            method,
            "boards",
            f"{why}; {count:,} sequences with cards to come are kept as betting times boards",
        )
    if "table" in forms and is_for_boards(problem):
        return Choice(method, "table", f"{why}; the game is too large to be enumerated")
    form = tree_or_public(problem, method)
    if form == "tree":
        return Choice(method, form, f"{why}; the game is small enough to be enumerated")
    return Choice(method, form, f"{why}; all hands at once are faster on the public tree")


def tree_or_public(problem: Problem, method: str) -> str:
    """Return on which of the two forms that are enumerated a method is faster, or runs at all.

    Raises
    ------
    ValueError
        If it runs on public trees alone, and the game has none.
    """
    if forms_of(method) == ("public",):
        return _checked(problem, method, "public")
    factored = problem.vector_tree is not None and len(problem.form.payoff.link) > 0
    return "public" if "public" in forms_of(method) and factored else "tree"


def problem_is_locked(problem: Problem) -> bool:
    """Return whether hands are locked."""
    return isinstance(problem.game, PokerGame) and bool(problem.game.locks)


def _checked(problem: Problem, method: str, form: str) -> str:
    """Return a form on which a method runs and which the game has.

    Raises
    ------
    ValueError
        If it is none.
    """
    if form not in forms_of(method):
        raise BadInputError(f"{method} runs on {' or '.join(forms_of(method))}, got {form}")
    if form in ("public", "boards", "buckets") and not isinstance(problem.game, PokerGame):
        raise BadInputError(f"{method} on {form} needs a poker game, got {problem.game.name}")
    if form in ("public", "buckets", "table") and problem_is_locked(problem):
        raise BadInputError(f"where hands are locked a method runs on the tree or on boards, got {form}")
    return form
