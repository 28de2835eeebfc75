"""What hands win at decisions if both players play a strategy: by a walk of the rules, history by history."""

from collections import defaultdict

from treeplex.games.base.protocol import CHANCE, TERMINAL


def played_by_hand(game, strategy):
    """Return {(player, line, board, hand): (value, met)} at all decisions, whoever acts, on real boards.

    The value sums reach times expected payoff over the opponent's hands, met the reach alone.
    """
    found = defaultdict(lambda: [0.0, 0.0])
    played = defaultdict(list)
    for player, infoset, action, p in strategy.rows():
        played[player, infoset].append((action, p))

    def walk(state, reach):
        """Return player 0's expected payoff below a state, reached so by each player's own actions."""
        player = game.player(state)
        if player == TERMINAL:
            return float(game.payoff(state))
        if player == CHANCE:
            return sum(float(p) * walk(game.child(state, o), reach) for o, p in game.chance(state))
        worth = 0.0
        for action, p in played[player, game.infoset(state, player)]:
            after = (reach[0] * p, reach[1]) if player == 0 else (reach[0], reach[1] * p)
            worth += p * walk(game.child(state, action), after)
        for p in (0, 1):
            entry = found[p, state.line, state.board, state.hands[p]]
            entry[0] += reach[1 - p] * (worth if p == 0 else -worth)
            entry[1] += reach[1 - p]
        return worth

    walk(game.root(), (1.0, 1.0))
    return dict(found)
