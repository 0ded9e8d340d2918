//! What `claimsmith --version` prints: the version, the commit where it is known, the schema and the plugin contract.

use claimsmith_runtime::contract_version;
use claimsmith_storage::schema_version;
use std::sync::LazyLock;

/// The version and its commit, such as `0.1.0 (commit 6e3b1f20c9d4, schema 42, plugin contract 1.2.0)`.
pub(super) fn text() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        let commit = option_env!("BUILT_FROM_COMMIT").map(|commit| format!("commit {commit}, ")).unwrap_or_default();
        let (schema, contract) = (schema_version(), contract_version());
        format!("{} ({commit}schema {schema}, plugin contract {contract})", env!("CARGO_PKG_VERSION"))
    });
    &TEXT
}
