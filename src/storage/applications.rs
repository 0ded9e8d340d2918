//! Applications (OAuth clients), hashes of their secrets, and their roles and scopes.

use super::{Result, Tx, revisions};
use crate::Json;
use crate::revisions::Changed;
use crate::sql::conditions::Conditions;
use crate::sql::filter;
use crate::sql::search::{SearchColumn, Searched};
use crate::sql::slice::Slice;
use claimsmith_domain::documents::application::{ApplicationType, CustomClientMetadata, OidcClientMetadata};
use claimsmith_domain::documents::client_authentication::ClientAssertionAudience;
use claimsmith_domain::documents::fold::fold;
use claimsmith_domain::id::{ApplicationId, OrganizationId, ResourceId, RoleId};
use claimsmith_domain::search::Search;
use serde_json::Value;
use std::collections::HashMap;

/// Maximum number of applications in one statement.
const IDS_PER_STATEMENT: usize = 500;

/// A registered client.
#[derive(Clone, Debug, crate::Row)]
pub struct Application {
    /// 21 characters: the `client_id`.
    pub id: ApplicationId,
    /// At most 256 characters.
    pub name: String,
    /// Human-readable.
    pub description: Option<String>,
    /// Its type.
    #[column(rename = "type")]
    pub kind: ApplicationType,
    /// OAuth client metadata, such as redirect URIs.
    pub oidc_client_metadata: Json<OidcClientMetadata>,
    /// Settings such as allowed grants and token lifetimes.
    pub custom_client_metadata: Json<CustomClientMetadata>,
    /// The integrator's own data.
    pub custom_data: Json<Value>,
    /// Whether it is a third-party application, which can never exchange tokens.
    pub is_third_party: bool,
    /// Whether only users that a rule names may sign in to it.
    pub app_level_access_control_enabled: bool,
    /// Unix milliseconds.
    pub created_at: i64,
}

/// One secret of an application, without its value.
#[derive(Clone, Debug, crate::Row)]
pub struct ApplicationSecret {
    /// The application.
    pub application_id: ApplicationId,
    /// Unique per application.
    pub name: String,
    /// SHA-256 of the value, hexadecimal.
    pub hash: String,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds; `None` never expires.
    pub expires_at: Option<i64>,
}

pub(super) const COLUMNS: &str = "id, name, description, type, oidc_client_metadata, custom_client_metadata, custom_data, \
     is_third_party, app_level_access_control_enabled, created_at";

/// The fields of applications that can be searched.
pub const FIELDS: [&str; 3] = ["id", "name", "description"];

pub(super) const SEARCHED: Searched = Searched {
    columns: &[
        SearchColumn { field: "id", name: "id", folded: Some("id") },
        SearchColumn { field: "name", name: "name", folded: Some("name_key") },
        SearchColumn { field: "description", name: "description", folded: Some("description_key") },
    ],
    key: None,
};

/// Condition on applications: their client assertions may name an endpoint. Matches the JSON as text, which works on
/// both databases and for damaged documents; quotes within values are escaped.
const LEGACY_AUDIENCE: &str = "REPLACE(CAST(custom_client_metadata AS TEXT), ' ', '') \
     LIKE '%\"clientAssertionAudience\":\"legacy\"%'";

/// The filter of a list of applications; by default all.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Matching this search.
    pub search: Option<Search>,
    /// With one of these types.
    pub kinds: Vec<String>,
    /// Without this role.
    pub without_role: Option<RoleId>,
    /// Not in this organization.
    pub outside_organization: Option<OrganizationId>,
    /// Third-party applications, or the operator's own.
    pub is_third_party: Option<bool>,
    /// Whose client assertions may have this audience.
    pub assertion_audience: Option<ClientAssertionAudience>,
}

impl Filter {
    fn conditions(&self, tx: &Tx) -> Conditions {
        let mut conditions = Conditions::on("applications", tx);
        conditions.search(self.search.as_ref(), &SEARCHED);
        if !self.kinds.is_empty() {
            conditions.one_of("type", &self.kinds);
        }
        conditions.text(
            "id NOT IN (SELECT application_id FROM application_roles WHERE role_id = ?)",
            self.without_role.as_deref(),
        );
        conditions.text(
            "id NOT IN (SELECT application_id FROM organization_applications WHERE organization_id = ?)",
            self.outside_organization.as_deref(),
        );
        match self.is_third_party {
            Some(true) => conditions.holds("is_third_party"),
            Some(false) => conditions.holds("NOT is_third_party"),
            None => {}
        }
        match self.assertion_audience {
            Some(ClientAssertionAudience::Legacy) => conditions.holds(LEGACY_AUDIENCE),
            Some(ClientAssertionAudience::Issuer) => conditions.holds(format!("NOT ({LEGACY_AUDIENCE})")),
            None => {}
        }
        conditions
    }
}

/// Adds an application.
pub async fn insert(tx: &mut Tx, application: &Application) -> Result<()> {
    tx.assembled(format!(
        "INSERT INTO applications ({COLUMNS}, name_key, description_key) VALUES {}",
        filter::rows(12, 1)
    ))
    .bind(&application.id)
    .bind(&application.name)
    .bind(&application.description)
    .bind(application.kind)
    .bind(&application.oidc_client_metadata)
    .bind(&application.custom_client_metadata)
    .bind(&application.custom_data)
    .bind(application.is_third_party)
    .bind(application.app_level_access_control_enabled)
    .bind(application.created_at)
    .bind(fold(&application.name))
    .bind(application.description.as_deref().map(fold))
    .execute()
    .await?;
    revisions::bump(tx, Changed::Application(&application.id)).await
}

