"""The bench: what is verified, examined, challenged and reproduced."""
