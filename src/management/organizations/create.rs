//! `POST /api/organizations`.

use crate::refusals::{AccessRefused, BodyRefused};
use crate::views::OrganizationView;
use axum::Json;
use axum::http::StatusCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::organization::{Branding, Color};
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::event::EventType;
use claimsmith_domain::management::OrganizationsWrite;
use claimsmith_json::present_object;
use claimsmith_services::webhooks::Event;
use claimsmith_storage::organizations::{self, Organization};
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// A new organization.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "name": "Acme", "description": "A customer", "customData": { "plan": "gold" },
    "color": { "primaryColor": "#0055aa" }, "branding": { "logoUrl": "https://acme.example.com/logo.png" }
}))]
pub(super) struct CreateOrganization {
    #[schema(value_type = String, min_length = 1, max_length = 128)]
    name: Text<1, 128>,
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 256)]
    description: Option<Text<0, 256>>,
    /// The integrator's own data.
    #[serde(default)]
    #[schema(value_type = Object)]
    custom_data: Map<String, Value>,
    /// Whether members need a second factor.
    #[serde(default)]
    is_mfa_required: bool,
    /// The colours of its sign-in pages.
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = Color, required = false)]
    color: Option<Color>,
    /// The pictures of its sign-in pages.
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = Branding, required = false)]
    branding: Option<Branding>,
    /// The style sheet of its sign-in pages.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 65536)]
    custom_css: Option<Text<0, 65536>>,
}

/// Creates an organization.
#[utoipa::path(
    post, path = "/api/organizations", tag = "Organizations", summary = "Create an organization",
    request_body = CreateOrganization,
    responses(
        (status = 201, description = "The organization", body = OrganizationView),
        BodyRefused, AccessRefused,
    ),
)]
pub(super) async fn create_organization(
    management: Management<OrganizationsWrite>,
    JsonBody(body): JsonBody<CreateOrganization>,
) -> Result<(StatusCode, Json<OrganizationView>), ApiError> {
    let organization = Organization {
        id: management.app.random.id(12)?.into(),
        name: body.name.into(),
        description: body.description.map(Into::into),
        custom_data: claimsmith_storage::Json(Value::Object(body.custom_data)),
        is_mfa_required: body.is_mfa_required,
        color: claimsmith_storage::Json(body.color.unwrap_or_default()),
        branding: claimsmith_storage::Json(body.branding.unwrap_or_default()),
        custom_css: body.custom_css.map(Into::into),
        created_at: management.now(),
    };
    let mut tx = management.begin().await?;
    organizations::insert(&mut tx, &organization).await?;
    let details = json!({ "organizationId": organization.id });
    tx.audit(AuditKey::ManagementOrganizationCreate, details).await?;
    let view = OrganizationView::from(organization);
    let event = Event::new(EventType::OrganizationCreated, StatusCode::CREATED).data(&view)?;
    tx.emit(&event).await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(view)))
}
