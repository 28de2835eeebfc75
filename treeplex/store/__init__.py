"""Files: strategies, checkpoints, traces, figures."""
