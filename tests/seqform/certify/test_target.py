"""How wide a certificate may be: the pot, the value's bounds, the smallest and the largest payoff."""

from fractions import Fraction

import pytest

from tests.helpers.cells import over
from tests.helpers.forms import compiled, public_form
from treeplex.games.poker.named import kuhn_poker
from treeplex.games.zoo.textbook import matrix_game
from treeplex.seqform.certify.certificate import Certificate, GameScale, Target
from treeplex.seqform.reductions.removed_infosets import without_forced_moves


def proof(lower, upper):
    return Certificate((lower + upper) / 2, lower, upper, 0.0, 0.0)


@over(
    [
        (GameScale(100.0, (1.0, 500.0)), proof(-300.0, 200.0), 100.0, "the pot 100"),
        (GameScale(0.0, (1.0, 500.0)), proof(-3.0, 2.0), 3.0, "the value's bound 3"),
        (GameScale(0.0, (1.0, 500.0)), proof(-2.0, 3.0), 3.0, "the value's bound 3"),
        (GameScale(0.0, (1.0, 500.0)), proof(-0.1, 0.2), 1.0, "the smallest payoff 1"),
        (GameScale(0.0, (1.0, 500.0)), proof(-9e9, 0.2), 500.0, "the largest payoff 500"),
        (GameScale(0.0, (0.0, 0.0)), proof(0.0, 0.0), 0.0, "the smallest payoff 0"),
        (GameScale(0.0, (1.0, 2.0)), proof(Fraction(3, 2), Fraction(3, 2)), 1.5, "the value's bound 1.5"),
    ]
)
def test_the_scale_of_a_game(scale, certificate, size, text):
    assert scale.of(certificate) == size
    assert scale.text(certificate) == text


def test_a_target_in_the_unit_and_one_in_parts_of_the_scale():
    certificate = proof(-1.0, 2.0)
    assert Target(3.0).is_met(certificate)
    assert not Target(2.9).is_met(certificate)
    assert Target(2.9).missed(certificate, "chips") == "the certificate's width 3 chips is above 2.9"
    part = Target(1e-6, GameScale(100.0, (1.0, 2.0)))
    assert part.allowed(certificate) == pytest.approx(1e-4)
    assert not part.is_met(certificate)
    assert part.is_met(proof(1.0, 1.00009))
    assert part.missed(certificate, "chips") == (
        "the certificate's width 3 chips is above 0.0001 (1e-06 of the pot 100)"
    )


def test_a_game_without_payoffs_allows_no_width():
    nothing = Target(1e-6, GameScale(0.0, (0.0, 0.0)))
    assert nothing.is_met(proof(0.0, 0.0))
    assert not nothing.is_met(proof(-5e-324, 0.0))


def test_forms_know_the_smallest_and_the_largest_payoff():
    matrix = compiled(matrix_game([[0, -7], [Fraction(1, 3), 2]]))
    assert matrix.stakes == (1 / 3, 7.0)
    assert compiled(kuhn_poker()).stakes == (1.0, 2.0)
    assert public_form(kuhn_poker()).stakes == (1.0, 2.0)
    assert without_forced_moves(matrix).form.stakes == matrix.stakes
    assert compiled(matrix_game([[0, 0], [0, 0]])).stakes == (0.0, 0.0)
    beyond = compiled(matrix_game([[Fraction(10) ** 400, Fraction(1, 10**400)]]))
    assert beyond.stakes == (0.0, float("inf"))
