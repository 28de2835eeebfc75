"""Constructors of the named poker games: Kuhn, Leduc, Rhode Island and hold'em, as ``PokerGame``s."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.parameters import check_integer, shortest_spec
from treeplex.games.base.protocol import CHANCE
from treeplex.games.base.reading import Number, exact, shown
from treeplex.games.cards.cards import Cards, Deck, Range, cards_text, parse_cards
from treeplex.games.cards.ranges import parse_range
from treeplex.games.poker.bet_sizes import Sizes
from treeplex.games.poker.betting import Betting
from treeplex.games.poker.flop_list import listed_flops
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.poker_subgame import subgame_of
from treeplex.games.poker.size_menus import size_menu

Menu = Sequence[Number] | str
"""Sizes as a list or as one text."""
Pair = tuple[Fraction, Fraction]
MOST_RAISES = 600
"""Raises after which stacks that no bet brings in are beyond floats."""


def kuhn_poker(ranks: int = 3) -> PokerGame:
    """Return Kuhn poker: one card each, ante 1, one bet of 1.

    Parameters
    ----------
    ranks : int
        Cards in the deck, one of each rank; JQK for 3, numbers beyond 13.
    """
    name = shortest_spec(kuhn_poker, {"ranks": ranks})
    return PokerGame(name, ranks, 1, 1, (0,), _limit_betting(1, (1, 1), (1,), (1,), first=0), "high_card")


def leduc_poker(
    ranks: int = 3,
    suits: int = 2,
    raises: int = 2,
    bets: Sequence[Number] = (2, 4),
    suits_visible: bool = False,
) -> PokerGame:
    """Return Leduc hold'em: one card each, ante 1, a round, a board card, a round.

    Parameters
    ----------
    ranks, suits : int
        The deck; JQK of two suits for the usual game.
    raises : int
        Bets and raises a round together, at most.
    bets : sequence of two numbers
        The size of bets and raises in each round, in chips.
    suits_visible : bool
        Whether the players see suits, which no ranking uses.
    """
    name = shortest_spec(leduc_poker, locals())
    check_integer("raises", raises, 0)
    betting = _limit_betting(2, (1, 1), bets, (raises, raises), first=0)
    return PokerGame(name, ranks, suits, 1, (0, 1), betting, "pair_with_board", suits_visible)


def no_limit_leduc(
    ranks: int = 3,
    suits: int = 2,
    *,
    bets: Menu = (0.5, 1),
    max_raises: Sequence[int] = (1, 2),
    stack: Number | None = None,
) -> PokerGame:
    """Return no-limit Leduc: one card each, ante 1, a round, a board card, a round; bets by the pot.

    A small analogue of No-Limit Flop Hold'em in Brown and Sandholm, Safe and nested subgame solving for
    imperfect-information games (2017), section 7, which has one bet and no raises in its first round and
    three in its second.

    Parameters
    ----------
    ranks, suits : int
        The deck; JQK of two suits for the usual game. Nobody sees suits.
    bets : sequence of sizes, or str
        The sizes of bets and raises in both rounds, such as 0.5 or "50%" of the pot after calling, "2e", "a";
        a raise is at least as large as the bet that it answers.
    max_raises : sequence of two int
        Bets and raises together, at most, for each round.
    stack : number, optional
        Chips of each player, the ante included; by default so many that no bet is cut to all-in.
    """
    name = shortest_spec(no_limit_leduc, locals())
    menu = _menu(bets, bets)
    _check_caps("max_raises", max_raises, 2)
    chips = _deep_stack(menu, sum(max_raises)) if stack is None else exact(stack, "stack")
    if chips < 1:
        raise BadInputError(f"stack must be at least the ante of 1, got {shown(stack)}")
    betting = Betting(
        first=(0, 0),
        invested=(Fraction(1), Fraction(1)),
        stacks=(chips - 1, chips - 1),
        raise_sizes=None,
        max_raises=tuple(max_raises),
        sizes=((menu, menu),) * 2,
    )
    return PokerGame(name, ranks, suits, 1, (0, 1), betting, "pair_with_board", suits_visible=False)


def rhode_island(ranks: int = 13, suits: int = 4, raises: int = 3) -> PokerGame:
    """Return Rhode Island hold'em: one card each, ante 5, bets 10, 20, 20 around two board cards.

    Rules as in Shi and Littman, Abstraction methods for game theoretic poker (2001).

    Parameters
    ----------
    ranks, suits : int
        The deck; the highest ranks.
    raises : int
        Bets and raises a round together, at most.
    """
    name = shortest_spec(rhode_island, locals())
    check_integer("raises", raises, 0)
    betting = _limit_betting(3, (5, 5), (10, 20, 20), (raises,) * 3, first=0)
    return PokerGame(name, ranks, suits, 1, (0, 1, 1), betting, "three_card")


def flop_holdem(
    ranks: int = 13, suits: int = 4, raises: Sequence[int] = (3, 4), flops: int | None = None
) -> PokerGame:
    """Return limit hold'em that ends on the flop.

    See :func:`limit_holdem`, and :func:`no_limit_flop_holdem` for the list of flops.
    """
    name = shortest_spec(flop_holdem, locals())
    return _with_flops(_limit_holdem(name, ranks, suits, raises, (0, 3)), flops)


def no_limit_flop_holdem(
    ranks: int = 13,
    suits: int = 4,
    *,
    bets: Menu = (0.5, 1),
    raises: Menu | None = None,
    max_raises: Sequence[int] = (1, 3),
    stack: Number = 20_000,
    blinds: Sequence[Number] = (100, 50),
    flops: int | None = None,
) -> PokerGame:
    """Return no-limit hold'em that ends on the flop, with bets by the pot; player 0 is the big blind.

    After the game of Table 2 in Brown and Sandholm, Safe and nested subgame solving for imperfect-information
    games (2017): one bet before the flop, three on it, stacks of 20,000.

    Parameters
    ----------
    ranks, suits : int
        The deck; the highest ranks.
    bets : sequence of sizes, or str
        The sizes of bets and raises in both rounds, such as 0.5 or "50%" of the pot after calling, "2e", "a";
        a raise is at least as large as the bet or blind that it answers.
    raises : sequence of sizes, or str, optional
        The sizes of raises, also of those over the blind, where they are others than those of bets.
    max_raises : sequence of two int
        Bets and raises together, at most, for each round; the blinds do not count.
    stack : number
        Chips of each player, the blind included.
    blinds : pair of numbers
        The big and the small blind.
    flops : int, optional
        A game of its own, in which the flop is drawn first, face down, from a list of so many classes of
        flops, and hands are dealt from the other cards; see ``games.poker.flop_list``. All flops unless
        given.
    """
    name = shortest_spec(no_limit_flop_holdem, locals())
    betting = _pot_betting(bets, raises, max_raises, stack, blinds, 2)
    return _with_flops(PokerGame(name, ranks, suits, 2, (0, 3), betting, "holdem"), flops)


def no_limit_turn_holdem(
    ranks: int = 13,
    suits: int = 4,
    *,
    bets: Menu = (0.5, 1),
    raises: Menu | None = None,
    max_raises: Sequence[int] = (1, 3, 3),
    stack: Number = 20_000,
    blinds: Sequence[Number] = (100, 50),
    flops: int | None = None,
) -> PokerGame:
    """Return no-limit hold'em that ends on the turn, as in Table 1 of Brown and Sandholm (2017).

    See :func:`no_limit_flop_holdem`; ``max_raises`` are three, and after a listed flop any turn may come.
    """
    name = shortest_spec(no_limit_turn_holdem, locals())
    betting = _pot_betting(bets, raises, max_raises, stack, blinds, 3)
    return _with_flops(PokerGame(name, ranks, suits, 2, (0, 3, 1), betting, "holdem"), flops)


def turn_holdem(ranks: int = 13, suits: int = 4, raises: Sequence[int] = (3, 4, 4)) -> PokerGame:
    """Return limit hold'em that ends on the turn; see :func:`limit_holdem`."""
    name = shortest_spec(turn_holdem, locals())
    return _limit_holdem(name, ranks, suits, raises, (0, 3, 1))


