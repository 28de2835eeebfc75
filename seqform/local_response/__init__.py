"""Lower bounds on exploitability where no best response can be computed: a local best response, sampled."""
