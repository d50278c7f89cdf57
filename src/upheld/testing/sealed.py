"""Builds sealed stores in memory, sound or spoilt in one way, with keys that follow from their holders' names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

from upheld.model.change import Event
from upheld.testing.builder import RECORDED, STORE_ID, StoreBuilder
from upheld.testing.keys import MemoryKey
from upheld.testing.memory_store import MemoryStore
from upheld.trust.signature import INDEX_NAMESPACE, ROOT_NAMESPACE
from upheld.wire import event as wire_event
from upheld.wire import root as wire_root

ISSUED = f"{RECORDED}T00:00:00Z"
END = "2099-12-31"


class SealedBuilder:
    """A store with a trust root, a log and a seal.

    Args:
        holders: names of those whose keys version 1 of the root lists.
        fields: other fields of version 1 (``threshold``, ``expires_on``, ``policy``, ...).
    """

    def __init__(self, *holders: str, **fields: Any) -> None:
        self.builder = StoreBuilder(closed=True)
        self.roots: list[bytes] = []
        self.events: list[Event] = [Event(verb="init")]
        self.extra: dict[str, bytes] = {}
        self._signatures: dict[str, bytes] = {}
        names = holders or ("ada",)
        first = wire_root.Root(
            version=1,
            store_id=STORE_ID,
            issued_at=ISSUED,
            expires_on=END,
            keys=tuple(listed(name) for name in names),
            threshold=1,
            revoked=(),
            policy=policy(),
        )
        self.add_root(first.replace(**fields), signers=names)

    @property
    def root(self) -> wire_root.Root:
        """The newest trust root."""
        return wire_root.decode(self.roots[-1], "trust")

    def remember(self, key: str, *texts: str | bytes, **more: Any) -> None:
        """Add one key with its versions, one event each."""
        chain = self.builder.remember(key, *texts, **more)
        for number, made in enumerate(chain):
            before = chain[number - 1].record_sha256 if number else None
            verb = "correct" if number else "remember"
            self.events.append(Event(verb=verb, key=key, before=before, after=made.record_sha256))

    def add_root(
        self, root: wire_root.Root, *, signers: Iterable[str], copies: Mapping[str, str] | None = None
    ) -> None:
        """Add a version of the trust root as it is given, signed by these holders.

        Args:
            root: the root; an event is logged for every one but the first.
            signers: whose keys sign it.
            copies: further signature files, from the holder whose file name is used to the holder who signs.
        """
        data = wire_root.encode(root)
        files = {name: name for name in signers} | dict(copies or {})
        for holder, signer in files.items():
            place = f"trust/{root.version}.{MemoryKey(holder).public.key_id}.sig"
            self._signatures[place] = MemoryKey(signer).sign(ROOT_NAMESPACE, data)
        self.extra[f"trust/{root.version}.json"] = data
        if self.roots:
            before, after = (sha256(item).hexdigest() for item in (self.roots[-1], data))
            self.events.append(Event(verb="trust", before=before, after=after))
        self.roots.append(data)

    def next_root(self, *, signers: Iterable[str], **changes: Any) -> None:
        """Add the version that follows, with some fields changed."""
        root = self.root
        self.add_root(root.replace(version=root.version + 1, **changes), signers=signers)

    def respell(self, old: str, new: str, *, signer: str = "ada") -> None:
        """Change the text of the newest root and have it signed as it is then, well formed or not."""
        version = len(self.roots)
        data = self.roots[-1].replace(old.encode(), new.encode(), 1)
        self.roots[-1] = self.extra[f"trust/{version}.json"] = data
        key = MemoryKey(signer)
        self._signatures[f"trust/{version}.{key.public.key_id}.sig"] = key.sign(ROOT_NAMESPACE, data)

    def files(
        self, *, sealers: Iterable[str] = ("ada",), namespace: str = INDEX_NAMESPACE, **index: Any
    ) -> dict[str, bytes]:
        """Return every file of the store.

        Args:
            sealers: whose keys seal the index.
            namespace: the purpose that the seals are made for.
            index: fields of the envelope to set; ``...`` takes one away.
        """
        log, head = self._log()
        newest = {"version": len(self.roots), "sha256": self.root_sha256}
        envelope = {"version": len(self.events), "issued_at": ISSUED, "root": newest, "log": {"head": head}, **index}
        self.builder.index_fields = {name: value for name, value in envelope.items() if value is not ...}
        files = {**self.builder.files(), **self.extra, **self._signatures, **log}
        data = files["index.json"]
        digest = sha256(data).hexdigest()
        for name in sealers:
            key = MemoryKey(name)
            files[f"seals/{digest}.{key.public.key_id}.sig"] = key.sign(namespace, data)
        return files

    def store(self, **more: Any) -> MemoryStore:
        """Return the store, held in memory; arguments as for ``files``."""
        return MemoryStore(self.files(**more))

    @property
    def root_sha256(self) -> str:
        """The digest of the newest trust root."""
        return sha256(self.roots[-1]).hexdigest()

    def _log(self) -> tuple[dict[str, bytes], str]:
        files: dict[str, bytes] = {}
        head: str | None = None
        for number, event in enumerate(self.events, 1):
            data = wire_event.encode(number, event, at=ISSUED, by="ada", previous=head)
            files[wire_event.name_of(number)] = data
            head = sha256(data).hexdigest()
        return files, head or ""


def listed(holder: str, **fields: Any) -> wire_root.RootKey:
    """Return a holder's key as a root lists it."""
    return wire_root.RootKey(public_key=MemoryKey(holder).public, name=holder, added_on=RECORDED).replace(**fields)


def policy(**fields: Any) -> wire_root.Policy:
    """Return a policy with no limits but a review window of a year."""
    return wire_root.Policy(
        freshness_days=None, longest_review_days=365, max_sync_age_days=None, automation=(), branch=None
    ).replace(**fields)
