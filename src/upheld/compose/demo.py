"""The demonstration with a folder, a clock and this platform bound to it."""

from __future__ import annotations

import platform
import tempfile
from collections.abc import Iterator
from pathlib import Path

from upheld.compose.clock import instant
from upheld.compose.demo_world import World, environ
from upheld.errors import UsageError
from upheld.services.demo import receipt, run, store
from upheld.services.demo.spoil import write_files


class Demo:
    """One run of the demonstration.

    Args:
        folder: an empty folder that the run may fill.

    Attributes:
        store: the sealed, unspoilt store; copies of it stand in ``cases`` beside it.
        unsealed: the same instructions in the article's form.
        home: the home of whoever reads ``store``.
        passed, failed, skipped: how the trials went so far.
    """

    key = store.KEY

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = folder / "store"
        self.unsealed = folder / "unsealed"
        self._trials: list[run.Trial] = []
        self._world = World(folder)
        self.home = self._world.home
        write_files(self._world.snapshots["sealed"], self.store)
        write_files(self._world.snapshots["article"], self.unsealed)
        self._world.pin(self.store, self.home)

    @classmethod
    def start(cls, into: str | None) -> Demo:
        """Begin in a new folder: a temporary one, or ``into``.

        Raises:
            UsageError: ``into`` holds something already, or cannot be made.
        """
        if into is None:
            return cls(Path(tempfile.mkdtemp(prefix="upheld-demo-")))
        folder = Path(into).absolute()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if any(folder.iterdir()):
                raise UsageError(f"--into {into}: the folder is not empty", help="name a new one")
        except OSError as error:
            raise UsageError(f"--into {into}: {error.strerror}", help="name a new folder") from None
        return cls(folder)

    def first_recall(self) -> str:
        """Return what a new process prints for the unspoilt store."""
        command = run.recall_command(self.key, self.store, form="text")
        return run.process(command, self.folder, environ(self.home)).stdout.decode("utf-8", "backslashreplace")

    def trials(self) -> Iterator[run.Trial]:
        """Let new processes read the spoilt copies."""
        for trial in run.trials(self.folder / "cases", self._world.surroundings()):
            self._trials.append(trial)
            yield trial

    def receipt(self, printed: str, version: str) -> dict[str, object]:
        """Bind what was run so far, what was printed, and which version of Upheld did it."""
        around = receipt.Circumstances(
            version=version,
            python=f"{platform.python_implementation()} {platform.python_version()}",
            platform=platform.platform(),
            instant=instant(),
            today=self._world.today,
        )
        return receipt.receipt(self._trials, (self.store, self.unsealed), printed, around)

    def _count(self, wanted: str) -> int:
        return sum(receipt.result(trial) == wanted for trial in self._trials)

    @property
    def passed(self) -> int:
        """How many trials went as they should."""
        return self._count("PASS")

    @property
    def failed(self) -> int:
        """How many did not."""
        return self._count("FAIL")

    @property
    def skipped(self) -> int:
        """How many could not be made here."""
        return self._count("SKIP")
