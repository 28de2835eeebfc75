"""What tests of figures share."""

import pytest
from matplotlib.figure import Figure


@pytest.fixture
def axes():
    """Axes of a figure of their own, which nobody shows."""
    return Figure().subplots()
