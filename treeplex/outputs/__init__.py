"""Outputs: where paths lead, formats, files written whole, streams written straight."""
