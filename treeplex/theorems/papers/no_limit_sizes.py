"""Johanson 2013: sizes of no-limit games by counting, here of betting lines times deals."""

from collections.abc import Iterator
from dataclasses import replace

from treeplex.games.counting.betting_counts import count_betting
from treeplex.games.counting.game_sizes import GameSizes, game_sizes
from treeplex.games.holdem.named import no_limit_holdem
from treeplex.games.poker.betting import HAND_OVER, ROUND_OVER, Betting
from treeplex.games.poker.game import PokerGame
from treeplex.games.specs.specs import load_game
from treeplex.seqform.forms.public_form import sequence_form
from treeplex.seqform.lp.program import sequence_program
from treeplex.seqform.trees.public_compiler import compile_public
from treeplex.theorems.effort import Effort
from treeplex.theorems.prepared import enumerated, problem
from treeplex.theorems.theorem import Comparison, Instance, Theorem, Twin

SOURCE = "Johanson, Measuring the size of large no-limit poker games, 2013"
ROYAL = "two rounds of no-limit royal hold'em"
OF_2007, OF_2009 = "no_limit_holdem(stack=1000,blinds=[2,1])", "no_limit_holdem(stack=400,blinds=[2,1])"
PUBLISHED = {
    OF_2009: (
        1375203442350500983963565602824903351778252845259200,
        1389094358906842392181537788403345780331801813952,
        180091019297791288982204479657796281550065385037,
    ),
    OF_2007: (
        7159379256300503000014733539416250494206634292391071646899171132778113414200,
        7231696218395692677395045408177846358424267196938605536692771479904913016,
        937575457443070937268150407671117224976700640913137221641272121424098561,
    ),
    "no_limit_holdem": (
        int(
            "631143875439997536762421500982349491523134755009560867161754754138543071866492234040"
            "692467854187671526019435023155654264055463548134458792123919483147215176128484600"
        ),
        int(
            "637519066101007550690301496238244324920475418719042634144396116764136550474559674075"
            "887513367166011522983983431697050644965107911879207553424525286198175080441144"
        ),
        int(
            "826531171899018270682034166693196413261555499632893359948529245371259341349248449705"
            "14122385645557438192782454335992412716935898684703899327697523295834972572001"
        ),
    ),
}
"""Game states, infosets, and actions of infosets up to suits, of both players."""
QUICK = (
    "kuhn_poker(ranks=20)",
    "leduc_poker(raises=1,suits_visible=true)",
    "leduc_poker(ranks=5,suits=3,raises=1)",
    "small_holdem(stack=0)",
    'small_holdem(ranges=["AQ,KJ","TT,AA"])',
)
MORE = (
    "rhode_island(ranks=3,suits=2,raises=1)",
    "no_limit_leduc",
    "leduc_poker(ranks=14,suits=1,raises=0)",
    "no_limit_leduc(stack=9,bets=[1/2,1,a],max_raises=[2,2])",
    "rhode_island(ranks=4,suits=1,raises=2)",
    "flop_holdem(ranks=4,suits=2,raises=[1,0])",
    'small_holdem(board="As Kh Qs Jh",ranks=7,ranges=["JT,QJ,KT","KQ,TT"],bets=[1,a],raises=[a])',
)


def _acpc(effort: Effort) -> Iterator[Instance]:
    for spec in effort.choose((OF_2009, OF_2007), ("no_limit_holdem",)):
        yield Instance(spec)
    yield Instance(choice=ROYAL)


def _royal() -> GameSizes:
    """Return the sizes of table 7: 20 chips, blinds 1 and 2, a deck of the five highest ranks."""
    four = no_limit_holdem(5, stack=20, blinds=(2, 1))
    betting = replace(four.betting, first=(1, 0), max_raises=(None, None))
    return game_sizes(PokerGame("royal", 5, 4, 2, (0, 3), betting, "holdem"))


def _published(instance: Instance) -> Iterator[Comparison]:
    if instance.choice == ROYAL:
        for one, infosets, actions in zip(
            _royal().rounds, (29_700, 155_168_960), (89_025, 447_100_160), strict=True
        ):
            yield Comparison(sum(one.canonical_infosets or ()), infosets, at=f"infosets, {one.n_board} cards")
            yield Comparison(sum(one.canonical_sequences or ()), actions, at=f"actions, {one.n_board} cards")
        return
    sizes, (states, infosets, actions) = problem(instance.game).sizes, PUBLISHED[instance.game]
    yield Comparison(sizes.decision_states, states, at="states")
    yield Comparison(sum(sizes.infosets), infosets, at="infosets")
    yield Comparison(sum(sizes.canonical_sequences or ()) - 2, actions, at="actions up to suits")


def _all_suits_alike(instance: Instance) -> Iterator[Comparison]:
    if instance.game:
        sizes = problem(instance.game).sizes
        yield Comparison(24 * sum(sizes.canonical_infosets or ()), sum(sizes.infosets))


PUBLISHED_SIZES = Theorem(
    name="no-limit-sizes",
    plain="Betting lines counted without enumeration, times deals, give all digits of the published numbers "
    "of states, infosets and actions of no-limit hold'em.",
    tex=r"|\mathcal I| = \sum_r |\text{lines}_r| \cdot |\text{deals}_r|",
    source=SOURCE,
    relation="==",
    instances=_acpc,
    measure=_published,
    tolerance=0.0,
    twin=Twin("Infosets are 24 times those up to suits.", _all_suits_alike),
)