def limit_holdem(
    ranks: int = 13, suits: int = 4, raises: Sequence[int] = (3, 4, 4, 4), flops: int | None = None
) -> PokerGame:
    """Return heads-up limit hold'em: blinds 10 and 5, bets 10, 10, 20, 20, unlimited stacks.

    Player 0 is the big blind, who acts second before the flop and first after it.

    Parameters
    ----------
    ranks, suits : int
        The deck; the highest ranks.
    raises : sequence of int
        Bets and raises together, at most, for each round; the blinds do not count.
    flops : int, optional
        A game of its own on listed flops; see :func:`no_limit_flop_holdem`.
    """
    name = shortest_spec(limit_holdem, locals())
    return _with_flops(_limit_holdem(name, ranks, suits, raises, (0, 3, 1, 1)), flops)


def limit_holdem_subgame(
    board: str = "Kh 7s 2d",
    line: str = "rc/crc",
    ranks: int = 13,
    suits: int = 4,
    *,
    raises: Sequence[int] = (3, 4, 4, 4),
    ranges: Sequence[str] = ("all", "all"),
) -> PokerGame:
    """Return limit hold'em from the deal of the turn on, after a line of betting up to and on a flop.

    With the whole deck and all raises it is one of the 110,565 subgames of Bowling, Burch, Johanson and
    Tammelin, Heads-up limit hold'em poker is solved (2015).

    Parameters
    ----------
    board : str
        The three cards of the flop.
    line : str
        The betting before the flop and on it, such as ``cc/rc``, after which the turn is dealt.
    ranks, suits : int
        The deck; the highest ranks.
    raises : sequence of int
        As for :func:`limit_holdem`.
    ranges : pair of str
        How each player holds hands when the turn is dealt, player 0 first; the deck and the board rule out
        some.
    """
    name = shortest_spec(limit_holdem_subgame, locals())
    whole = _limit_holdem("limit_holdem", ranks, suits, raises, (0, 3, 1, 1))
    cards = _cards_on_board(board, (3,))
    whole.deck.require("board", cards)
    if line.count("/") != 1 or whole.longest_line(line) != line or whole.point(line).player != CHANCE:
        raise BadInputError(f"line must be the betting up to the turn, such as 'rc/crc', got {shown(line)}")
    subgame = subgame_of(whole, whole.point(line).betting, cards)
    return replace(subgame, name=name, ranges=_ranges(ranges, ranks, suits))


