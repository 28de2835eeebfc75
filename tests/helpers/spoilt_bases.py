"""Runs of HiGHS whose final basis is another."""

from dataclasses import replace

import numpy as np

from treeplex.seqform.programs.highs import run_highs


def spoil(kind):
    """Return a stand-in for run_highs whose basis is of no use, or far from optimal."""

    def run(program, solver, **options):
        true = run_highs(program, solver, **options)
        n, m = len(true.basic_cols), len(true.basic_rows)
        cols, rows = {
            "slack": (np.zeros(n, bool), np.ones(m, bool)),
            "last": (np.arange(n) >= n - 1, np.arange(m) < m - 1),
            "first columns": (np.arange(n) < m, np.zeros(m, bool)),
            "singular": (np.arange(n) < 5, np.arange(m) >= 5),
            "none": (np.zeros(n, bool), np.zeros(m, bool)),
            "other end": (true.basic_cols[::-1], true.basic_rows[::-1]),
        }[kind]
        return replace(true, basic_cols=cols, basic_rows=rows)

    return run
