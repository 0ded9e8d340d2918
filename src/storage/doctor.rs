//! Finds unreadable JSON documents in all document columns, and repairs them.

use super::hooks::PreviousKey;
use super::{Dialect, Result, Tx, plugins, revisions};
use crate::revisions::Changed;
use crate::sessions::SessionDetails;
use crate::sessions::grants::GrantedScopes;
use claimsmith_domain::authorization::request::{AuthorizationRequest, Authorized};
use claimsmith_domain::documents::account_center::AccountCenter;
use claimsmith_domain::documents::application::{CustomClientMetadata, OidcClientMetadata};
use claimsmith_domain::documents::custom_profile_field::Config;
use claimsmith_domain::documents::one_time_token::Context;
use claimsmith_domain::documents::organization::{Branding, Color};
use claimsmith_domain::documents::sign_in_experience::SignInExperience;
use claimsmith_domain::documents::sign_in_experience::application::ApplicationSignInExperience;
use claimsmith_domain::documents::user_settings::UserSettings;
use claimsmith_domain::event_pattern::EventPattern;
use claimsmith_domain::interaction::Progress;
use claimsmith_domain::verification_record::RecordDetails;
use claimsmith_json::{self as json, STORED};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Number of rows per page.
const ROWS_PER_PAGE: usize = 500;

/// An unreadable document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadableDocument {
    /// The table.
    pub table: &'static str,
    /// The key of the row; two parts are separated by a slash.
    pub id: String,
    /// The column.
    pub column: &'static str,
    /// The error.
    pub why: String,
}

#[derive(crate::Row)]
struct Clock {
    now_ms: i64,
}

/// The clock of the database in Unix milliseconds; `None` for SQLite, which has that of this machine.
pub async fn clock(tx: &mut Tx) -> Result<Option<i64>> {
    if tx.dialect() == Dialect::Sqlite {
        return Ok(None);
    }
    let sql = "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) AS now_ms";
    let clock: Clock = tx.sql(sql).one().await?;
    Ok(Some(clock.now_ms))
}

/// A column with documents.
struct DocumentColumn {
    table: &'static str,
    /// SQL expression for the key of a row, as text.
    key: &'static str,
    name: &'static str,
    read: fn(&[u8]) -> std::result::Result<(), serde_json::Error>,
    repair: Repair,
}

/// How an unreadable document is repaired.
enum Repair {
    /// Replace it by this SQL value.
    By(&'static str),
    /// Delete the row, which is useless without it.
    Delete,
}

#[derive(crate::Row)]
struct StoredDocument {
    id: String,
    document: Vec<u8>,
}

const fn of<T: DeserializeOwned>(
    table: &'static str,
    key: &'static str,
    name: &'static str,
    repair: Repair,
) -> DocumentColumn {
    DocumentColumn { table, key, name, read: |text| json::read::<T>(text, STORED).map(drop), repair }
}

const EMPTY: &str = "'{}'";
const NONE: &str = "NULL";
const VERSION: &str = "plugin_name || '/' || id";

const COLUMNS: [DocumentColumn; 48] = [
    of::<Value>("users", "id", "custom_data", Repair::By(EMPTY)),
    of::<Value>("users", "id", "identities", Repair::By(EMPTY)),
    of::<Value>("users", "id", "profile", Repair::By(EMPTY)),
    // A passkey is useless without its key.
    of::<Value>("passkeys", "id", "credential", Repair::Delete),
    of::<UserSettings>("users", "id", "settings", Repair::By(EMPTY)),
    of::<OidcClientMetadata>("applications", "id", "oidc_client_metadata", Repair::By(EMPTY)),
    of::<CustomClientMetadata>("applications", "id", "custom_client_metadata", Repair::By(EMPTY)),
    of::<Value>("applications", "id", "custom_data", Repair::By(EMPTY)),
    of::<Value>("organizations", "id", "custom_data", Repair::By(EMPTY)),
    of::<Color>("organizations", "id", "color", Repair::By(EMPTY)),
    of::<Branding>("organizations", "id", "branding", Repair::By(EMPTY)),
    // An empty context would change the permission that was granted.
    of::<Value>("subject_tokens", "id", "context", Repair::Delete),
    of::<Value>("issuances", "jti", "context", Repair::By(NONE)),
    of::<Value>("issuances", "jti", "claims", Repair::By(NONE)),
    // The server derives it from the private key.
    of::<Value>("signing_keys", "kid", "public_jwk", Repair::By(EMPTY)),
    of::<Value>("logs", "id", "payload", Repair::By(EMPTY)),
    // Its purpose is lost, so it is disabled until an operator configures it.
    of::<Value>("plugins", "name", "settings", Repair::By("'{\"enabled\":false}'")),
    of::<Value>("plugins", "name", "http_grant", Repair::By(NONE)),
    of::<Value>("plugins", "name", "cache_grant", Repair::By(NONE)),
    of::<Value>("plugins", "name", "customizer", Repair::By(EMPTY)),
    // Without its options it would ask for other tokens.
    of::<Value>("plugin_population_runs", "id", "options", Repair::Delete),
    // Without its options it would record what nobody asked for.
    of::<Value>("plugin_recordings", "id", "options", Repair::Delete),
    of::<Value>("plugin_versions", VERSION, "facts", Repair::By(EMPTY)),
    of::<Value>("plugin_versions", VERSION, "http", Repair::By(NONE)),
    of::<Vec<EventPattern>>("hooks", "id", "events", Repair::By("'[]'")),
    of::<Value>("hooks", "id", "config", Repair::By(EMPTY)),
    of::<Value>("hook_receiver_requests", "id", "headers", Repair::By(EMPTY)),
    of::<Vec<PreviousKey>>("hooks", "id", "previous_keys", Repair::By("'[]'")),
    of::<SignInExperience>("sign_in_experiences", "id", "settings", Repair::By(EMPTY)),
    of::<ApplicationSignInExperience>(
        "application_sign_in_experiences",
        "application_id",
        "settings",
        Repair::By(EMPTY),
    ),
    of::<AccountCenter>("account_centers", "id", "settings", Repair::By(EMPTY)),
    // It has no options and matches nothing until an operator configures it.
    of::<Config>("custom_profile_fields", "id", "config", Repair::By(EMPTY)),
    of::<Value>("custom_phrases", "language_tag", "translation", Repair::By(EMPTY)),
    of::<Value>("sso_connectors", "id", "branding", Repair::By(EMPTY)),
    of::<Value>("sso_identities", "id", "detail", Repair::By(EMPTY)),
    of::<Value>("connectors", "id", "metadata", Repair::By(EMPTY)),
    // The built-in template is used instead.
    of::<Value>("email_templates", "id", "details", Repair::Delete),
    of::<SessionDetails>("sessions", "id", "details", Repair::By(EMPTY)),
    // The user or the client starts again.
    of::<AuthorizationRequest>("interactions", "id", "request", Repair::Delete),
    of::<Progress>("interactions", "id", "state", Repair::Delete),
    of::<GrantedScopes>("grants", "id", "scopes", Repair::Delete),
    of::<Authorized>("authorization_codes", "hash", "authorization_details", Repair::Delete),
    of::<Authorized>("refresh_tokens", "hash", "authorization_details", Repair::Delete),
    of::<Value>("pushed_requests", "hash", "parameters", Repair::Delete),
    of::<AuthorizationRequest>("device_authorizations", "id", "request", Repair::Delete),
    of::<Authorized>("device_authorizations", "id", "authorization_details", Repair::Delete),
    // It is useless without its details.
    of::<RecordDetails>("verification_records", "id", "details", Repair::Delete),
    // What it granted is lost.
    of::<Context>("one_time_tokens", "id", "context", Repair::Delete),
];

impl DocumentColumn {
    fn is_of(&self, document: &UnreadableDocument) -> bool {
        self.table == document.table && self.name == document.column
    }

