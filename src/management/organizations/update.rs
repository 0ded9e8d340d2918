//! `PATCH /api/organizations/{id}`.

use crate::refusals::{AccessRefused, BodyRefused};
use crate::views::OrganizationView;
use axum::Json;
use axum::http::StatusCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::organization::{Branding, Color};
use claimsmith_domain::documents::patch::{self, Merged, Patch};
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::OrganizationId;
use claimsmith_domain::management::OrganizationsWrite;
use claimsmith_json::{present, present_object};
use claimsmith_services::webhooks::Event;
use claimsmith_storage::organizations::{self, Organization};
use claimsmith_storage::revisions::Changed;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::patch::PatchBody;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// What is to change; what is left out stays.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::option_option, reason = "left out, null and a text are three things")]
#[schema(example = json!({ "name": "Acme", "description": null, "isMfaRequired": true }))]
pub(super) struct UpdateOrganization {
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = String, required = false, min_length = 1, max_length = 128)]
    name: Option<Text<1, 128>>,
    /// Null takes it away.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, max_length = 256)]
    description: Option<Option<Text<0, 256>>>,
    /// Replaced as a whole.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Object, required = false)]
    custom_data: Option<Map<String, Value>>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = bool, required = false)]
    is_mfa_required: Option<bool>,
    /// What is left out of it stays; null takes a member away.
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = Color, required = false)]
    color: Option<Color>,
    /// What is left out of it stays; null takes a member away.
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = Branding, required = false)]
    branding: Option<Branding>,
    /// Null takes it away.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, max_length = 65536)]
    custom_css: Option<Option<Text<0, 65536>>>,
}

impl Patch for UpdateOrganization {
    const MERGED: &'static Merged = &patch::ORGANIZATION;
}

impl UpdateOrganization {
    fn apply(self, organization: &mut Organization) {
        if let Some(name) = self.name {
            organization.name = name.into();
        }
        if let Some(description) = self.description {
            organization.description = description.map(Into::into);
        }
        if let Some(data) = self.custom_data {
            organization.custom_data.0 = Value::Object(data);
        }
        if let Some(required) = self.is_mfa_required {
            organization.is_mfa_required = required;
        }
        if let Some(color) = self.color {
            organization.color.0 = color;
        }
        if let Some(branding) = self.branding {
            organization.branding.0 = branding;
        }
        if let Some(css) = self.custom_css {
            organization.custom_css = css.map(Into::into);
        }
    }
}

/// Changes an organization.
#[utoipa::path(
    patch, path = "/api/organizations/{id}", tag = "Organizations", summary = "Change an organization",
    params(("id" = String, Path, description = "The organization")),
    request_body = UpdateOrganization,
    responses(
        (status = 200, description = "The organization", body = OrganizationView),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such organization", body = ApiErrorBody),
    ),
)]
pub(super) async fn update_organization(
    management: Management<OrganizationsWrite>,
    Id(id): Id<OrganizationId>,
    body: PatchBody<UpdateOrganization>,
) -> Result<Json<OrganizationView>, ApiError> {
    // Plugins get the organization in the context of its members.
    let mut tx = management.begin_revision(Changed::Organization(&id)).await?;
    let organization = organizations::find(&mut tx, &id).await?;
    let mut organization = organization.ok_or_else(|| ApiError::nothing_to_change("organization", &id))?;
    let before = json!({ "color": organization.color.0, "branding": organization.branding.0 });
    body.over(&before)?.apply(&mut organization);
    organizations::update(&mut tx, &organization).await?;
    let details = json!({ "organizationId": id });
    tx.audit(AuditKey::ManagementOrganizationUpdate, details).await?;
    let view = OrganizationView::from(organization);
    let event = Event::new(EventType::OrganizationDataUpdated, StatusCode::OK).data(&view)?;
    tx.emit(&event).await?;
    tx.commit().await?;
    Ok(Json(view))
}
