"""Tables and figures of papers computed again, beside the printed numbers."""
