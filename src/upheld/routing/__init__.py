"""From a task to match, none or ambiguous. Pure: the caller brings pointers, examples and index bytes."""
