"""What a worker is made from, wherever it runs."""

from dataclasses import dataclass
from pathlib import Path

from treeplex.cfr.factored.state import FactoredConfig
from treeplex.cfr.split.worker import Worker
from treeplex.executors.file_shelf import FileShelf
from treeplex.seqform.split.split_tree import SplitTree


@dataclass(frozen=True)
class WorkerPlan:
    """What a worker is made from.

    Attributes
    ----------
    split : SplitTree
    config : FactoredConfig
    store : Path
        The folder of its files, on the machine where it runs.
    run : str
        The digest of the run, which files carry.
    in_memory : bool
        Whether it keeps tables in memory beside the files.
    """

    split: SplitTree
    config: FactoredConfig
    store: Path
    run: str
    in_memory: bool

    def worker(self) -> Worker:
        """Make a worker."""
        shelf = FileShelf(self.store, self.run, in_memory=self.in_memory)
        return Worker(self.split, self.config, shelf)
