"""Sequence-form linear programs: assembly, scaling, HiGHS."""
