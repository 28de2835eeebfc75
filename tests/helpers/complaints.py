"""What no error of one line may hold."""

import re

INTERNALS = re.compile(
    r"Traceback|sys\.|Errno|Fraction\(|Path\(|Decimal|<class|object at|NoneType|\bdict\b|unpack|codec"
    r"|not iterable|\bint\b|\bstr\b|\bfloat\b|integer string conversion|subscriptable|list index|unhashable"
)
"""Words of Python, which are nothing to a user."""
