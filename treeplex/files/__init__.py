"""Files: outputs, strategies, abstractions, figures, checkpoints, stores of split runs."""
