"""What is drawn is short in a terminal."""

import treeplex as tp


def test_the_repr_of_a_picture_is_a_word_or_two():
    assert repr(tp.draw("coin_toss")) == "TreePicture(game tree)"
    assert repr(tp.show("kuhn_poker")) == "Picture(strategy)"
