//! `POST /api/resources`.

use super::view::{ResourceView, ResourceWithScopes};
use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use axum::http::StatusCode;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::management::ResourcesWrite;
use claimsmith_json::present;
use claimsmith_storage as storage;
use claimsmith_storage::resources::{self, Resource};
use claimsmith_storage::revisions::Changed;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde::Deserialize;
use serde_json::json;

/// Maximum lifetime of a resource's tokens, in seconds: a year.
const MAX_TTL_SECONDS: u32 = 31_536_000;

/// A reserved prefix, which no resource indicator may have.
const RESERVED: &str = "urn:logto:";

/// A new resource.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "name": "Orders", "indicator": "https://orders.example.com", "accessTokenTtl": 3600 }))]
pub(super) struct CreateResource {
    #[schema(value_type = String, min_length = 1, max_length = 256)]
    name: Text<1, 256>,
    /// Absolute URI without a fragment, not of `urn:logto:`, unique: the `aud` of its tokens, compared character by
    /// character.
    #[schema(value_type = String, max_length = 2048)]
    indicator: Indicator,
    /// Seconds; the configured lifetime when not given.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = u32, required = false, minimum = 1, maximum = 31_536_000)]
    access_token_ttl: Option<Ttl>,
}

#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Indicator(String);

impl TryFrom<String> for Indicator {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let is_absolute = url::Url::parse(&text).is_ok_and(|uri| uri.fragment().is_none());
        // The parser ignores spaces around a URI; a token request would name it without them and never match. A
        // resource with a reserved name would share its tokens with the audience of an organization.
        let is_reserved = text.get(..RESERVED.len()).is_some_and(|start| start.eq_ignore_ascii_case(RESERVED));
        if is_absolute && !is_reserved && text.len() <= 2048 && !text.contains(char::is_whitespace) {
            Ok(Self(text))
        } else {
            Err("expected an absolute URI without fragment of at most 2048 characters, not urn:logto:…")
        }
    }
}

#[derive(Deserialize)]
#[serde(try_from = "u32")]
pub(super) struct Ttl(pub(super) u32);

impl TryFrom<u32> for Ttl {
    type Error = String;

    fn try_from(seconds: u32) -> Result<Self, String> {
        if (1..=MAX_TTL_SECONDS).contains(&seconds) {
            Ok(Self(seconds))
        } else {
            Err(format!("expected 1 to {MAX_TTL_SECONDS} seconds"))
        }
    }
}

/// Registers an API that takes access tokens.
#[utoipa::path(
    post, path = "/api/resources", tag = "Resources", summary = "Create a resource",
    request_body = CreateResource,
    responses(
        (status = 201, description = "The resource", body = ResourceWithScopes),
        BodyRefused, AccessRefused,
        (status = 422, description = "The indicator is in use", body = ApiErrorBody),
    ),
)]
pub(super) async fn create_resource(
    management: Management<ResourcesWrite>,
    JsonBody(body): JsonBody<CreateResource>,
) -> Result<(StatusCode, Json<ResourceWithScopes>), ApiError> {
    let ttl = match body.access_token_ttl {
        Some(Ttl(seconds)) => i64::from(seconds),
        None => i64::try_from(management.app.config.tokens.access_token_ttl.as_secs())?,
    };
    let resource = Resource {
        id: management.app.random.id(21)?.into(),
        name: body.name.into(),
        indicator: body.indicator.0,
        is_default: false,
        access_token_ttl: ttl,
        created_at: management.now(),
    };

    let mut tx = management.begin_revision(Changed::Nothing).await?;
    match resources::insert(&mut tx, &resource).await {
        Err(storage::Error::Conflict) => {
            let message = "This resource indicator is already in use.";
            return Err(ApiError::new(ApiCode::ResourceResourceIdentifierInUse, message));
        }
        result => result?,
    }
    tx.audit(AuditKey::ManagementResourceCreate, json!({ "resourceId": resource.id })).await?;
    tx.commit().await?;
    let view = ResourceWithScopes { resource: ResourceView::from(resource), scopes: Vec::new() };
    Ok((StatusCode::CREATED, Json(view)))
}
