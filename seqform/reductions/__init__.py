"""Smaller games with the same value: each an apply and a lift."""
