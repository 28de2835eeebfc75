"""Figures of the notebooks on subgames: Coin Toss, margins and gifts, a gadget of one's own."""
