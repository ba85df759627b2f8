"""Knowledge: what is read out of entries, who is whom, and questions to the graph that this makes.

`entities` and `rules` read a text; `index` makes one user's graph from records; `walk`, `questions` and `formats` answer
from it; `facade` is `memory.graph`.
"""
