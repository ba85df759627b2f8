"""Models behind the ports: embedders, entailment, reranking; local and by endpoint. Importing this loads none of them.

`static` is the default embedder, `e5` a better and slower one for many languages, `endpoint` asks a server.
`entailment_rules` needs no model; `entailment` and `rerank` ask a server in the text-embeddings-inference form.
`crossencoder` reranks with a model from a folder.
"""
