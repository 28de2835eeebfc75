"""What is shown of an answer to a bet that menus lack: what classes of hands play, and what the bet gains."""

from collections.abc import Iterator, Sequence

from treeplex.games.display.blocks import Block, Columns, Line
from treeplex.games.display.numbers import six_decimals
from treeplex.subgames.answers.result import Answer, Reply
from treeplex.subgames.boards.table import hand_class


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