def no_limit_holdem(
    ranks: int = 13,
    suits: int = 4,
    *,
    stack: Number = 20_000,
    blinds: Sequence[Number] = (100, 50),
    bets: Menu | None = None,
    raises: Menu | None = None,
    max_raises: int | None = None,
) -> PokerGame:
    """Return heads-up no-limit hold'em; player 0 is the big blind.

    Parameters
    ----------
    ranks, suits : int
        The deck; the highest ranks.
    stack : number
        Chips of each player, the blind included.
    blinds : pair of numbers
        The big and the small blind.
    bets, raises : sequence of sizes, or str, optional
        The sizes of all rounds, such as 0.5 or "50%" of the pot after calling, "2.5x" the bet or blind faced,
        "15c" chips, "2e", "a"; without them a raise may be to any whole number of chips.
    max_raises : int, optional
        Bets and raises a round together, at most; no cap unless given.
    """
    name = shortest_spec(no_limit_holdem, locals())
    put, behind = _blinds(blinds, stack)
    sizes = None if bets is None and raises is None else (_menu(bets or (), raises or ()),) * 4
    betting = Betting(
        first=(1, 0, 0, 0),
        invested=put,
        stacks=behind,
        raise_sizes=None,
        max_raises=(max_raises,) * 4,
        sizes=None if sizes is None else tuple((menu, menu) for menu in sizes),
        min_bet=put[0],
    )
    return PokerGame(name, ranks, suits, 2, (0, 3, 1, 1), betting, "holdem")


