"""Tables and figures of papers computed again, and the reference pack."""
