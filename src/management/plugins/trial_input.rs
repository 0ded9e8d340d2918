//! The input of a plugin test: an input as in a golden case, or that of a token that was issued or could be.

use crate::issuances::grant_type;
use crate::previews::{ParsedPreview, PreviewRequest};
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::grant::grant_type::GrantType;
use claimsmith_domain::user_scope::ORGANIZATIONS;
use claimsmith_harness::Input;
use claimsmith_runtime::{Context, json as bounded};
use claimsmith_services::tokens::{self, Decision};
use claimsmith_storage::issuing::issuances::{self, Issuance};
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::management::Caller;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// The token of an application that a plugin is asked about.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct OfToken {
    /// The application.
    application_id: String,
    #[serde(flatten)]
    preview: PreviewRequest,
}

/// The three sources of an input, of which a request has one.
pub(super) struct TrialSource {
    pub(super) input: Option<Input>,
    pub(super) issuance_id: Option<String>,
    pub(super) request: Option<OfToken>,
}

/// The input of the plugin.
pub(super) struct TrialInput {
    /// As in a golden case.
    pub(super) input: Input,
    /// The token, if the input was composed for one.
    pub(super) token: Option<OwnToken>,
}

/// A token that an input was composed for.
pub(super) struct OwnToken {
    decision: Decision,
    id_token: bool,
    standard: Map<String, Value>,
    input: Value,
    not_kept: Option<Vec<&'static str>>,
    now: i64,
}

/// The token around the plugin's answer; nothing where no token was asked about.
#[derive(Default, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct TokenTrial {
    /// The token before and after the plugin.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = BeforeAndAfter, required = false)]
    token: Option<BeforeAndAfter>,
    /// What the plugin was given, as the input of a golden case.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Object, required = false)]
    input: Option<Value>,
    /// Of a token that was issued: what is not as it was then. `present`: user, application and organization are as they
    /// are now; `interaction`: nothing is kept of how the person signed in; `personalAccessToken`: it is asked as if a
    /// subject token without a context had been exchanged.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Vec<String>, required = false)]
    not_kept: Option<Vec<&'static str>>,
}

/// A token with the claims of one plugin, and without.
#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct BeforeAndAfter {
    /// The claims without those of any plugin.
    #[schema(value_type = Object)]
    before: Map<String, Value>,
    /// With those of this one; null when it gave none.
    #[schema(value_type = Option<Object>)]
    after: Option<Map<String, Value>>,
}

impl TrialSource {
    /// The input. For a token, the decision of the token endpoint is made first.
    pub(super) async fn read(self, management: &Caller) -> Result<TrialInput, ApiError> {
        match (self.input, self.issuance_id, self.request) {
            (input, None, None) => Ok(TrialInput { input: input.unwrap_or_default(), token: None }),
            (None, Some(id), None) => of_issuance(management, &id).await,
            (None, None, Some(OfToken { application_id, preview })) => {
                of_token(management, preview.read(application_id.into())?, None, None).await
            }
            _ => {
                let details = "Error in key path \"input\": expected one of input, issuanceId and request";
                Err(ApiError::invalid_input("body", details))
            }
        }
    }
}

impl OwnToken {
    /// The token with the claims that the plugin returned.
    pub(super) fn view(self, management: &Caller, claims: Option<&Map<String, Value>>) -> TokenTrial {
        let Self { decision, id_token, standard, input, not_kept, now } = self;
        let issuer = &management.app.issuer;
        let after = claims.map(|claims| issuer.with_custom(&decision, id_token, &standard, claims.clone(), now));
        TokenTrial { token: Some(BeforeAndAfter { before: standard, after }), input: Some(input), not_kept }
    }
}

