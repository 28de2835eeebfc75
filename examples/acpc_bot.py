"""A program that plays poker over the competition's protocol: python acpc_bot.py PORT [call|random] [SEED].

It needs no game's file: it calls, or now and then offers a raise, which the dealer makes a call if it is none.
"""

import random
import socket
import sys


def answer(betting: str, manner: str, numbers: random.Random) -> str:
    """Return an action after a betting: c, f, r where the game is a limit game, rN where it is not."""
    if manner == "call":
        return "c"
    sizes = [int(part) for part in betting.replace("/", "").replace("c", "").split("r") if part.isdigit()]
    raises = f"r{2 * max(sizes)}" if sizes else "r"
    return numbers.choice(["c", "c", "f", raises])


def main() -> None:
    """Play until the dealer closes the connection."""
    port, manner = int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "call"
    numbers = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    with socket.create_connection(("127.0.0.1", port)) as dealer:
        dealer.sendall(b"VERSION:2.0.0\n")
        for line in dealer.makefile("r", encoding="ascii", newline="\r\n"):
            state = line.strip()
            if not state.startswith("MATCHSTATE:"):
                continue
            betting, cards = state.split(":")[3:]
            hidden = "" in cards.split("/")[0].split("|")
            if hidden and not betting.endswith("f"):  # not over; the dealer ignores who is not to act
                dealer.sendall(f"{state}:{answer(betting, manner, numbers)}\r\n".encode())


if __name__ == "__main__":
    main()
