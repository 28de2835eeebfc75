"""Games that are not poker: auctions, dice, pursuit, bargaining, matrices, random games."""