def one_card_flop(ranks: int = 13, suits: int = 4) -> PokerGame:
    """Return no-limit hold'em that ends on a flop of one card, with one pot-size bet a round.

    Blinds 2 and 1, stacks of 162, which four rounds of pot-size bets would bring in. Trips beat pairs beat
    high cards; straights and flushes do not count. Slumbot's game ms1f1 with the betting mb1b1, on which
    its author reports what subgame solving does (github.com/ericgjackson/slumbot2019). Player 0 is the big
    blind, who acts second before the flop and first after it.

    Parameters
    ----------
    ranks, suits : int
        The deck; the highest ranks.
    """
    name = shortest_spec(one_card_flop, locals())
    menu = Sizes((Fraction(1),), (Fraction(1),))
    put, behind = (Fraction(2), Fraction(1)), (Fraction(160), Fraction(161))
    betting = Betting((1, 0), put, behind, None, (1, 1), ((menu, menu),) * 2, min_bet=put[0])
    return PokerGame(name, ranks, suits, 2, (0, 1), betting, "trips_or_pair")


def small_holdem(
    board: str = "As Kh Qs Jh 9s",
    ranks: int = 6,
    suits: int = 2,
    *,
    pot: Number = 2,
    stack: Number = 2,
    bets: Menu = (1,),
    raises: Menu = (),
    max_raises: int | None = None,
    ranges: Sequence[str] = ("all", "all"),
) -> PokerGame:
    """Return a no-limit hold'em flop, turn or river of a short deck, small enough to enumerate.

    Parameters
    ----------
    board : str
        3, 4 or 5 cards of the deck.
    ranks, suits : int
        The deck; the highest ranks.
    pot, stack : number
        Chips in the pot, half of them from each player, and behind each player.
    bets, raises : sequence of sizes, or str
        The sizes of all rounds, such as 0.5 or "50%" of the pot after calling, "2.5x" the bet faced, "15c"
        chips, "2e", "a".
    max_raises : int, optional
        Bets and raises a round together, at most; no cap unless given.
    ranges : pair of str
        Range strings; hands that the deck or the board rules out are left out.
    """
    name = shortest_spec(small_holdem, locals())
    cards = _cards_on_board(board, (3, 4, 5))
    rounds = 6 - len(cards)
    half, behind, menu = exact(pot, "pot") / 2, exact(stack, "stack"), _menu(bets, raises)
    if half <= 0:
        raise BadInputError(f"pot must be above 0, got {shown(pot)}")
    if behind < 0:
        raise BadInputError(f"stack must be at least 0, got {shown(stack)}")
    betting = Betting(
        first=(0,) * rounds,
        invested=(half, half),
        stacks=(behind, behind),
        raise_sizes=None,
        max_raises=(max_raises,) * rounds,
        sizes=((menu, menu),) * rounds,
    )
    streets, held = (0,) + (1,) * (rounds - 1), _ranges(ranges, ranks, suits)
    return PokerGame(name, ranks, suits, 2, streets, betting, "holdem", board=cards, ranges=held)


def _cards_on_board(text: str, counts: tuple[int, ...]) -> Cards:
    """Return a board of one of some numbers of cards."""
    try:
        cards = parse_cards(text)
    except ValueError as error:
        raise BadInputError(f"board: {error}") from None
    if len(cards) not in counts:
        wanted = " or ".join(map(str, counts)) if len(counts) < 3 else "3, 4 or 5"
        raise BadInputError(f"board must have {wanted} cards, got {cards_text(cards) or 'none'}")
    return cards


def _ranges(ranges: Sequence[str], ranks: int, suits: int) -> tuple[Range, Range]:
    """Return both players' ranges from their texts."""
    if len(ranges) != 2:
        raise BadInputError(f"ranges must be 2 texts, got {shown(ranges)}")
    first, second = (_short_deck_range(seat, text, ranks, suits) for seat, text in enumerate(ranges))
    return first, second


