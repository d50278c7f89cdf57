"""For the tests of people who build on Upheld: stores in memory, and builders of sound stores to spoil.

::

    from upheld.testing.builder import StoreBuilder

    builder = StoreBuilder()
    builder.remember("customer-copy", "Use the short name.\\n", "Use the full name.\\n")
    store = builder.store()            # a ReadableStore held in memory
    builder.write("some/folder")       # or files on a disk

Nothing here reads a clock: every date is a constant of ``upheld.testing.builder``.
"""
