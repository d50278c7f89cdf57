"""demo: a small store, read by new processes, and spoilt in every way that a reader must notice.

``store`` says what the store holds; ``cases_sealed`` and ``cases_article`` are the lists of what is done to copies of
it; ``run`` lets new processes read them; ``receipt`` binds what was run. One more way to spoil a store is one more
entry in one of the lists. Keys, seals and trusted state are made in ``compose.demo_world``.
"""
