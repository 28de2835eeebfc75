"""Behaviour in fractions: from exact plans and back, and as text."""

from fractions import Fraction
from typing import TypeAlias

from treeplex.games.base.number_texts import exact_text
from treeplex.seqform.certify.certificate import ExactPlan
from treeplex.seqform.forms.treeplex import Treeplex

Odds: TypeAlias = tuple[Fraction, ...]
"""The probability of each sequence's last action at its infoset, 1 for the empty sequence, (S,)."""
Written: TypeAlias = dict[str, dict[str, str]]
"""One player's behaviour as text: a fraction by infoset and action."""


def uniform_odds(treeplex: Treeplex) -> Odds:
    """Return the behaviour that plays every action of an infoset equally often."""
    sizes = (treeplex.end - treeplex.begin).tolist()
    return (Fraction(1), *(Fraction(1, n) for n in sizes for _ in range(n)))


def odds_of(treeplex: Treeplex, plan: ExactPlan) -> Odds:
    """Return the behaviour of an exact plan, uniform at infosets that the plan does not reach."""
    num, parents = plan.num.tolist(), treeplex.parent_of.tolist()
    return tuple(
        Fraction(int(num[s]), int(num[parent])) if s and num[parent] else odds
        for s, (parent, odds) in enumerate(zip(parents, uniform_odds(treeplex), strict=True))
    )


def written(treeplex: Treeplex, odds: Odds) -> Written:
    """Return a behaviour as text, infosets and actions in the order of the treeplex."""
    texts = [exact_text(chance) for chance in odds]
    stretches = zip(treeplex.infosets, treeplex.begin.tolist(), treeplex.end.tolist(), strict=True)
    return {key: dict(zip(treeplex.actions[lo:hi], texts[lo:hi], strict=True)) for key, lo, hi in stretches}


def odds_in(treeplex: Treeplex, text: Written) -> Odds:
    """Return the behaviour that was written; raises ``KeyError`` if an infoset or an action is missing."""
    infosets = treeplex.infoset_of.tolist()
    pairs = zip(infosets[1:], treeplex.actions[1:], strict=True)
    return (Fraction(1), *(Fraction(text[treeplex.infosets[i]][action]) for i, action in pairs))
