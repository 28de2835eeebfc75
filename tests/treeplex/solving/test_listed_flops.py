"""Every method that fits agrees on a game with listed flops."""

from fractions import Fraction

import pytest

import treeplex as tp


@pytest.mark.seconds(20)
def test_all_methods_agree():
    found = tp.crosscheck("flop_holdem(ranks=4,suits=2,raises=[0,1],flops=3)")
    assert found.passed
    assert found.rows[0].exact_value == Fraction(-41, 42)
    assert {row.form for row in found.rows} == {"tree", "public", "boards"}
