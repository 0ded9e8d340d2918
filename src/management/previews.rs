//! Previews of tokens: the request, the decision that the token endpoint would make, and how it is shown.

use crate::subject_tokens::check_context;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::grant::grant_type::GrantType;
use claimsmith_domain::id::{ApplicationId, SubjectTokenId};
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_identity::grants::GrantRefusal;
use claimsmith_identity::grants::preview::{self, NotDecided, PreviewParameters};
use claimsmith_services::tokens::{Decision, IssuanceRefusal};
use claimsmith_web::error::{ApiError, OAuthError};
use claimsmith_web::extract::management::Caller;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// A preview of a token; none is issued.
#[derive(Clone, Debug, Default, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "userId": "q3v8k1znw2pd", "grantType": "urn:ietf:params:oauth:grant-type:token-exchange",
    "resource": "https://shop.example.com/api", "scope": "orders:read", "subjectTokenContext": { "ticketId": "T-1" }
}))]
pub(super) struct PreviewRequest {
    /// The user; none for a token of the application itself.
    pub(super) user_id: Option<String>,
    /// `access-token` (default), or `id-token`, which comes with a sign-in and the scope `openid` alone.
    pub(super) token_kind: Option<PreviewKind>,
    /// As at the token endpoint. Default: `client_credentials` without a user, token exchange with
    /// `subjectTokenContext` or `actorId`, else `authorization_code`.
    pub(super) grant_type: Option<String>,
    /// The resource indicator.
    pub(super) resource: Option<String>,
    /// The organization.
    pub(super) organization_id: Option<String>,
    /// Scopes, separated by spaces.
    pub(super) scope: Option<String>,
    /// The context of the subject token; token exchange alone.
    #[schema(value_type = Option<Object>)]
    pub(super) subject_token_context: Option<Map<String, Value>>,
    /// The acting user; token exchange alone.
    pub(super) actor_id: Option<String>,
    /// The subject token of an issuance that is asked about once more.
    #[serde(skip)]
    pub(super) subject_token_id: Option<SubjectTokenId>,
}

/// Which token is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum PreviewKind {
    /// The access token.
    #[default]
    AccessToken,
    /// The ID token beside it.
    IdToken,
}

/// A parsed request for a preview.
pub(super) struct ParsedPreview {
    parameters: PreviewParameters,
    /// Whether the preview is of the ID token.
    pub(super) id_token: bool,
    /// The grant.
    pub(super) grant_type: GrantType,
    /// The assumptions: `signIn`, `consent`, `actorToken`.
    pub(super) assumed: Vec<&'static str>,
}

/// Why there would be no token.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(super) struct RefusalView {
    /// What the token endpoint answers, such as `invalid_target` or `access_denied`.
    error: String,
    /// The `error_description`.
    description: String,
    /// The plugin because of which it is so.
    plugin: Option<String>,
}

impl PreviewRequest {
    /// Parses the request; refuses members that contradict each other.
    pub(super) fn read(self, application_id: ApplicationId) -> Result<ParsedPreview, ApiError> {
        let invalid = |key: &str, problem: &str| {
            ApiError::invalid_input("body", format!("Error in key path \"{key}\": {problem}"))
        };
        let exchanged = self.subject_token_context.is_some() || self.actor_id.is_some();
        let default = match &self.user_id {
            None => GrantType::ClientCredentials,
            Some(_) if exchanged => GrantType::TokenExchange,
            Some(_) => GrantType::AuthorizationCode,
        };
        let grant_type = match &self.grant_type {
            None => default,
            Some(named) => GrantType::parse(named).ok_or_else(|| {
                let known = GrantType::SERVED.map(GrantType::as_str).join(", ");
                invalid("grantType", &format!("expected one of {known}"))
            })?,
        };
        if exchanged && grant_type != GrantType::TokenExchange {
            let key = if self.actor_id.is_some() { "actorId" } else { "subjectTokenContext" };
            return Err(invalid(key, "only a token exchange has it"));
        }
        if self.user_id.is_some() == (grant_type == GrantType::ClientCredentials) {
            return Err(invalid("userId", "every grant but client_credentials has a user, and that has none"));
        }
        let id_token = self.token_kind.unwrap_or_default() == PreviewKind::IdToken;
        let signs_in = grant_type != GrantType::ClientCredentials && grant_type != GrantType::TokenExchange;
        if id_token && !signs_in {
            return Err(invalid("tokenKind", "an ID token comes with a sign-in alone"));
        }
        let context = check_context("subjectTokenContext", self.subject_token_context.unwrap_or_default())?;
        let mut assumed = Vec::new();
        if signs_in {
            assumed.push("signIn");
        }
        if self.actor_id.is_some() {
            assumed.push("actorToken");
        }
        let parameters = PreviewParameters {
            application_id,
            user_id: self.user_id.map(Into::into),
            grant_type,
            resource: self.resource,
            organization_id: self.organization_id.map(Into::into),
            scope: self.scope,
            subject_token_context: context,
            subject_token_id: self.subject_token_id,
            actor_id: self.actor_id.map(Into::into),
        };
        Ok(ParsedPreview { parameters, id_token, grant_type, assumed })
    }
}

impl ParsedPreview {
    /// The decision that the token endpoint would make; its refusal is a valid result, too.
    pub(super) async fn decide(&mut self, management: &Caller) -> Result<Result<Decision, RefusalView>, ApiError> {
        let id = self.parameters.application_id.clone();
        match preview::decide(&management.app, &RequestOrigin::default(), &self.parameters).await {
            Ok(decision) => {
                if self.assumed.contains(&"signIn") && decision.client.application.is_third_party {
                    self.assumed.push("consent");
                }
                Ok(Ok(decision))
            }
            Err(NotDecided::Application) => Err(ApiError::not_found("application", &id)),
            Err(NotDecided::User) => {
                let message = "There is no such user, or a suspended one.";
                Err(ApiError::new(ApiCode::TokenPreviewUserNotFound, message))
            }
            Err(NotDecided::Actor) => {
                let message = "There is no such acting user, or a suspended one.";
                Err(ApiError::new(ApiCode::TokenPreviewActorNotFound, message))
            }
            Err(NotDecided::Refused(refusal)) => match OAuthError::from(refusal) {
                error if error.is_failure() => {
                    Err(ApiError::unavailable(ApiCode::TokenPreviewUnavailable, error.description, 5))
                }
                error => Ok(Err(RefusalView::of(error))),
            },
        }
    }
}

impl RefusalView {
    /// The error response of the token endpoint.
    fn of(error: OAuthError) -> Self {
        Self { error: error.error.to_owned(), description: error.description, plugin: None }
    }

    /// Its error response because of a plugin. The reason of a plugin's failure is shown with its call.
    pub(super) fn of_plugin(plugin: String, refusal: IssuanceRefusal) -> Self {
        let error = match refusal {
            IssuanceRefusal::Denied { message, .. } => GrantRefusal::denied(message),
            _ => GrantRefusal::Broken,
        };
        Self { plugin: Some(plugin), ..Self::of(error.into()) }
    }

    /// No ID token would be issued.
    pub(super) fn without_openid() -> Self {
        let description = "an ID token comes with the scope openid alone".to_owned();
        Self { error: "invalid_scope".to_owned(), description, plugin: None }
    }

    /// The refusal as the error of an operation that needs the token.
    pub(super) fn error(self) -> ApiError {
        let message = format!("The token endpoint would refuse: {}.", self.description);
        ApiError::new(ApiCode::TokenPreviewRefused, message).with_data(json!({ "refusal": self }))
    }
}
