"""The read path: query → channels → context → fusion → factors → floor → hits. Reading writes nothing.

`search.run` names the stages in order. Every stage is a function over a `Corpus` (a user's in-process index) and arrays
with one number a row.
"""
