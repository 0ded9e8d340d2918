//! The claims of a token, and the input of plugins for it: the standard claims (RFC 9068), `token` and the context.

use super::decision::{Decision, Subject, UserSubject};
use crate::plugins::TokenKind;
use claimsmith_runtime::{Context, Grant};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// The claims of the token (RFC 9068), custom ones last; the reserved names among those were dropped already.
pub(super) fn claims(
    issuer: &str,
    decision: &Decision,
    jti: &str,
    custom: Map<String, Value>,
    now: i64,
) -> Map<String, Value> {
    let client_id = &decision.client.application.id;
    let mut claims = Map::new();
    let mut put = |name: &str, value: Value| claims.insert(name.to_owned(), value);
    put("iss", json!(issuer));
    match &decision.subject {
        Subject::Application => put("sub", json!(client_id)),
        Subject::User(user) => put("sub", json!(user.id)),
    };
    if let Some(audience) = &decision.audience {
        put("aud", json!(audience));
    }
    put("exp", json!(now / 1000 + decision.lifetime));
    put("iat", json!(now / 1000));
    put("jti", json!(jti));
    put("client_id", json!(client_id));
    put("scope", json!(decision.scope));
    if let Subject::User(user) = &decision.subject
        && let Some(actor) = &user.actor
    {
        put("act", json!({ "sub": actor.id }));
    }
    // The audience of an organization token already names the organization.
    if let Some((organization, _)) = decision.organization.as_ref().filter(|_| !decision.is_organization_token()) {
        put("organization_id", json!(organization));
    }
    claims.extend(custom);
    claims
}

/// `token` as a plugin sees it, before the signature.
pub(super) fn token_context(decision: &Decision, kind: TokenKind, jti: &str) -> Value {
    let mut token = json!({
        "jti": jti,
        "kind": match kind {
            TokenKind::ClientCredentials => "ClientCredentials",
            TokenKind::AccessToken => "AccessToken",
            TokenKind::IdToken => "IdToken",
        },
        "scope": decision.scope,
        "clientId": decision.client.application.id,
    });
    if let Some(audience) = &decision.audience {
        token["aud"] = json!(audience);
    }
    if let Subject::User(user) = &decision.subject {
        token["accountId"] = json!(user.id);
        token["gty"] = json!(decision.grant_type);
        let mut extra = Map::new();
        if let Some((id, _)) = user.subject_token() {
            extra.insert("subjectTokenId".to_owned(), json!(id));
        }
        if let Some(actor) = &user.actor {
            extra.insert("act".to_owned(), json!({ "sub": actor.id }));
        }
        if !extra.is_empty() {
            token["extra"] = Value::Object(extra);
        }
    }
    token
}

/// The context of a plugin call beside `token`.
pub(super) fn plugin_context(decision: &Decision) -> Context {
    let application = Some(decision.client.context.clone());
    let organization = decision.organization.as_ref().map(|(_, context)| context.clone());
    match &decision.subject {
        Subject::Application => Context { application, organization, ..Context::default() },
        Subject::User(user) => Context {
            // Present only for the token exchange grant: docs/decisions/where-plugins-run.md.
            grant: user.is_exchange().then(|| Grant {
                grant_type: decision.grant_type.as_str().into(),
                subject_token_context: user.subject_token().map(|(_, context)| context.text.clone()),
            }),
            user: Some(user.facts.context.clone()),
            application,
            organization,
            interaction: interaction(user),
        },
    }
}

/// `context.interaction`: the sign-in that the token comes from, if known.
fn interaction(user: &UserSubject) -> Option<Arc<str>> {
    let submitted = user.sign_in()?.authorized.interaction.as_ref()?;
    Some(json!(submitted).to_string().into())
}
