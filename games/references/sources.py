"""Sources that references of several kinds of games share."""

EXACT_LP = "a separate sequence-form program, its basis solved and checked in rational arithmetic"
FLOAT_LP = "a separate sequence-form program in double precision"
