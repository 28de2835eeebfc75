"""Kernels that tests compile are kept by their sources, for child processes too; imported before numba is."""

import os

LOCATORS = (
    "treeplex.process.kernel_cache.BySources",
    "InTreeCacheLocator",
    "UserWideCacheLocator",
    "IPythonCacheLocator",
)
os.environ.setdefault("NUMBA_CACHE_LOCATOR_CLASSES", ",".join(LOCATORS))
