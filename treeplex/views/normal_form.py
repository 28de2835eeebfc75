"""Normal forms of small games."""

from treeplex.core.loading import GameLike, load
from treeplex.core.progress import Progress, silent
from treeplex.seqform.forms.normal_form import NormalForm, normal_form_of


def normal_form(game: GameLike, *, progress: Progress = silent) -> NormalForm:
    """Write a tiny game as a matrix: the exact payoff of each pair of reduced pure strategies.

    A reduced pure strategy chooses one action at each infoset to which its own earlier choices lead. Their
    number grows exponentially with the game, so that this is for games to look at.

    Parameters
    ----------
    game : str, Path, Game or Problem
        Such as ``kuhn_poker``.
    progress : callable, optional

    Returns
    -------
    NormalForm
        Its ``as_game()`` is solved by :func:`treeplex.solve`.

    Raises
    ------
    ValueError
        If the spec is unknown or malformed, or the matrix would have more than a million entries.

    Examples
    --------
    >>> normal_form("coin_toss")
    NormalForm(coin_toss: 4 x 3 reduced pure strategies)
    """
    return normal_form_of(load(game, progress=progress).form)
