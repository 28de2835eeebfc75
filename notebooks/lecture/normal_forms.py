"""Normal forms: payoff matrices, two rows mixed, complementary slackness, growth beside the sequence form."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike, NDArray

from lecture.style import BLUE, GREEN, GREY, INK, ORANGE, PURPLE, SKY
from treeplex.seqform.forms.normal_form import NormalForm
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.programs.sequence_program import sequence_program

COLUMN_COLOURS = (BLUE, GREEN, PURPLE, SKY)


def draw_payoffs(ax: Axes, nf: NormalForm) -> None:
    """Draw a payoff matrix as a picture, a pixel an entry: blue is good for player 0, red for player 1."""
    payoffs = nf.payoffs
    most = np.abs(payoffs).max()
    image = ax.imshow(payoffs, cmap="RdBu", vmin=-most, vmax=most, aspect="auto", interpolation="nearest")
    assert ax.figure is not None
    ax.figure.colorbar(image, ax=ax, label=f"player 0's payoff, {nf.form.unit}")
    ax.set_xlabel("reduced pure strategies of player 1")
    ax.set_ylabel("of player 0")


def draw_columns(ax: Axes, payoff: ArrayLike) -> None:
    """Draw what each column leaves player 0, who mixes two rows, and the guarantee: the lowest line.

    Parameters
    ----------
    payoff : (2, C) numbers
        Player 0's payoffs.
    """
    first, second = np.asarray(payoff, dtype=np.float64)
    p = np.linspace(0, 1, 201)
    lines = np.outer(p, first) + np.outer(1 - p, second)
    for column, (line, colour) in enumerate(zip(lines.T, COLUMN_COLOURS, strict=False)):
        ax.plot(p, line, color=colour, lw=1.5, label=f"column {column}")
    lowest = lines.min(axis=1)
    ax.plot(p, lowest, color=INK, lw=4, alpha=0.35, label="the guarantee")
    ax.plot(p[lowest.argmax()], lowest.max(), "o", color=INK, ms=8)
    room = 0.4 * np.ptp(lines)  # for a legend
    ax.set(xlabel="probability of row 0", ylabel="player 0's payoff", xlim=(0, 1))
    ax.set_ylim(top=lines.max() + room)


def draw_slackness(
    ax: Axes, names: Sequence[str], weights: NDArray[np.float64], slacks: NDArray[np.float64], most: float
) -> None:
    """Draw weights upwards and slacks downwards, slacks in parts of ``most``: never both at one name."""
    for values, scale, colour, label in (
        (weights, 1.0, BLUE, "weight in the optimal plan"),
        (slacks, -most, ORANGE, "slack: what the sequence would cost"),
    ):
        ax.bar(range(len(names)), values / scale, color=colour, width=0.7, label=label)
    ax.axhline(0, color=INK, lw=1)
    ax.set_xticks(range(len(names)), list(names), rotation=90, fontsize=9)
    ax.set(ylim=(-1.1, 1.1))
    ax.set_yticks([-1, -0.5, 0, 0.5, 1], [f"{most:.3f}", f"{most / 2:.3f}", "0", "0.5", "1"])


def program_size(form: SequenceForm) -> int:
    """Return the nonzeros of player 0's linear program of a sequence form, nothing merged or removed."""
    return int(sequence_program(form, 0).program.nnz)


def draw_growth(ax: Axes, sizes: Mapping[str, tuple[int, float]]) -> None:
    """Draw games by the size of their sequence-form program and of their normal form.

    Parameters
    ----------
    sizes : mapping of str to (int, float)
        For each game the nonzeros of its program and the decimal logarithm of its matrix's entries.
    """
    for name, (nonzeros, digits) in sizes.items():
        ax.plot(nonzeros, digits, "o", color=ORANGE, ms=7)
        ax.annotate(name, (nonzeros, digits), xytext=(6, -11), textcoords="offset points", fontsize=9)
    across = np.array([10.0, 1e4])
    ax.plot(across, np.log10(across), color=GREY, ls="--", label="as many entries as nonzeros")
    ax.set(xscale="log", xlabel="nonzeros of the sequence-form program", xlim=(15, 6e3))
    ax.set_ylabel("entries of the normal form, as a power of ten")
