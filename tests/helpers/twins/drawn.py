"""Games written down as nested tuples."""

from treeplex.games.base.protocol import CHANCE, TERMINAL


class Drawn:
    """A game written down as nested tuples.

    A leaf is ``("leaf", payoff)``, a chance node ``("chance", (label, weight, node), ...)``, a decision
    ``(player, key, (action, node), ...)``. The idle player's key is the history.
    """

    name, unit = "drawn", "points"

    def __init__(self, *node):
        self.node = node

    def root(self):
        return ()

    def at(self, state):
        node = self.node
        for label in state:
            node = next(
                branch[-1] for branch in node[1 if node[0] == "chance" else 2 :] if branch[0] == label
            )
        return node

    def player(self, state):
        kind = self.at(state)[0]
        return {"leaf": TERMINAL, "chance": CHANCE}.get(kind, kind)

    def actions(self, state):
        return tuple(branch[0] for branch in self.at(state)[2:])

    def chance(self, state):
        return [branch[:2] for branch in self.at(state)[1:]]

    def child(self, state, action):
        return (*state, action)

    def infoset(self, state, player):
        node = self.at(state)
        return node[1] if node[0] == player else "|".join(state)

    def public(self, state):
        return str(len(state))

    def payoff(self, state):
        return self.at(state)[1]


def leaf(payoff=0):
    return ("leaf", payoff)


def coin(*weights, nodes=None):
    nodes = nodes or [leaf(k) for k in range(len(weights))]
    return ("chance", *((f"o{k}", w, n) for k, (w, n) in enumerate(zip(weights, nodes, strict=True))))