def _with_flops(game: PokerGame, flops: int | None) -> PokerGame:
    """Return a game with listed flops, of so many classes."""
    if flops is None:
        return game
    return replace(game, flops=listed_flops(game.ranks, game.suits, flops))


def _pot_betting(
    bets: Menu,
    raises: Menu | None,
    max_raises: Sequence[int],
    stack: Number,
    blinds: Sequence[Number],
    rounds: int,
) -> Betting:
    """Return betting with blinds and one menu for all rounds."""
    menu = _menu(bets, bets if raises is None else raises)
    _check_caps("max_raises", max_raises, rounds)
    put, behind = _blinds(blinds, stack)
    first = (1, *(0,) * (rounds - 1))
    return Betting(first, put, behind, None, tuple(max_raises), ((menu, menu),) * rounds, min_bet=put[0])


def _blinds(blinds: Sequence[Number], stack: Number) -> tuple[Pair, Pair]:
    """Return the big and the small blind, and what is behind them."""
    big, small = _several("blinds", blinds, 2)
    if not (big > 0 and small >= 0):
        raise BadInputError(f"blinds must be the big one, above 0, and the small one, got {shown(blinds)}")
    chips = exact(stack, "stack")
    if chips < max(big, small):
        raise BadInputError(f"stack must be at least the blinds {shown(blinds)}, got {shown(stack)}")
    return (big, small), (chips - big, chips - small)


def _limit_holdem(
    name: str, ranks: int, suits: int, raises: Sequence[int], board_cards: tuple[int, ...]
) -> PokerGame:
    rounds = len(board_cards)
    betting = _limit_betting(rounds, (10, 5), (10, 10, 20, 20)[:rounds], raises, first=1)
    return PokerGame(name, ranks, suits, 2, board_cards, betting, "holdem")


def _limit_betting(
    rounds: int, invested: Sequence[Number], bets: Sequence[Number], raises: Sequence[int], *, first: int
) -> Betting:
    put = _several("invested", invested, 2)
    sizes = _several("bets", bets, rounds)
    if min(sizes) <= 0:
        raise BadInputError(f"bets must be {rounds} numbers above 0, got {shown(bets)}")
    _check_caps("raises", raises, rounds)
    return Betting((first, *(0,) * (len(sizes) - 1)), (put[0], put[1]), None, sizes, tuple(raises))


def _check_caps(what: str, caps: Sequence[int], rounds: int) -> None:
    """Refuse caps on raises that are not one integer a round."""
    if len(caps) != rounds or min(caps) < 0:
        raise BadInputError(f"{what} must be {rounds} integers of at least 0, got {shown(caps)}")


def _several(what: str, values: Sequence[Number], count: int) -> tuple[Fraction, ...]:
    if len(values) != count:
        raise BadInputError(f"{what} must be {count} numbers, got {shown(values)}")
    return tuple(exact(value, what) for value in values)


def _menu(bets: Menu, raises: Menu) -> Sizes:
    return Sizes(size_menu("bets", bets), size_menu("raises", raises))


def _deep_stack(menu: Sizes, raises: int) -> Fraction:
    """Return twice the chips that a player has put in after ``raises`` raises of the largest size, ante 1."""
    sizes = [size for size in menu.raises if isinstance(size, Fraction)]
    if len(sizes) < len(menu.raises):
        raise BadInputError("stack must be given where bets are not all fractions of the pot, got none")
    if raises > MOST_RAISES:
        got = shown(raises)
        raise BadInputError(
            f"max_raises must be at most {MOST_RAISES} together unless stack is given, got {got}"
        )
    # A bet of x times the pot 2 t raises its player's chips in the pot from t to t + 2 x t.
    return 2 * (1 + 2 * max(sizes, default=Fraction(0))) ** raises


def _short_deck_range(seat: int, text: str, ranks: int, suits: int) -> Range:
    in_deck = set(Deck(ranks, suits, top_is_king=False).cards)
    try:
        hands = parse_range(text)
    except ValueError as error:
        raise BadInputError(f"ranges[{seat}]: {error}") from None
    return {hand: weight for hand, weight in hands.items() if in_deck.issuperset(hand)}
