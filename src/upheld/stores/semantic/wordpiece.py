"""Text to token numbers, as the uncased BERT family has them."""

from __future__ import annotations

from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.processors import BertProcessing

from upheld.errors import StorageError

MOST_TOKENS = 128
"""Tokens of a text that are encoded, the two marks at its ends among them."""


def from_vocabulary(data: bytes) -> Tokenizer:
    """Return the tokenizer of a ``vocab.txt``: one piece a line, its number the line's.

    Raises:
        StorageError: the marks of the BERT family are missing.
    """
    pieces = {piece: number for number, piece in enumerate(data.decode("utf-8", "replace").splitlines())}
    if not {"[UNK]", "[CLS]", "[SEP]"} <= pieces.keys():
        raise StorageError("vocab.txt is no WordPiece vocabulary: [UNK], [CLS] or [SEP] is missing")
    made = Tokenizer(WordPiece(pieces, unk_token="[UNK]"))  # noqa: S106 - a token of text, not a secret
    made.normalizer = BertNormalizer(lowercase=True)
    made.pre_tokenizer = BertPreTokenizer()
    made.post_processor = BertProcessing(("[SEP]", pieces["[SEP]"]), ("[CLS]", pieces["[CLS]"]))
    return _bounded(made)


def from_json(data: bytes) -> Tokenizer:
    """Return the tokenizer that a ``tokenizer.json`` describes.

    Raises:
        StorageError: it describes none.
    """
    try:
        return _bounded(Tokenizer.from_buffer(data))
    except Exception as error:  # noqa: BLE001 - the library raises bare Exception and ValueError
        raise StorageError(f"tokenizer.json cannot be used: {error!s:.120}") from None


def _bounded(made: Tokenizer) -> Tokenizer:
    made.no_padding()
    made.enable_truncation(MOST_TOKENS)
    return made