    /// SQL for the bytes of the document: the stored value may not be valid text.
    fn bytes(&self, dialect: Dialect) -> String {
        match dialect {
            Dialect::Sqlite => format!("CAST({} AS BLOB)", self.name),
            Dialect::Postgres => format!("convert_to(CAST({} AS TEXT), 'UTF8')", self.name),
        }
    }
}

/// The tables and columns that [`examine`] looks at.
pub fn columns() -> impl Iterator<Item = (&'static str, &'static str)> {
    COLUMNS.iter().map(|column| (column.table, column.name))
}

/// Checks every document, and returns the unreadable ones.
pub async fn examine(tx: &mut Tx) -> Result<Vec<UnreadableDocument>> {
    let mut unreadable = Vec::new();
    for column in &COLUMNS {
        let (DocumentColumn { table, key, name, .. }, bytes) = (column, column.bytes(tx.dialect()));
        let mut after = String::new();
        loop {
            let sql = format!(
                "SELECT {key} AS id, {bytes} AS document FROM {table} WHERE {name} IS NOT NULL AND {key} > $1 \
                 ORDER BY {key} LIMIT {ROWS_PER_PAGE}"
            );
            let rows: Vec<StoredDocument> = tx.assembled(sql).bind(&after).all().await?;
            let read = |row: &StoredDocument| {
                let why = (column.read)(&row.document).err()?.to_string();
                Some(UnreadableDocument { table, id: row.id.clone(), column: name, why })
            };
            unreadable.extend(rows.iter().filter_map(read));
            match rows.into_iter().nth(ROWS_PER_PAGE - 1) {
                Some(last) => after = last.id,
                None => break,
            }
        }
    }
    Ok(unreadable)
}

/// Repairs an unreadable document. Returns the old contents; `None` if the row no longer exists or is readable now.
pub async fn repair(tx: &mut Tx, document: &UnreadableDocument) -> Result<Option<Vec<u8>>> {
    let Some(column) = COLUMNS.iter().find(|column| column.is_of(document)) else { return Ok(None) };
    let (DocumentColumn { table, key, name, repair, .. }, bytes) = (column, column.bytes(tx.dialect()));
    let sql = format!("SELECT {key} AS id, {bytes} AS document FROM {table} WHERE {key} = $1 AND {name} IS NOT NULL");
    let Some(found) = tx.assembled(sql).bind(&document.id).optional::<StoredDocument>().await? else { return Ok(None) };
    // It may have been overwritten meanwhile.
    if (column.read)(&found.document).is_ok() {
        return Ok(None);
    }
    let sql = match repair {
        Repair::By(value) => {
            let noted = if matches!(*table, "users" | "plugins") { ", revision = revision + 1" } else { "" };
            format!("UPDATE {table} SET {name} = {value}{noted} WHERE {key} = $1")
        }
        Repair::Delete => format!("DELETE FROM {table} WHERE {key} = $1"),
    };
    tx.assembled(sql).bind(&document.id).execute().await?;
    if table.starts_with("plugin") {
        plugins::begin_change(tx).await?;
    }
    // The caches of the servers may depend on it.
    revisions::bump(tx, Changed::All).await?;
    Ok(Some(found.document))
}
