"""The demonstration with a folder, a clock and this platform bound to it."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from upheld.compose.clock import instant, today
from upheld.errors import UsageError
from upheld.services.demo import receipt, run, store


class Demo:
    """One run of the demonstration.

    Args:
        folder: an empty folder that the run may fill.

    Attributes:
        store: the unspoilt store; copies of it stand in ``cases`` beside it.
        passed, failed, skipped: how the trials went so far.
    """

    key = store.KEY

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = folder / "store"
        self._today = today()
        self._files = store.build(self._today)
        self._trials: list[run.Trial] = []
        run.write(self._files, self.store)

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
        command = [*run.recall_command(self.key, self.store)[:-1], "text"]
        done = subprocess.run(  # noqa: S603 - this interpreter, with arguments of ours
            [sys.executable, *command],
            env={name: value for name, value in os.environ.items() if not name.startswith("UPHELD_")},
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        return done.stdout.decode("utf-8", "backslashreplace")

    def trials(self) -> Iterator[run.Trial]:
        """Let new processes read the spoilt copies, one after the other."""
        for trial in run.trials(self._files, self.folder / "cases", self._today):
            self._trials.append(trial)
            yield trial

    def receipt(self, printed: str, version: str) -> dict[str, object]:
        """Bind what was run so far, what was printed, and which version of Upheld did it."""
        around = receipt.Circumstances(
            version=version,
            python=f"{platform.python_implementation()} {platform.python_version()}",
            platform=platform.platform(),
            instant=instant(),
            today=self._today,
        )
        return receipt.receipt(self._trials, self.store, printed, around)

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