def _built(effort: Effort) -> Iterator[Instance]:
    for spec in effort.choose(QUICK, MORE):
        yield Instance(spec)


def _poker(spec: str) -> PokerGame:
    game = load_game(spec)
    if not isinstance(game, PokerGame):
        raise TypeError(f"sizes are counted for poker games, got {spec}")
    return game


def _counted(instance: Instance) -> Iterator[Comparison]:
    game = _poker(instance.game)
    sizes, form = game_sizes(game), sequence_form(compile_public(game), factored=False)
    for player in (0, 1):
        rows, columns = sequence_program(form, player).program.matrix.shape
        yield Comparison(sizes.infosets[player], form.n_infosets[player], at=f"infosets of {player}")
        yield Comparison(sizes.sequences[player], form.n_sequences[player], at=f"sequences of {player}")
        yield Comparison(sizes.lp_rows[player], rows, at=f"rows of {player}")
        yield Comparison(sizes.lp_cols[player], columns, at=f"columns of {player}")
    tree = enumerated(instance.game).tree
    yield Comparison(sizes.decision_states, int((tree.player >= 0).sum()), at="states")
    yield Comparison(sizes.leaf_states, len(tree.leaves), at="leaves")


def _lines_for_leaves(instance: Instance) -> Iterator[Comparison]:
    sizes, tree = problem(instance.game).sizes, enumerated(instance.game).tree
    dealt = sizes.rounds[-1].deals.dealt
    yield Comparison(sizes.leaves * dealt, len(tree.leaves))


COUNTED_SIZES = Theorem(
    name="counted-sizes-are-built",
    plain="Infosets, sequences, program sizes, states and leaves counted without building a game are those "
    "of its tree and its program.",
    tex=r"|\Sigma_i| = 1 + \sum_r |\text{actions}_{i,r}| \cdot |\text{deals}_{i,r}|",
    source=f"{SOURCE}; compared with built games here",
    relation="==",
    instances=_built,
    measure=_counted,
    tolerance=0.0,
    twin=Twin("Every betting line ends with a full board.", _lines_for_leaves),
)


COUNTS = ("decisions", "actions", "folds", "showdowns")


def _bettings(effort: Effort) -> Iterator[Instance]:
    quick = (
        "no_limit_holdem(stack=8,blinds=[2,1])",
        "no_limit_holdem(stack=9,blinds=[3/2,1])",
        "no_limit_holdem(stack=8,blinds=[1,1/2],bets=[1,a],raises=[a])",
        "leduc_poker",
        "limit_holdem(raises=[1,2,1,0])",
    )
    more = (
        "no_limit_holdem(stack=12,blinds=[2,1])",
        "no_limit_holdem(stack=25/3,blinds=[4/3,1/2],max_raises=2)",
        "no_limit_leduc",
        "limit_holdem(raises=[2,2,1,1])",
    )
    for spec in effort.choose(quick, more):
        yield Instance(spec)


def _walked(betting: Betting) -> list[tuple[int, int, int, int]]:
    """Return decisions, actions, folds and showdowns of each round, one line after the other."""
    found = [[0, 0, 0, 0] for _ in range(betting.n_rounds)]
    todo = [(betting.root(), 0)]
    while todo:
        state, last = todo.pop()
        if state.player == ROUND_OVER:
            todo.append((betting.next_round(state), last))
        elif state.player == HAND_OVER:
            found[last][2 if state.folded >= 0 else 3] += 1
        else:
            children = betting.legal(state)
            found[state.round][0] += 1
            found[state.round][1] += len(children)
            todo += [(child, state.round) for _, child in children]
    return [(row[0], row[1], row[2], row[3]) for row in found]


def _lines(instance: Instance) -> Iterator[Comparison]:
    betting = _poker(instance.game).betting
    for k, (one, walked) in enumerate(zip(count_betting(betting).rounds, _walked(betting), strict=True)):
        counted = sum(one.decisions), sum(one.actions), one.folds, one.showdowns
        for name, left, right in zip(
            ("decisions", "actions", "folds", "showdowns"), counted, walked, strict=True
        ):
            yield Comparison(left, right, at=f"{name}, round {k}")


def _two_actions_each(instance: Instance) -> Iterator[Comparison]:
    for k, (decisions, actions, _, _) in enumerate(_walked(_poker(instance.game).betting)):
        yield Comparison(2 * decisions, actions, at=f"round {k}")


COUNTED_LINES = Theorem(
    name="counted-lines-are-walked",
    plain="Decisions, actions, folds and showdowns of each round, by merged states and by partitions of "
    "chips, are those of a walk over all betting lines.",
    tex=r"q^{km} / \big((1 - q) \cdots (1 - q^k)\big)",
    source=f"{SOURCE}; partitions derived here",
    relation="==",
    instances=_bettings,
    measure=_lines,
    tolerance=0.0,
    twin=Twin("Each decision has two actions.", _two_actions_each),
)

THEOREMS = (PUBLISHED_SIZES, COUNTED_SIZES, COUNTED_LINES)