/// The application with this id.
pub async fn find(tx: &mut Tx, id: &ApplicationId) -> Result<Option<Application>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM applications WHERE id = $1")).bind(id).optional().await
}

/// The types of those of the given applications that exist.
pub async fn kinds(tx: &mut Tx, ids: &[ApplicationId]) -> Result<HashMap<ApplicationId, ApplicationType>> {
    #[derive(crate::Row)]
    struct Kind {
        id: ApplicationId,
        #[column(rename = "type")]
        kind: ApplicationType,
    }
    let mut kinds = HashMap::with_capacity(ids.len());
    for part in ids.chunks(IDS_PER_STATEMENT) {
        let sql = format!("SELECT id, type FROM applications WHERE id IN ({})", filter::placeholders(1, part.len()));
        let rows: Vec<Kind> = tx.assembled(sql).bind_all(part).all().await?;
        kinds.extend(rows.into_iter().map(|row| (row.id, row.kind)));
    }
    Ok(kinds)
}

/// Every application, newest first. For caches of all applications; lists use [`list`].
pub async fn all(tx: &mut Tx) -> Result<Vec<Application>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM applications ORDER BY created_at DESC, id")).all().await
}

/// A page of the matching applications, newest first.
pub async fn list(tx: &mut Tx, wanted: &Filter, slice: Slice) -> Result<Vec<Application>> {
    wanted.conditions(tx).list(tx, COLUMNS, "created_at DESC, id", slice).all().await
}

/// The number of matching applications.
pub async fn count(tx: &mut Tx, wanted: &Filter) -> Result<i64> {
    wanted.conditions(tx).count(tx).await
}

/// Updates an application, except for its id, type, third-party flag and creation time.
pub async fn update(tx: &mut Tx, application: &Application) -> Result<()> {
    tx.sql(
        "UPDATE applications SET name = $1, description = $2, oidc_client_metadata = $3, \
         custom_client_metadata = $4, custom_data = COALESCE($5, custom_data), name_key = $6, description_key = $7, \
         app_level_access_control_enabled = $8 WHERE id = $9",
    )
    .bind(&application.name)
    .bind(&application.description)
    .bind(&application.oidc_client_metadata)
    .bind(&application.custom_client_metadata)
    .bind(&application.custom_data)
    .bind(fold(&application.name))
    .bind(application.description.as_deref().map(fold))
    .bind(application.app_level_access_control_enabled)
    .bind(&application.id)
    .execute()
    .await?;
    revisions::bump(tx, Changed::Application(&application.id)).await
}

/// Deletes an application with its secrets. `false` when there is none.
pub async fn delete(tx: &mut Tx, id: &ApplicationId) -> Result<bool> {
    let deleted = tx.sql("DELETE FROM applications WHERE id = $1").bind(id).execute().await?;
    revisions::bump(tx, Changed::Application(id)).await?;
    Ok(deleted > 0)
}

/// Adds a secret.
pub async fn insert_secret(tx: &mut Tx, secret: &ApplicationSecret) -> Result<()> {
    tx.sql("INSERT INTO application_secrets (application_id, name, hash, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)")
        .bind(&secret.application_id)
        .bind(&secret.name)
        .bind(&secret.hash)
        .bind(secret.created_at)
        .bind(secret.expires_at)
        .execute()
        .await?;
    revisions::bump(tx, Changed::Application(&secret.application_id)).await
}

/// The secrets of an application, oldest first.
pub async fn secrets_of(tx: &mut Tx, application_id: &ApplicationId) -> Result<Vec<ApplicationSecret>> {
    tx.sql(
        "SELECT application_id, name, hash, created_at, expires_at FROM application_secrets \
         WHERE application_id = $1 ORDER BY created_at, name",
    )
    .bind(application_id)
    .all()
    .await
}

/// Changes the name and expiry of a secret, not its value. `false` if there is none with that name.
pub async fn update_secret(tx: &mut Tx, name: &str, secret: &ApplicationSecret) -> Result<bool> {
    let changed = tx
        .sql("UPDATE application_secrets SET name = $1, expires_at = $2 WHERE application_id = $3 AND name = $4")
        .bind(&secret.name)
        .bind(secret.expires_at)
        .bind(&secret.application_id)
        .bind(name)
        .execute()
        .await?;
    revisions::bump(tx, Changed::Application(&secret.application_id)).await?;
    Ok(changed > 0)
}

/// Deletes a secret. `false` when there is none with this name.
pub async fn delete_secret(tx: &mut Tx, application_id: &ApplicationId, name: &str) -> Result<bool> {
    let deleted = tx
        .sql("DELETE FROM application_secrets WHERE application_id = $1 AND name = $2")
        .bind(application_id)
        .bind(name)
        .execute()
        .await?;
    revisions::bump(tx, Changed::Application(application_id)).await?;
    Ok(deleted > 0)
}

/// A scope that an application has, with its resource.
#[derive(Clone, Debug, crate::Row)]
pub struct HeldScope {
    /// The resource.
    pub resource_id: ResourceId,
    /// The scope's name.
    pub name: String,
}

/// Every scope that an application has through its roles.
pub async fn scopes_held(tx: &mut Tx, application_id: &ApplicationId) -> Result<Vec<HeldScope>> {
    tx.sql(
        "SELECT DISTINCT s.resource_id, s.name FROM scopes s JOIN role_scopes rs ON rs.scope_id = s.id \
         JOIN application_roles ar ON ar.role_id = rs.role_id WHERE ar.application_id = $1",
    )
    .bind(application_id)
    .all()
    .await
}
