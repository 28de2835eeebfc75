"""Best responses to strategies that ignore their cards."""
