"""Functions that tests call in child processes."""


def doubled(number):
    """Return twice a number."""
    return 2 * number


def told(text):
    """Print a text and return it."""
    print(text, flush=True)
    return text
