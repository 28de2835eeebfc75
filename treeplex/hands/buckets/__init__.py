"""Maps of buckets: which hands of a board a card abstraction puts together, by classes of hands."""
