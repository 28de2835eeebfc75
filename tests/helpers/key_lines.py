"""Infosets and their actions as docs/STRATEGY_FILES.md shows them; as a program it prints all."""

import treeplex as tp

EACH = 4
"""Infosets of each player that the page shows."""
SPECS = (
    "kuhn_poker",
    "leduc_poker",
    "leduc_poker(suits_visible=true)",
    "no_limit_leduc(stack=5)",
    "rhode_island(ranks=2,suits=2,raises=1)",
    'small_holdem(board="Ah Ks Qh Jh",ranks=5)',
    "one_card_flop(ranks=2)",
    "flop_holdem(ranks=2,raises=[1,1])",
    "no_limit_flop_holdem(ranks=2,bets=[1],max_raises=[1,1],stack=400)",
    "no_limit_turn_holdem(ranks=2,bets=[1],max_raises=[1,0,0],stack=400)",
    "turn_holdem(ranks=2,raises=[1,0,0])",
    "limit_holdem(ranks=5,suits=2,raises=[0,0,0,0])",
    'limit_holdem_subgame(board="Ah Ks Qh",line="cc/cc",ranks=5,suits=2,raises=[0,0,0,1])',
    "no_limit_holdem(ranks=5,suits=2,stack=300,max_raises=0)",
    "push_fold",
    "coin_toss",
    "coin_toss(subgames=2)",
    "matrix_game(payoff=[[1,-1],[-1,1]])",
    "dummy_pennies",
    "dummy_pennies(mover=0)",
    "goofspiel(cards=3)",
    "goofspiel(cards=3,order=random,information=bids)",
    "liars_dice(dice=1,faces=3)",
    "oshi_zumo(coins=3,horizon=3)",
    "oshi_zumo(coins=3,horizon=3,information=winner)",
    "phantom_mnk(rows=2,columns=2)",
    "battleship(rows=2,columns=2,ships=[2,1],shots=2)",
    "sheriff(items=2,bribes=1,rounds=2)",
    "patrol",
    "patrol(watch=false,alarm=located)",
    "auction",
    "auction(information=price)",
    "auction(information=bids)",
    "random_game(seed=3,depth=4,actions=3)",
)
"""Small games, one of every family at least."""


def lines_of(spec: str) -> list[str]:
    """Return player, infoset and actions at some infosets, spread over all in the order of the game."""
    found = []
    for player, treeplex in enumerate(tp.load(spec).form.treeplexes):
        for k in _spread(treeplex.n_infosets):
            actions = treeplex.actions[treeplex.begin[k] : treeplex.end[k]]
            found.append((str(player), treeplex.infosets[k], " ".join(actions)))
    width = max(len(infoset) for _, infoset, _ in found)
    return [f"{player}  {infoset.ljust(width)}  {actions}" for player, infoset, actions in found]


def _spread(number: int) -> list[int]:
    """Return some of so many places, not all the same distance apart: infosets of one kind often are."""
    return sorted({min(k * number // EACH + k, number - 1) for k in range(EACH)})


if __name__ == "__main__":
    for one in SPECS:
        print(f"Of `{one}`:\n", "```", *lines_of(one), "```\n", sep="\n")
