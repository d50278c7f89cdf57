"""The ``[semantic]`` extra (docs/adr/0011-semantic-extra.md): encoders, and a text score fitted on their vectors.

The only package that imports ``numpy``, ``onnxruntime`` and ``tokenizers``. Nothing here decides a route: it gives the
router another text score and the limit that goes with it. Nothing here is imported by a hook or a plain ``route``.
"""
