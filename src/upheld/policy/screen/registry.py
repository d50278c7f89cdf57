"""Every check of the screen, in the order in which they run. One more check is one more file and one more line."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from upheld.model.draft import Draft, Hit
from upheld.policy.screen import (
    bidi,
    blanket,
    contradiction,
    control,
    duplicate,
    echo,
    fence,
    frame,
    invisible,
    marks,
    nfc,
    opening,
    override,
    private,
    rate,
    rejected,
    role,
    scripts,
    secret,
    size,
    stuffing,
    suspect,
    tags,
    takeover,
    unassigned,
)

Check = Callable[[Draft], Iterator[Hit]]

# Size stands first: where a text is too large, the others do not run. Secrets stand second: what they find is kept out
# of what every other check shows.
CHECKS: tuple[tuple[str, Check], ...] = (
    ("size", size.check),
    ("secret", secret.check),
    ("rate", rate.check),
    ("control", control.check),
    ("bidi", bidi.check),
    ("tags", tags.check),
    ("invisible", invisible.check),
    ("private", private.check),
    ("unassigned", unassigned.check),
    ("marks", marks.check),
    ("nfc", nfc.check),
    ("scripts", scripts.check),
    ("role", role.check),
    ("frame", frame.check),
    ("fence", fence.check),
    ("override", override.check),
    ("suspect", suspect.check),
    ("rejected", rejected.check),
    ("echo", echo.check),
    ("opening", opening.check),
    ("blanket", blanket.check),
    ("takeover", takeover.check),
    ("stuffing", stuffing.check),
    ("contradiction", contradiction.check),
    ("duplicate", duplicate.check),
)
