"""Figures of a game of one's own."""

from fractions import Fraction

from matplotlib.colors import same_color

from lecture import own_game, style
from treeplex.seqform.certify.losses import Loss


def test_days_have_a_bar_for_each_series(axes):
    own_game.draw_days(axes, {"one": [0.25, 0.5], "two": [1.0, 0.0]})
    assert [bar.get_height() for bar in axes.patches] == [0.25, 0.5, 1.0, 0.0]
    assert list(axes.get_xticks()) == [1, 2]


def test_losses_have_the_colours_of_their_players(axes):
    losses = (Loss(0, "a", 0.5, {}, "x"), Loss(1, "b", 0.25, {}, "y"))
    own_game.draw_losses(axes, losses, "gold")
    assert [bar.get_width() for bar in axes.patches] == [0.5, 0.25]
    for bar, player in zip(axes.patches, (0, 1), strict=True):
        assert same_color(bar.get_facecolor(), style.STROKE[player])
    assert axes.get_xlabel() == "loss, gold"


def test_values_are_written_as_fractions(axes):
    own_game.draw_values(axes, {"a": {2: Fraction(1, 3)}, "b": {2: Fraction(0)}}, "gold")
    assert [text.get_text() for text in axes.texts] == ["1/3", "0"]
