"""Settings: one frozen tree, resolved once, from arguments > environment > file > defaults.

Nothing is read at import. Each leaf has an argument name (`recall.top_k`), an environment variable
(`SILTSTONE_RECALL_TOP_K`; `SILTSTONE_URL` for the store) and a key in the file (`[recall] top_k = …`).
An unknown name is an error that names the nearest known one. `SILTSTONE_CONFIG` names another file, and variables
that begin with `SILTSTONE_TEST_` belong to the test suite, with `SILTSTONE_HERMES_` to the plugin of that host. What
Bubble, Keepsake and Semantica read is understood under its own name (`foreign`); each of our own names wins over a
foreign one of the same kind.

`sections` holds the tree, `resolving` the precedence, `foreign` the names of others.
"""

from siltstone.settings.foreign import FOREIGN, Foreign
from siltstone.settings.resolving import FILE, Leaf, Resolved, leaves, resolve
from siltstone.settings.sections import (
    CompletionSettings,
    ContextSettings,
    EmbeddingSettings,
    EntailmentSettings,
    FormationSettings,
    GuardSettings,
    KnowledgeSettings,
    RankingSettings,
    RecallSettings,
    RerankSettings,
    ScopeSettings,
    Settings,
    StoreSettings,
    SynonymSettings,
    UpkeepSettings,
)

__all__ = [
    "FILE",
    "FOREIGN",
    "CompletionSettings",
    "ContextSettings",
    "EmbeddingSettings",
    "EntailmentSettings",
    "Foreign",
    "FormationSettings",
    "GuardSettings",
    "KnowledgeSettings",
    "Leaf",
    "RankingSettings",
    "RecallSettings",
    "RerankSettings",
    "Resolved",
    "ScopeSettings",
    "Settings",
    "StoreSettings",
    "SynonymSettings",
    "UpkeepSettings",
    "leaves",
    "resolve",
]
