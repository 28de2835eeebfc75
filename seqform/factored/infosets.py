"""Infosets of a poker game on a factored tree: a betting node, a real board and a position of a hand."""

from typing import NamedTuple

from treeplex.games.cards.deck import Cards
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.factored.betting_tree import BettingTree
from treeplex.seqform.factored.board_tree import BoardTree
from treeplex.seqform.factored.real_boards import RealBoard, boards_to, real_hands


class FactoredInfoset(NamedTuple):
    """An infoset: a node of the betting tree, a real board, and the hand's position among the live hands."""

    node: int
    board: RealBoard
    place: int


def find_infoset(
    game: PokerGame, betting: BettingTree, boards: BoardTree, player: int, infoset: str
) -> FactoredInfoset:
    """Return the infoset with a key.

    Raises
    ------
    ValueError
        If the player has no such infoset, or the game hides suits, which factored trees do not.
    """
    check_suits(game)
    node = betting.node_of.get(infoset.rpartition(":")[2])
    if node is not None and betting.player[node] == player:
        for label in map(game.hand_label, game.reach[player]):
            found = _on_board(game, betting, boards, node, label, infoset)
            if found is not None and label in (labels := hand_labels(game, boards, player, found)):
                return FactoredInfoset(node, found, labels.index(label))
    raise ValueError(f"player {player} has no infoset {infoset!r}")


def hand_labels(game: PokerGame, boards: BoardTree, player: int, board: RealBoard) -> list[str]:
    """Return the label of each live hand of a board, in the order of ``real_hands``."""
    return [game.hand_label(tuple(hand)) for hand in real_hands(boards, player, board).tolist()]


def check_suits(game: PokerGame) -> None:
    """Raise ValueError if a game hides suits: then several hands and boards have one key.

    Raises
    ------
    ValueError
    """
    if game.sees_ranks_only and game.suits > 1:
        raise ValueError(f"{game.name} hides suits, which the strategy sees; infosets of it cannot")


def _on_board(
    game: PokerGame, betting: BettingTree, boards: BoardTree, node: int, label: str, infoset: str
) -> RealBoard | None:
    """Return the board of an infoset if ``label`` is the text of its hand; None if not."""
    before, line = label + game.joiner, betting.line[node]
    if not infoset.startswith(before):
        return None
    text = infoset.removeprefix(before).removesuffix(f":{line}")
    try:
        found = boards_to(game, boards, board_cards(game, text))[-1]
    except (KeyError, ValueError):
        return None
    same = before + game.public_key(found.cards, line) == infoset
    return found if same and found.street == betting.street[node] else None


def board_cards(game: PokerGame, text: str) -> Cards:
    """Return the board of a key, the starting board in its own order.

    Raises
    ------
    KeyError, ValueError
        If the text is no cards of the game's deck.
    """
    if game.sees_ranks_only:  # such games have at most one board card
        return ({game.deck.rank_text[card]: card for card in game.deck.cards}[text],) if text else ()
    cards, start = game.deck.parse(text), len(game.board)
    return game.board + cards[start:] if set(cards[:start]) == set(game.board) else cards
