"""An exact-solver workbench for two-player zero-sum games of imperfect information.

>>> import treeplex as tp
>>> r = tp.solve("kuhn_poker", exact=True)
>>> r.exact_value
Fraction(-1, 18)
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
