"""Additions to what the server stores and is configured with: a table, an encrypted column and a setting."""

TABLE = """-- Additions.
CREATE TABLE additions (
    id         TEXT PRIMARY KEY,
    details    TEXT NOT NULL,
    -- Unix milliseconds.
    expires_at BIGINT NOT NULL
);
"""

FUNCTIONS = """//! Additions.

use crate::{Result, Tx};

/// Adds one.
pub async fn insert(tx: &mut Tx, id: &str, expires_at: i64) -> Result<()> {
    tx.sql("INSERT INTO additions (id, details, expires_at) VALUES ($1, '{}', $2)")
        .bind(id)
        .bind(expires_at)
        .execute()
        .await?;
    Ok(())
}

/// Deletes at most `limit` that expired before `before`, and returns their number.
pub async fn delete_expired(tx: &mut Tx, before: i64, limit: i64) -> Result<u64> {
    tx.sql("DELETE FROM additions WHERE id IN (SELECT id FROM additions WHERE expires_at < $1 LIMIT $2)")
        .bind(before)
        .bind(limit)
        .execute()
        .await
}
"""

TABLE_TEST = """//! Additions.

use crate::Store;
use claimsmith_storage::additions;
use claimsmith_test_support::both;

both!(an_addition_expires, async |store: Store| {
    let mut tx = store.begin().await;
    additions::insert(&mut tx, "one", 1).await.unwrap();
    assert_eq!(additions::delete_expired(&mut tx, 2, 10).await.unwrap(), 1);
});
"""


def _migration(add, name, text):
    """A migration with the next number, in both folders."""
    for database in ("postgres", "sqlite"):
        folder = f"migrations/{database}"
        last = add.names(folder, ".sql")[-1]
        add.create(f"{folder}/{int(last[:4]) + 1:04}_{name}.sql", text)


def table(add):
    _migration(add, "additions", TABLE)
    add.create("src/storage/additions.rs", FUNCTIONS)
    add.before("src/storage/lib.rs", "pub mod applications;", "pub mod additions;\n")
    add.create("tests/storage/additions.rs", TABLE_TEST)
    add.after("tests/storage/main.rs", "mod activity;", "mod additions;\n")
    retention = "src/identity/retention.rs"
    add.before(retention, "use claimsmith_storage::console;", "use claimsmith_storage::additions;\n")
    add.after(
        retention, "+ issuances::delete_expired(",
        "            + additions::delete_expired(&mut tx, before, ROWS_PER_TRANSACTION).await?\n")
    doctor = "src/storage/doctor.rs"
    add.lengthen(doctor, "const COLUMNS: [DocumentColumn; ")
    add.after(
        doctor, 'of::<Value>("users", "id", "custom_data"',
        '    of::<Value>("additions", "id", "details", Repair::By(EMPTY)),\n')


def encrypted_column(add):
    # Nothing writes a value.
    add.leave("tests/experience/factors/encryption_key/pending.rs")
    _migration(add, "sealed_addition", "ALTER TABLE users ADD COLUMN sealed_addition TEXT;\n")
    add.after(
        "src/services/encryption/purpose.rs", 'PasskeyDecoys = "',
        '    /// Additions of users.\n    Addition = "additions",\n')
    add.before(
        "src/identity/rekey/columns.rs", "        Purpose::VerificationCode =>",
        "        Purpose::Addition => "
        'SecretLocation::Encrypted(const { &[text("users", "id", "sealed_addition")] }),\n')
    add.after(
        "docs/encryption.md", "| secrets of plugins |",
        "| additions of users | `users.sealed_addition` | encrypted again |\n")


def setting(add):
    # A command writes the page.
    add.leave("docs/configuration.md")
    add.before(
        "src/config/keys.rs", 'key("server.shutdown_grace"',
        '    key("server.additions", "CLAIMSMITH_ADDITIONS", "additions", number(0, 10, "additions"),\n'
        '        "number of additions"),\n')
    server = "src/config/server.rs"
    add.before(
        server, "/// Time for requests in flight to finish at shutdown.",
        "    /// Number of additions.\n    pub additions: usize,\n")
    add.before(server, "// Less than the 30 seconds that orchestrators wait", "            additions: 0,\n")
