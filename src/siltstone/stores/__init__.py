"""Where memories are kept: each store implements `siltstone.ports.stores`, and knows nothing of the pipeline."""
