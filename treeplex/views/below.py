"""The part of a game tree below a public state or a history that a user names."""

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.parameters import check_kind
from treeplex.games.base.reading import shortened
from treeplex.pictures.history_texts import children_of
from treeplex.seqform.subgames.public_states import PublicStates
from treeplex.seqform.trees.game_tree import GameTree

MOST_NAMED = 8
"""Most moves or public states that an error names."""
LONGEST_NAMED = 30
"""Characters of one of them."""


def roots_below(tree: GameTree, below: str) -> list[int]:
    """Return the histories at which a part of a game tree begins.

    Parameters
    ----------
    tree : GameTree
    below : str
        A public state, such as ``:cr``, which all its first histories begin; or one history, its moves joined
        by slashes, chance's too, such as ``Js|Qs/c``.

    Raises
    ------
    ValueError
        If it is neither; the message names the moves after the longest part that is one, and public states.
    """
    check_kind("below", below, str, "a text")
    states = PublicStates.of(tree)
    if below in states.index:
        return [int(root) for root in states.roots([below])]
    history, rest = _followed(tree, 0, below)
    if not rest:
        return [history]
    moves = _named([tree.move(child) for child in children_of(tree, history)])
    done = below[: len(below) - len(rest)].rstrip("/")
    goes_on = f"after {done!r} it goes on by {moves}" if done else f"histories begin by {moves}"
    raise BadInputError(
        f"{tree.name} has no public state or history {below!r}; {goes_on}; "
        f"public states are {_named(list(states.names))}"
    )


def _followed(tree: GameTree, history: int, moves: str) -> tuple[int, str]:
    """Return the history to which moves lead, and the moves that are left where they lead no further."""
    if not moves:
        return history, ""
    ends = [(history, moves)]
    for child in children_of(tree, history):
        move = tree.move(child)
        if moves == move:
            return child, ""
        if moves.startswith(f"{move}/"):  # labels may contain slashes: several may fit
            ends.append(_followed(tree, child, moves[len(move) + 1 :]))
    return min(ends, key=lambda end: len(end[1]))


def _named(names: list[str]) -> str:
    text = ", ".join(repr(shortened(name, LONGEST_NAMED)) for name in names[:MOST_NAMED])
    return text if len(names) <= MOST_NAMED else f"{text} and {len(names) - MOST_NAMED:,} more"
