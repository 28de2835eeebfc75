"""The report on an answer to a bet that menus lack: what hands play, and what the bet gains.

Hands are shown by classes.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from treeplex.games.base.display import Block, Columns, Line, Shown
from treeplex.games.base.number_texts import six_decimals
from treeplex.seqform.boards.factored_strategy import FactoredStrategy
from treeplex.subgames.resolution import hand_class


@dataclass(frozen=True)
class Reply:
    """What a hand of the defender plays against the bet.

    Attributes
    ----------
    hand : str
    reach : float
        The weight with which chance and the defender bring it to the bet, in the defender's range.
    play : mapping
        From the labels of actions to their probabilities.
    """

    hand: str
    reach: float
    play: Mapping[str, float]


@dataclass(frozen=True)
class EarlierBet:
    """A bet of the line before the last one, which was answered first.

    Attributes
    ----------
    bet : str
    gadget_value : pair of float
    loss : float
    translation_loss : float or None
        As in :class:`Answer`.
    """

    bet: str
    gadget_value: tuple[float, float]
    loss: float
    translation_loss: float | None


@dataclass(frozen=True, kw_only=True, repr=False)
class Answer(Shown):
    """What to play against a bet that nobody planned for.

    Attributes
    ----------
    game, unit : str
        Of the strategy that answers.
    bet : str
        The public state after the bet, ``BOARD:LINE``.
    defender : int
    method, approach : str
    range : mapping
        For each hand of the opponent, who bets, the probability that it is dealt and chance and the defender
        come to the bet.
    alternatives : mapping
        For each of these hands what its best action in the menus is worth, in the game's unit.
    values : mapping
        What the bet is worth to it against the answer, by the judge's best response.
    gadget_value : pair of float
        The proved interval for the value of the gadget's game to the opponent, per unit of reach: for
        maxmargin the least margin, negated.
    loss : float
        The sum over hands of range times max(0, value - alternative), in the unit a hand of the whole game:
        what the bet can add to the opponent's best-response value.
    translation_loss : float or None
        The same if the bet is taken for bets of the menus by the pseudo-harmonic mapping instead; None where
        it cannot be.
    replies : tuple of Reply
        The defender's play right after the bet.
    earlier : tuple of EarlierBet
        Bets of the line that the menus lack too, answered before; the later alternatives are values of these
        answers.
    strategy : FactoredStrategy
        Both players' after the bet, a game of its own.
    iterations : int
    seconds : float
        Of the last solve.
    """

    game: str
    unit: str
    bet: str
    defender: int
    method: str
    approach: str
    range: Mapping[str, float]
    alternatives: Mapping[str, float]
    values: Mapping[str, float]
    gadget_value: tuple[float, float]
    loss: float
    translation_loss: float | None
    replies: tuple[Reply, ...]
    earlier: tuple[EarlierBet, ...]
    strategy: FactoredStrategy
    iterations: int
    seconds: float

    def blocks(self, *, hands: bool = False) -> tuple[Block, ...]:
        """Return a row for each class of the defender's hands, or each hand, and what the bet gains."""
        return answer_table(self, hands=hands)

    def brief(self) -> str:
        """Return game, defender, bet, method, and what the bet gains."""
        return (
            f"{self.game}: player {self.defender} answers {self.bet} by {self.method}, loss {self.loss:.6g}"
        )

    def as_json(self) -> dict[str, Any]:
        """Return the answer as the object that ``--json`` prints."""
        return {
            "game": self.game,
            "unit": self.unit,
            "bet": self.bet,
            "defender": self.defender,
            "method": self.method,
            "approach": self.approach,
            "range": dict(self.range),
            "alternatives": dict(self.alternatives),
            "values": dict(self.values),
            "gadget_value": list(self.gadget_value),
            "loss": self.loss,
            "translation_loss": self.translation_loss,
            "play": {one.hand: dict(one.play) for one in self.replies},
            "own_range": {one.hand: one.reach for one in self.replies},
            "earlier": [asdict(one) | {"gadget_value": list(one.gadget_value)} for one in self.earlier],
            "iterations": self.iterations,
            "seconds": self.seconds,
        }


def answer_table(found: Answer, *, hands: bool = False) -> tuple[Block, ...]:
    """Return a row for each class of the defender's hands, or each hand, and what the bet gains."""
    title = (
        f"{found.game}: player {found.defender} answers {found.bet} by {found.method} ({found.approach}), "
        "all hands"
    )
    actions = tuple(found.replies[0].play) if found.replies else ()
    groups: dict[str, list[Reply]] = {}
    for reply in found.replies:
        groups.setdefault(reply.hand if hands else hand_class(reply.hand), []).append(reply)
    rows = [_row(name, group, actions) for name, group in groups.items()]
    if found.replies:
        rows.append(_row("all", found.replies, actions))
    first = "hand" if hands else "class"
    table = Columns(title, (first, "reach", *actions), tuple(rows), left=(first,))
    return table, *map(Line, _footer(found))


def _row(name: str, group: Sequence[Reply], actions: Sequence[str]) -> tuple[str, ...]:
    """Return how often a group of hands plays each action, weighted by their reaches."""
    reach = sum(one.reach for one in group)
    shares = (sum(one.reach * one.play[action] for one in group) / reach for action in actions)
    return name, f"{reach:.4g}", *(f"{100 * share:.1f}%" for share in shares)


def _footer(found: Answer) -> Iterator[str]:
    unit, (lower, upper) = found.unit, found.gadget_value
    yield ""
    yield f"gadget's value     [{six_decimals(lower)}, {six_decimals(upper)}] {unit} per unit of reach"
    for bet in found.earlier:
        yield f"loss after {bet.bet}: {_loss(bet.loss)}, by translation {_loss(bet.translation_loss)}"
    yield f"loss               {_loss(found.loss)} {unit} a hand, what the bet gains on the menus' actions"
    yield f"  by translation   {_loss(found.translation_loss)}"
    yield f"iterations         {found.iterations:,} in {found.seconds:.3f} s"


def _loss(loss: float | None) -> str:
    return "unknown" if loss is None else f"{loss:.6g}"
