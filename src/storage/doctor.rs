//! Every column that holds a JSON document: finds those that cannot be read any more, and replaces them.

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

/// How many rows are read together.
const ROWS_PER_PAGE: usize = 500;

/// A document that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadableDocument {
    /// The table.
    pub table: &'static str,
    /// The row: its key, or both parts of it with a slash between them.
    pub id: String,
    /// The column.
    pub column: &'static str,
    /// Why it cannot be read.
    pub why: String,
}

/// A column with documents.
struct DocumentColumn {
    table: &'static str,
    /// What names a row, as a text.
    key: &'static str,
    name: &'static str,
    read: fn(&[u8]) -> std::result::Result<(), serde_json::Error>,
    repair: Repair,
}

/// What becomes of a document that cannot be read.
enum Repair {
    /// It is replaced by this, in SQL.
    By(&'static str),
    /// The row is nothing without it.
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

const COLUMNS: [DocumentColumn; 45] = [
    of::<Value>("users", "id", "custom_data", Repair::By(EMPTY)),
    of::<Value>("users", "id", "identities", Repair::By(EMPTY)),
    of::<Value>("users", "id", "profile", Repair::By(EMPTY)),
    // A passkey without its key proves nothing.
    of::<Value>("passkeys", "id", "credential", Repair::Delete),
    of::<UserSettings>("users", "id", "settings", Repair::By(EMPTY)),
    of::<OidcClientMetadata>("applications", "id", "oidc_client_metadata", Repair::By(EMPTY)),
    of::<CustomClientMetadata>("applications", "id", "custom_client_metadata", Repair::By(EMPTY)),
    of::<Value>("applications", "id", "custom_data", Repair::By(EMPTY)),
    of::<Value>("organizations", "id", "custom_data", Repair::By(EMPTY)),
    of::<Color>("organizations", "id", "color", Repair::By(EMPTY)),
    of::<Branding>("organizations", "id", "branding", Repair::By(EMPTY)),
    // An empty context would be another permission than the one that was given.
    of::<Value>("subject_tokens", "id", "context", Repair::Delete),
    of::<Value>("issuances", "jti", "context", Repair::By(NONE)),
    of::<Value>("issuances", "jti", "claims", Repair::By(NONE)),
    // The server makes it of the private key.
    of::<Value>("signing_keys", "kid", "public_jwk", Repair::By(EMPTY)),
    of::<Value>("logs", "id", "payload", Repair::By(EMPTY)),
    // What it was for is not known, so it does not run until somebody says.
    of::<Value>("plugins", "name", "settings", Repair::By("'{\"enabled\":false}'")),
    of::<Value>("plugins", "name", "http_grant", Repair::By(NONE)),
    of::<Value>("plugins", "name", "customizer", Repair::By(EMPTY)),
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
    // Nothing can be chosen, and nothing matches, until somebody says.
    of::<Config>("custom_profile_fields", "id", "config", Repair::By(EMPTY)),
    of::<Value>("custom_phrases", "language_tag", "translation", Repair::By(EMPTY)),
    of::<Value>("sso_connectors", "id", "branding", Repair::By(EMPTY)),
    of::<Value>("sso_identities", "id", "detail", Repair::By(EMPTY)),
    of::<Value>("connectors", "id", "metadata", Repair::By(EMPTY)),
    // The built-in text is sent instead.
    of::<Value>("email_templates", "id", "details", Repair::Delete),
    of::<SessionDetails>("sessions", "id", "details", Repair::By(EMPTY)),
    // Somebody signs in, consents or asks again.
    of::<AuthorizationRequest>("interactions", "id", "request", Repair::Delete),
    of::<Progress>("interactions", "id", "state", Repair::Delete),
    of::<GrantedScopes>("grants", "id", "scopes", Repair::Delete),
    of::<Authorized>("authorization_codes", "hash", "authorization_details", Repair::Delete),
    of::<Authorized>("refresh_tokens", "hash", "authorization_details", Repair::Delete),
    of::<Value>("pushed_requests", "hash", "parameters", Repair::Delete),
    of::<AuthorizationRequest>("device_authorizations", "id", "request", Repair::Delete),
    of::<Authorized>("device_authorizations", "id", "authorization_details", Repair::Delete),
    // It proves nothing.
    of::<RecordDetails>("verification_records", "id", "details", Repair::Delete),
    // Where it let somebody in is not known.
    of::<Context>("one_time_tokens", "id", "context", Repair::Delete),
];

impl DocumentColumn {
    fn is_of(&self, document: &UnreadableDocument) -> bool {
        self.table == document.table && self.name == document.column
    }

    /// The bytes of the document: what is stored may be no text at all.
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

/// Looks at every document, and answers those that cannot be read.
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

/// Replaces an unreadable document by a readable one. Returns the old contents; `None` if the row does not exist any
/// more.
pub async fn repair(tx: &mut Tx, document: &UnreadableDocument) -> Result<Option<Vec<u8>>> {
    let Some(column) = COLUMNS.iter().find(|column| column.is_of(document)) else { return Ok(None) };
    let (DocumentColumn { table, key, name, repair, .. }, bytes) = (column, column.bytes(tx.dialect()));
    let sql = format!("SELECT {key} AS id, {bytes} AS document FROM {table} WHERE {key} = $1 AND {name} IS NOT NULL");
    let Some(found) = tx.assembled(sql).bind(&document.id).optional::<StoredDocument>().await? else { return Ok(None) };
    // Others may have written it meanwhile.
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
    // What the servers keep in memory was made of it.
    revisions::bump(tx, Changed::All).await?;
    Ok(Some(found.document))
}
