"""Medium games: trees walked history by history, large programs, programs made sparse."""

from dataclasses import replace
from typing import Any

from benchmarks.measure import Case, main
from benchmarks.seqform.bench_lp import proved, warm
from benchmarks.seqform.greedy_rank_one import rank_one_pieces
from treeplex import LPSize, load, solve
from treeplex.games.formats.specs import load_game
from treeplex.seqform.forms.sequence_form import SequenceForm, tree_form
from treeplex.seqform.programs.lp_solution import solve_lp
from treeplex.seqform.reductions.removed_infosets import without_forced_moves
from treeplex.seqform.reductions.sparsification import running_differences
from treeplex.seqform.trees.game_tree import build_tree


def walked(spec: object) -> str:
    tree = build_tree(load_game(str(spec)))
    return f"{tree.n_nodes:,} histories of {spec}"


def built_and_solved(spec: object) -> str:
    problem = load(str(spec))
    result = solve(problem)
    size = result.fact(LPSize)
    assert size is not None
    return f"{spec}: {size.n_rows:,} rows, {size.nnz:,} nonzeros; {proved(result)}"


def kuhn(ranks: int = 400) -> SequenceForm:
    """Return Kuhn poker as if nothing were known of its cards, kernels warm."""
    warm("leduc_poker")
    warm_form = tree_form(build_tree(load_game("kuhn_poker(ranks=20)")))
    for factor in (running_differences, rank_one_pieces):
        factor(warm_form.payoff.base)
    return without_forced_moves(tree_form(build_tree(load_game(f"kuhn_poker(ranks={ranks})")))).form


def solved(form: SequenceForm) -> str:
    solution = solve_lp(form)
    entries, nnz = form.payoff.n_entries, solution.program.program.nnz
    value, width = float(solution.certificate.value), solution.certificate.nash_conv
    return (
        f"{entries:,} entries of the payoff, {nnz:,} nonzeros; value {value:.9f}, "
        f"proved to {width:.1e} by {solution.solver}"
    )


def plain(form: Any) -> str:
    return solved(form)


def differences(form: Any) -> str:
    return solved(replace(form, payoff=running_differences(form.payoff.base)))


def rank_one(form: Any) -> str:
    return solved(replace(form, payoff=rank_one_pieces(form.payoff.base)))


def ready(spec: str) -> str:
    """Load the kernels that a linear program and its certificate need, and no more: memory is measured."""
    solve("coin_toss")
    solve("kuhn_poker")
    return spec


DICE, LEDUC, GOOFSPIEL = "liars_dice(faces=6)", "leduc_poker(ranks=13)", "goofspiel(cards=6)"
CASES = [
    Case("dice", "6 CPU s, 300 MB, building included", lambda: ready(DICE), built_and_solved),
    Case("leduc-13", "10 CPU s, building included", lambda: ready(LEDUC), built_and_solved),
    Case("walk-leduc-13", "seconds for a million histories", lambda: LEDUC, walked),
    Case("walk-goofspiel-6", "seconds for a million histories", lambda: GOOFSPIEL, walked),
    Case("kuhn-400", "none: the plain program", kuhn, plain),
    Case("kuhn-400-differences", "a twentieth of kuhn-400, search included", kuhn, differences),
    Case("kuhn-400-rank-one", "none: Zhang and Sandholm's greedy factoring", kuhn, rank_one),
]

if __name__ == "__main__":
    main("benchmarks.seqform.bench_medium", CASES)
