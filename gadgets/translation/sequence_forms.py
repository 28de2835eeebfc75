"""Action translation: a strategy for few bet sizes plays a game with more (Ganzfried and Sandholm, 2013)."""

import numpy as np

from treeplex.gadgets.translation.pseudo_harmonic import check_alike, raise_sizes, readings
from treeplex.games.poker.game import PokerGame
from treeplex.games.protocol import CHANCE
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats, Treeplex

Move = tuple[str, str]
"""A betting line and the label of an action there."""
ActionMapping = dict[Move, dict[Move, float]]
"""For each move of the full game, the abstract moves that it is mapped to, with probabilities."""


def translate(
    abstract_game: PokerGame,
    abstract_form: SequenceForm,
    behaviour: Floats,
    full_game: PokerGame,
    full_form: SequenceForm,
    *,
    defender: int,
    fallback: Floats | None = None,
) -> Floats:
    """Return how the defender plays the full game with a strategy of one that has fewer bet sizes.

    An opponent's raise of a size that the abstract game offers there is read as that raise. Any other is
    read as the next smaller or the next larger one, by :func:`pseudo_harmonic`; below the smallest it is
    the smallest and above the largest the largest, always, since a raise read as a check would leave the
    two games out of step. Each reading is drawn once and remembered for the rest of the hand. The
    defender's own actions are those of the abstract game by the same size; other sizes are never played.

    The draws make this a mixture of strategies, which is added up in plans, where mixing is linear: the
    plan of a sequence is the sum, over the abstract sequences that it may be read as, of the readings'
    probability times the abstract plan.

    Parameters
    ----------
    abstract_game, full_game : PokerGame
        Alike but for the bet sizes and the stacks. Wherever the defender acts, every size of the abstract
        game must be in the full game too: stacks must be deep enough that none is cut to all-in in one game
        and not in the other, and sizes large enough that none is lifted to the least raise.
    abstract_form, full_form : SequenceForm
        Of these games.
    behaviour : (S_abstract,) f64
        The defender's in the abstract game.
    defender : int
        0 or 1.
    fallback : (S_full,) f64, optional
        The behaviour at infosets that the translated strategy does not reach; uniform unless given.

    Returns
    -------
    (S_full,) f64
        The defender's behaviour in the full game, normalised at every infoset.

    Raises
    ------
    ValueError
        If the games differ in more than sizes and stacks or fall out of step, if a form has other infosets
        than its game, or if an array does not fit.
    """
    if defender not in (0, 1):
        raise ValueError(f"defender must be 0 or 1, got {defender!r}")
    for what, game, form in (("abstract", abstract_game, abstract_form), ("full", full_game, full_form)):
        if form.name != game.name:
            raise ValueError(f"{what}_form must be of {what}_game, {game.name}, got that of {form.name}")
    check_alike(abstract_game, full_game)
    abstract, full = abstract_form.treeplexes[defender], full_form.treeplexes[defender]
    mapping = _action_mapping(abstract_game, full_game, defender)
    return full.behaviour(_plan(abstract, abstract.plan(behaviour), full, mapping), fallback)


def _plan(abstract: Treeplex, played: Floats, full: Treeplex, mapping: ActionMapping) -> Floats:
    """Return the plan of the full game (S_full,) that mixes the readings of an abstract one (S_abstract,)."""
    known = {
        (abstract.infosets[i], label): s
        for s, (i, label) in enumerate(zip(abstract.infoset_of, abstract.actions, strict=True))
        if s
    }
    plan = np.ones(full.n_sequences)
    try:
        for s in range(1, full.n_sequences):
            cards, _, line = full.infosets[full.infoset_of[s]].rpartition(":")
            plan[s] = sum(
                chance * played[known[f"{cards}:{other}", label]]
                for (other, label), chance in mapping[line, full.actions[s]].items()
            )
    except KeyError as error:
        raise ValueError(f"the forms must have the infosets of their games; nothing fits {error}") from None
    return plan


def _action_mapping(abstract: PokerGame, full: PokerGame, defender: int) -> ActionMapping:
    """Walk both betting trees in step."""
    mapping: ActionMapping = {}
    todo = [(full.first_line, {abstract.first_line: 1.0})]
    while todo:
        line, mixture = todo.pop()
        point = full.point(line)
        for other in mixture:
            _check_step(abstract, other, full, line, defender)
        if point.player == CHANCE:
            todo.append((point.after, {abstract.point(o).after: p for o, p in mixture.items()}))
        own = point.player == defender
        read = {other: readings(abstract, other, full, line, own=own) for other in mixture}
        for action, after in point.moves.items():
            mapping[line, action] = {
                (other, label): p * q
                for other, p in mixture.items()
                for label, q in read[other][action].items()
            }
            drawn = mapping[line, action].items()
            todo.append((after, {abstract.point(o).moves[label]: p for (o, label), p in drawn}))
    return mapping


def _check_step(abstract: PokerGame, other: str, full: PokerGame, line: str, defender: int) -> None:
    """Make sure that each game offers at its line what the other game's line asks of it."""
    known, sizes = raise_sizes(abstract, other), raise_sizes(full, line)
    theirs, ours = abstract.point(other), full.point(line)
    same = theirs.player == ours.player and theirs.moves.keys() - known == ours.moves.keys() - sizes
    if ours.player == defender:
        same &= set(known.values()) <= set(sizes.values())
    elif sizes:
        same &= bool(known)
    if not same:
        raise ValueError(
            f"{full.name} at {line!r} offers {list(ours.moves)}, {abstract.name} at {other!r} "
            f"{list(theirs.moves)}: the defender's sizes must be in both, and no stack may cut them"
        )
