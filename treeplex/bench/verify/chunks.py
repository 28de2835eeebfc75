"""The work of a run: the instances of theorems and of their twins in chunks, measured here or in children."""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.measuring import Measured, described, failed, measured
from treeplex.bench.theorems.theorem import Instance, Instances, Theorem
from treeplex.bench.verify.registry import THEOREMS
from treeplex.process.children import Ended, answers_of

MOST_CHUNKS = 24
"""Of the instances of one statement."""
Answers = Generator[tuple[int, Measured], None, None]
"""Numbers of chunks and what was measured on them."""
REGISTERED: Mapping[str, Theorem] = {theorem.name: theorem for theorem in THEOREMS}


@dataclass(frozen=True)
class Chunk:
    """Some instances of one statement.

    Attributes
    ----------
    theorem : str
        Its name.
    of_twin : bool
        Whether the false twin is measured.
    instances : tuple of Instance
    begins : float
        Which part of the statement's instances lie before these.
    error : str
        What was raised where instances were to be made.
    """

    theorem: str
    of_twin: bool
    instances: tuple[Instance, ...]
    begins: float
    error: str = ""


def chunks_of(theorem: Theorem, effort: Effort) -> list[Chunk]:
    """Return the chunks of a theorem and of its twin."""
    found = _chunks(theorem.name, theorem.instances, effort, of_twin=False)
    if theorem.twin is not None:
        own = theorem.twin.instances or theorem.instances
        found += _chunks(theorem.name, own, effort, of_twin=True)
    return found


def _chunks(name: str, made: Instances, effort: Effort, *, of_twin: bool) -> list[Chunk]:
    try:
        instances = (*made(effort),)
    except Exception as error:
        return [Chunk(name, of_twin, (), 0.0, described(error))]
    n = len(instances)
    size = max(1, -(-n // MOST_CHUNKS))
    return [Chunk(name, of_twin, instances[lo : lo + size], lo / n) for lo in range(0, n, size)]


def measured_chunk(theorem: Theorem, chunk: Chunk) -> Measured:
    """Measure a theorem, or its twin, on the instances of a chunk."""
    if chunk.error:
        return failed((Instance(),), chunk.error)
    statement = theorem.twin if chunk.of_twin else theorem
    assert statement is not None
    return measured(statement.measure, theorem.relation, theorem.tolerance, chunk.instances)


def measured_here(
    theorems: Mapping[str, Theorem], chunks: Sequence[Chunk], look: Callable[[], object]
) -> Answers:
    """Yield the number of each chunk and what was measured on it, one after the other in this process."""
    for k, chunk in enumerate(chunks):
        look()
        yield k, measured_chunk(theorems[chunk.theorem], chunk)


def measured_in_children(chunks: Sequence[Chunk], workers: int, look: Callable[[], object]) -> Answers:
    """Yield the number of each chunk and what was measured on it in a child process, as they come.

    All are of theorems of the registry, which children find there. A child that ends, as compiled code may
    do, is an error of the chunk.
    """
    with closing(answers_of(measured_registered, chunks, workers, look)) as answers:
        for k, answer in answers:
            if isinstance(answer, Ended):
                crash = f"the process that measured this ended with code {answer.code}"
                yield k, failed(chunks[k].instances, crash)
            else:
                yield k, answer


def measured_registered(chunk: Chunk) -> Measured:
    """Measure a theorem of the registry, or its twin, on the instances of a chunk."""
    return measured_chunk(REGISTERED[chunk.theorem], chunk)
