"""Games that are not poker: auctions, dice, bids, pursuit, bargaining, hidden boards, textbook games."""
