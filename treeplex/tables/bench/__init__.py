"""Results of the bench as tables for terminals: theorems, challenges, examinations, reproductions."""
