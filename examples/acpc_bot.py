"""A program that plays over the competition's protocol: python acpc_bot.py [call|random] [SEED] HOST PORT."""

import random
import re
import socket
import sys


def acts(position: str, betting: str, cards: str) -> bool:
    """Return whether it is this player's turn: hold'em's first round begins with position 1, not 0."""
    mine, other = sorted(cards.split("/", maxsplit=1)[0].split("|"), key=len, reverse=True)
    if other or betting.endswith("f"):  # the hand is over
        return False
    moves, is_first = re.findall("[cr]", betting.rpartition("/")[2]), "/" not in betting
    return (len(moves) + (is_first and len(mine) == 4)) % 2 == int(position)


def main() -> None:
    """Play until the dealer closes the connection; a raise that is not legal is made a call there."""
    *options, host, port = sys.argv[1:]
    manner, seed = [*options, *("call", "1")[len(options) :]]
    numbers = random.Random(int(seed))
    with socket.create_connection((host, int(port))) as dealer:
        dealer.sendall(b"VERSION:2.0.0\n")
        for line in dealer.makefile("r", encoding="ascii", newline="\r\n"):
            state = line.strip()
            if state.startswith("MATCHSTATE:"):
                _, position, _, betting, cards = state.split(":")
                if acts(position, betting, cards):
                    sizes = [int(size) for size in re.findall(r"r(\d+)", betting)]
                    raised = f"r{2 * max(sizes)}" if sizes else "r"  # r is all that limit games have
                    action = "c" if manner == "call" else numbers.choice(["c", "c", "c", raised])
                    dealer.sendall(f"{state}:{action}\r\n".encode())


if __name__ == "__main__":
    main()
