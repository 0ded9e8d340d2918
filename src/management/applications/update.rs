//! `PATCH /api/applications/{id}`.

use super::{admin, metadata};
use crate::refusals::{AccessRefused, BodyRefused};
use crate::views::ApplicationView;
use axum::Json;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::application::{CustomClientMetadata, OidcClientMetadata};
use claimsmith_domain::documents::patch::{self, Merged, Patch};
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::id::ApplicationId;
use claimsmith_domain::management::ApplicationsWrite;
use claimsmith_identity::access::privilege_guard::{self, Administered};
use claimsmith_json::{present, present_object};
use claimsmith_storage::applications::{self, Application};
use claimsmith_storage::revisions::Changed;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::patch::PatchBody;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// What is to change; what is left out stays. `type` and `isThirdParty` cannot change.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::option_option, reason = "left out, null and a text are three things")]
#[schema(example = json!({
    "name": "Shop", "description": null, "customClientMetadata": { "allowTokenExchange": true }
}))]
pub(super) struct UpdateApplication {
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = String, required = false, min_length = 1, max_length = 256)]
    name: Option<Text<1, 256>>,
    /// Null takes it away.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, max_length = 256)]
    description: Option<Option<Text<0, 256>>>,
    /// What is left out of it stays; null takes a member away.
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = OidcClientMetadata, required = false)]
    oidc_client_metadata: Option<OidcClientMetadata>,
    /// What is left out of it stays; null takes a member away.
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = CustomClientMetadata, required = false)]
    custom_client_metadata: Option<CustomClientMetadata>,
    /// Replaced as a whole.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Object, required = false)]
    custom_data: Option<Map<String, Value>>,
    /// Whether a machine-to-machine application is to hold all of the Management API.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = bool, required = false)]
    is_admin: Option<bool>,
}

impl Patch for UpdateApplication {
    const MERGED: &'static Merged = &patch::APPLICATION;
}

impl UpdateApplication {
    fn changes_ways_in(&self, application: &Application) -> bool {
        let before = (&application.oidc_client_metadata.0, &application.custom_client_metadata.0);
        let after = (
            self.oidc_client_metadata.as_ref().unwrap_or(before.0),
            self.custom_client_metadata.as_ref().unwrap_or(before.1),
        );
        metadata::changes_ways_in(before, after) || self.is_admin.is_some()
    }

    fn apply(self, application: &mut Application) {
        if let Some(name) = self.name {
            application.name = name.into();
        }
        if let Some(description) = self.description {
            application.description = description.map(Into::into);
        }
        if let Some(metadata) = self.oidc_client_metadata {
            application.oidc_client_metadata.0 = metadata;
        }
        if let Some(metadata) = self.custom_client_metadata {
            application.custom_client_metadata.0 = metadata;
        }
        if let Some(data) = self.custom_data {
            application.custom_data.0 = Value::Object(data);
        }
    }
}

/// Changes an application.
#[utoipa::path(
    patch, path = "/api/applications/{id}", tag = "Applications", summary = "Change an application",
    params(("id" = String, Path, description = "The application")),
    request_body = UpdateApplication,
    responses(
        (status = 200, description = "The application", body = ApplicationView),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such application", body = ApiErrorBody),
        (status = 422, description = "A third-party application is to exchange tokens, one with users to be an administrator, or the last administrator to be none", body = ApiErrorBody),
    ),
)]
pub(super) async fn update_application(
    management: Management<ApplicationsWrite>,
    Id(id): Id<ApplicationId>,
    body: PatchBody<UpdateApplication>,
) -> Result<Json<ApplicationView>, ApiError> {
    let mut tx = management.begin_revision(Changed::Application(&id)).await?;
    let mut application =
        applications::find(&mut tx, &id).await?.ok_or_else(|| ApiError::nothing_to_change("application", &id))?;
    privilege_guard::check_application(&management, &mut tx, &id).await?;
    let body = body.over(&json!({
        "oidcClientMetadata": application.oidc_client_metadata.0,
        "customClientMetadata": application.custom_client_metadata.0,
    }))?;
    if body.changes_ways_in(&application) {
        management.demand_recent()?;
    }
    let is_admin = body.is_admin;
    // Another authentication method, or other keys, may lock an administrator out.
    let may_end_administration = is_admin.is_some() || body.oidc_client_metadata.is_some();
    let administered =
        if may_end_administration { Some(Administered::before(&management, &mut tx).await?) } else { None };
    body.apply(&mut application);
    let Application { kind, oidc_client_metadata, custom_client_metadata, is_third_party, .. } = &application;
    metadata::check(*kind, *is_third_party, oidc_client_metadata, custom_client_metadata)?;
    applications::update(&mut tx, &application).await?;
    metadata::begin_line(&management, &mut tx, &application).await?;
    if let Some(wanted) = is_admin {
        admin::set_admin(&management, &mut tx, &application, wanted).await?;
    }
    if let Some(administered) = administered {
        administered.check(&management, &mut tx).await?;
    }
    let details = json!({ "changedApplicationId": id, "isAdmin": is_admin });
    tx.audit(AuditKey::ManagementApplicationUpdate, details).await?;
    tx.commit().await?;
    Ok(Json(application.into()))
}
