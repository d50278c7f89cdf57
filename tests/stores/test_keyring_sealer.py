from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

from upheld.errors import NoKeyError
from upheld.model.finding import Finding
from upheld.ports.sealer import Sealer
from upheld.stores.keyring_file import FileKeyring, make_key_file
from upheld.stores.keyring_sealer import KeyringSealer
from upheld.testing.keys import MemoryKey, MemoryKeyring
from upheld.trust.signature import INDEX_NAMESPACE, Envelope, verify

INDEX = b'{"version": 1}\n'
DIGEST = sha256(INDEX).hexdigest()


def test_a_seal_is_named_for_its_index_and_its_key() -> None:
    keyring = MemoryKeyring(MemoryKey("ada"))
    (identity,) = keyring.identities()
    sealer: Sealer = KeyringSealer(keyring, identity)
    ((place, data),) = sealer.seal(INDEX, DIGEST).items()
    assert place == f"seals/{DIGEST}.{identity.key.key_id}.sig"
    result = verify(Envelope(place=place, data=data), INDEX, INDEX_NAMESPACE, (identity.key,))
    assert not isinstance(result, Finding)


def test_the_passphrase_is_asked_once_and_before_there_is_anything_to_seal(tmp_path: Path) -> None:
    asked: list[str] = []

    def ask(name: str) -> str:
        asked.append(name)
        return "correct horse"

    path = str(tmp_path / "key")
    identity = make_key_file(path, ask_passphrase=ask)
    sealer = KeyringSealer(FileKeyring(path, ask), identity)
    assert asked == [path, path]
    sealer.seal(INDEX, DIGEST)
    sealer.seal(INDEX, DIGEST)
    assert asked == [path, path]


def test_a_person_who_declines_is_known_before_there_is_anything_to_seal() -> None:
    keyring = MemoryKeyring(MemoryKey("ada"), person_confirms=False)
    with pytest.raises(NoKeyError, match="declined"):
        KeyringSealer(keyring, keyring.identities()[0])
