//! `POST /api/applications/{id}/token-preview`: the token that an application would get now, with the effect of each
//! plugin. Nothing is signed, stored, used up or counted.

use crate::previews::{PreviewKind, PreviewRequest, RefusalView};
use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use claimsmith_domain::grant::grant_type::GrantType;
use claimsmith_domain::id::ApplicationId;
use claimsmith_domain::management::PluginsWrite;
use claimsmith_services::plugins::{Skipped, Step};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde::Serialize;
use serde_json::{Map, Value};

/// A preview of a token; none is issued.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "outcome": "issued", "tokenKind": "access-token",
    "grantType": "urn:ietf:params:oauth:grant-type:token-exchange", "format": "jwt", "expiresIn": 3600,
    "scope": "orders:read",
    "standardClaims": { "iss": "https://id.example.com/oidc", "sub": "q3v8k1znw2pd", "scope": "orders:read" },
    "claims": {
        "iss": "https://id.example.com/oidc", "sub": "q3v8k1znw2pd", "scope": "orders:read", "ticket_id": "T-1"
    },
    "plugins": [{
        "name": "impersonation", "source": "folder",
        "digest": "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "order": 10,
        "outcome": "ok", "effect": "merged", "message": null, "onError": "deny", "added": { "ticket_id": "T-1" },
        "changed": {}, "dropped": [], "logs": [], "durationUs": 812
    }],
    "skipped": [{
        "name": "roles", "source": "folder", "reason": "applications",
        "message": "its setting applications does not name this application"
    }],
    "refusal": null, "assumed": []
}))]
pub(super) struct TokenPreview {
    /// `issued` or `refused`.
    outcome: &'static str,
    /// Which token it is.
    token_kind: PreviewKind,
    /// The grant.
    #[schema(value_type = String)]
    grant_type: GrantType,
    /// `jwt`, or `opaque` without a resource: the claims are then what introspection tells. Null without a token.
    format: Option<&'static str>,
    /// Seconds.
    expires_in: Option<i64>,
    /// The granted scopes.
    scope: Option<String>,
    /// The claims without those of plugins.
    #[schema(value_type = Option<Object>)]
    standard_claims: Option<Map<String, Value>>,
    /// The claims as the token would hold them.
    #[schema(value_type = Option<Object>)]
    claims: Option<Map<String, Value>>,
    /// The plugins that were called, in order.
    plugins: Vec<Step>,
    /// The claims plugins that were not, and why.
    skipped: Vec<Skipped>,
    /// Why there would be no token.
    refusal: Option<RefusalView>,
    /// What is taken for granted: `signIn` (nothing is known of how the person signs in), `consent` (of the person to
    /// what a third party asks for), `actorToken`.
    assumed: Vec<&'static str>,
}

/// Previews a token: decided like one that is issued, with the same calls of the plugins that serve, and their secrets.
#[utoipa::path(
    post, path = "/api/applications/{id}/token-preview", tag = "Applications",
    params(("id" = String, Path, description = "The application")),
    request_body = PreviewRequest,
    responses(
        (status = 200, description = "The token, or why there would be none", body = TokenPreview),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such application", body = ApiErrorBody),
        (status = 422, description = "No such user or actor, or a suspended one", body = ApiErrorBody),
        (status = 503, description = "The server is too busy", body = ApiErrorBody),
    ),
)]
pub(super) async fn preview_token(
    management: Management<PluginsWrite>,
    Id(id): Id<ApplicationId>,
    JsonBody(body): JsonBody<PreviewRequest>,
) -> Result<Json<TokenPreview>, ApiError> {
    let mut asked = body.read(id)?;
    let decided = asked.decide(&management).await?;
    let mut shown = TokenPreview {
        outcome: "refused",
        token_kind: if asked.id_token { PreviewKind::IdToken } else { PreviewKind::AccessToken },
        grant_type: asked.grant_type,
        format: None,
        expires_in: None,
        scope: None,
        standard_claims: None,
        claims: None,
        plugins: Vec::new(),
        skipped: Vec::new(),
        refusal: None,
        assumed: asked.assumed,
    };
    let decision = match decided {
        Ok(decision) => decision,
        Err(refusal) => return Ok(Json(TokenPreview { refusal: Some(refusal), ..shown })),
    };
    let Some(preview) = management.app.issuer.preview(&decision, asked.id_token, management.now()).await? else {
        return Ok(Json(TokenPreview { refusal: Some(RefusalView::without_openid()), ..shown }));
    };
    (shown.plugins, shown.skipped) = (preview.steps, preview.skipped);
    match preview.claims {
        Err(refused) => shown.refusal = Some(RefusalView::of_plugin(refused.plugin, refused.refusal)),
        Ok(claims) => {
            shown.outcome = "issued";
            shown.format = Some(if asked.id_token || decision.audience.is_some() { "jwt" } else { "opaque" });
            shown.expires_in = Some(preview.lifetime);
            shown.scope = Some(decision.scope);
            shown.standard_claims = Some(preview.standard);
            shown.claims = Some(claims);
        }
    }
    Ok(Json(shown))
}