/// The request of an issued token, as far as it is stored.
async fn of_issuance(management: &Caller, id: &str) -> Result<TrialInput, ApiError> {
    let mut tx = management.read().await?;
    let issuance = issuances::find(&mut tx, id).await?.ok_or_else(|| ApiError::not_found("issuance", id))?;
    let grant = grant_type(&mut tx, &issuance).await?.unwrap_or_else(|| likely_grant(&issuance));
    drop(tx);
    if grant == GrantType::Operator {
        let message = "The token was issued at the terminal: no application asked for it.";
        return Err(ApiError::new(ApiCode::TokenPreviewNotRebuilt, message));
    }
    let mut not_kept = vec!["present"];
    if issuance.grant_id.is_some() {
        not_kept.push("interaction");
    }
    if grant == GrantType::TokenExchange && issuance.subject_token_id.is_none() {
        not_kept.push("personalAccessToken");
    }
    let asked = request_of(&issuance, grant).read(issuance.application_id.clone())?;
    of_token(management, asked, Some(&issuance.jti), Some(not_kept)).await
}

/// The grant type that the record alone suggests.
fn likely_grant(issuance: &Issuance) -> GrantType {
    match (&issuance.user_id, &issuance.grant_id) {
        (None, _) => GrantType::ClientCredentials,
        (Some(_), _) if issuance.exchanged => GrantType::TokenExchange,
        (Some(_), Some(_)) => GrantType::AuthorizationCode,
        (Some(_), None) => GrantType::Operator,
    }
}

fn request_of(issuance: &Issuance, grant: GrantType) -> PreviewRequest {
    let is_exchange = grant == GrantType::TokenExchange;
    let mut scope = issuance.scope.clone();
    if issuance.grant_id.is_some() && issuance.organization_id.is_some() {
        // The scope that lets an application request organizations is not a scope of the token itself.
        scope = format!("{scope} {ORGANIZATIONS}");
    }
    let of_organization =
        |resource: &&String| issuance.organization_id.is_some() && resource.starts_with(tokens::ORGANIZATION_AUDIENCE);
    let context = issuance.context.as_ref().and_then(|context| context.value.as_object().cloned());
    PreviewRequest {
        user_id: issuance.user_id.clone().map(Into::into),
        token_kind: None,
        grant_type: Some(grant.to_string()),
        resource: issuance.resource.as_ref().filter(|resource| !of_organization(resource)).cloned(),
        organization_id: issuance.organization_id.clone().map(Into::into),
        scope: Some(scope),
        subject_token_context: context.filter(|_| is_exchange),
        actor_id: issuance.actor_id.clone().filter(|_| is_exchange).map(Into::into),
        subject_token_id: issuance.subject_token_id.clone(),
    }
}

async fn of_token(
    management: &Caller,
    mut asked: ParsedPreview,
    jti: Option<&str>,
    not_kept: Option<Vec<&'static str>>,
) -> Result<TrialInput, ApiError> {
    let decision = match asked.decide(management).await? {
        Ok(decision) => decision,
        Err(refusal) => return Err(refusal.error()),
    };
    let (id_token, now) = (asked.id_token, management.now());
    let question = management.app.issuer.question(&decision, id_token, jti, now)?;
    let question = question.ok_or_else(|| crate::previews::RefusalView::without_openid().error())?;
    let input = json!({
        "token": read(&question.issuance.token)?,
        "context": context(&question.issuance.context)?,
    });
    let standard = question.standard;
    let read = serde_json::from_value(input.clone())?;
    Ok(TrialInput { input: read, token: Some(OwnToken { decision, id_token, standard, input, not_kept, now }) })
}

/// The context as a golden case has it.
fn context(context: &Context) -> Result<Value, ApiError> {
    let mut shown = Map::new();
    if let Some(grant) = &context.grant {
        let mut members = Map::from_iter([("type".to_owned(), json!(&*grant.grant_type))]);
        if let Some(said) = &grant.subject_token_context {
            members.insert("subjectTokenContext".to_owned(), read(said)?);
        }
        shown.insert("grant".to_owned(), Value::Object(members));
    }
    let parts = [
        ("user", &context.user),
        ("application", &context.application),
        ("organization", &context.organization),
        ("interaction", &context.interaction),
    ];
    for (name, text) in parts {
        if let Some(text) = text {
            shown.insert(name.to_owned(), read(text)?);
        }
    }
    Ok(Value::Object(shown))
}

fn read(text: &Arc<str>) -> Result<Value, ApiError> {
    Ok(bounded::read(&**text, bounded::STORED)?)
}
