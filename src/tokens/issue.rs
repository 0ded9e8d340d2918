//! The one pipeline from a decided grant to a token that may be shown: plugins, claims, signature, write.
//!
//! Nothing is open while a plugin runs; nothing is answered before the write is durable.

use super::algorithm::encode;
use super::commit::{Committer, Write, Written};
use super::directory::{Client, Snapshot};
use super::error::Error;
use crate::plugins::{self, Issuance as PluginIssuance, Plugins, TokenKind};
use crate::storage::audit::Log;
use crate::storage::issuances::Issuance;
use crate::storage::resources::Resource;
use crate::{random, tokens};
use claimsmith_runtime::{Context, Grant};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use sqlx::types::Json;
use std::sync::Arc;

/// A grant that was decided: who gets what, and by what right.
pub struct Decision {
    /// What was true when it was decided.
    pub snapshot: Arc<Snapshot>,
    /// The application that asks.
    pub client: Arc<Client>,
    /// The grant type as sent.
    pub grant_type: &'static str,
    /// Whom the token represents.
    pub subject: Subject,
    /// The resource in `aud`; none gives an opaque token for this issuer's own endpoints.
    pub resource: Option<Arc<Resource>>,
    /// What is granted.
    pub scope: String,
    /// Seconds.
    pub lifetime: i64,
    /// Whether plugins are asked: never for the Management API (decision 10).
    pub plugins: bool,
    /// What the audit log says beside the usual.
    pub audit: Map<String, Value>,
    /// For logs.
    pub request_id: Option<String>,
}

/// Whom a token represents.
pub enum Subject {
    /// The application itself.
    Application,
    /// A user.
    User(Box<UserSubject>),
}

/// A user whom a token represents, and how that came about.
pub struct UserSubject {
    /// The user, with the revision at which they were looked at.
    pub id: String,
    /// See `id`.
    pub revision: i64,
    /// `context.user`, JSON.
    pub context: Arc<str>,
    /// The organization: id and `context.organization`, JSON.
    pub organization: Option<(String, Arc<str>)>,
    /// The acting user and the revision at which they were looked at.
    pub actor: Option<(String, i64)>,
    /// The subject token: id and its context.
    pub subject_token: Option<(String, Value)>,
}

/// A token that may be shown.
pub struct Issued {
    /// The token: a JWT, or an opaque text when it has no resource.
    pub access_token: String,
    /// Seconds.
    pub expires_in: i64,
    /// What was granted.
    pub scope: String,
}

/// Why there is no token.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// What was authorized has changed meanwhile: decide again.
    #[error("what was authorized has changed")]
    Stale,
    /// The subject token was used or expired meanwhile.
    #[error("the subject token is spent")]
    Spent,
    /// A plugin said no; the text is for the application.
    #[error("denied: {0}")]
    Denied(String),
    /// A plugin failed and its policy is to deny.
    #[error("plugin {plugin} failed: {outcome}")]
    PluginFailed {
        /// Its name.
        plugin: String,
        /// A word of [`claimsmith_runtime::CallError::outcome`].
        outcome: String,
    },
    /// The server failed.
    #[error(transparent)]
    Failed(#[from] Error),
}

/// Carries out a decision.
pub struct Issuer {
    iss: String,
    plugins: Plugins,
    committer: Committer,
}

impl Issuer {
    /// An issuer whose tokens say `iss`.
    #[must_use]
    pub fn new(iss: String, plugins: Plugins, committer: Committer) -> Self {
        Self { iss, plugins, committer }
    }

    /// The `iss` of every token.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.iss
    }

    /// Writes a refusal down in the audit log, soon.
    pub fn note(&self, refusal: Log) {
        self.committer.note(refusal);
    }

    /// Runs the plugins, signs, writes, and answers the token.
    pub async fn issue(&self, mut decision: Decision, now: i64) -> Result<Issued, Refusal> {
        let jti = random::id_at(now).map_err(Error::from)?;
        let (custom, runs) = self.custom_claims(&decision, &jti).await?;
        let claims = self.claims(&decision, &jti, custom, now);
        let (access_token, opaque_hash) = if decision.resource.is_some() {
            (decision.snapshot.keys.sign(&claims, now).map_err(Error::from)?, None)
        } else {
            let token = encode(&random::bytes::<32>().map_err(Error::from)?);
            let hash = tokens::hash(&token);
            (token, Some(hash))
        };
        let write = write_of(&mut decision, jti, opaque_hash, claims, runs, now)?;
        match self.committer.write(write).await? {
            Written::Committed => Ok(Issued { access_token, expires_in: decision.lifetime, scope: decision.scope }),
            Written::Stale => Err(Refusal::Stale),
            Written::Spent => Err(Refusal::Spent),
        }
    }

    /// What the plugins add, with what the audit log keeps of their runs.
    async fn custom_claims(&self, decision: &Decision, jti: &str) -> Result<(Map<String, Value>, Vec<Value>), Refusal> {
        let client = &decision.client.application;
        let kind = match decision.subject {
            Subject::Application => TokenKind::ClientCredentials,
            Subject::User(_) => TokenKind::AccessToken,
        };
        let resource = decision.resource.as_deref().map(|resource| resource.indicator.as_str());
        if !decision.plugins || !self.plugins.applies(kind, decision.grant_type, &client.id, resource) {
            return Ok((Map::new(), Vec::new()));
        }
        let issuance = PluginIssuance {
            kind,
            grant_type: decision.grant_type,
            application: &client.id,
            resource,
            token: token_context(decision, kind, jti).to_string().into(),
            context: plugin_context(decision),
            request_id: decision.request_id.clone(),
        };
        match self.plugins.claims(&issuance).await {
            Ok(claims) => Ok((claims.claims, claims.runs.iter().map(run_value).collect())),
            Err(plugins::Refusal::Denied { message, .. }) => Err(Refusal::Denied(message)),
            Err(plugins::Refusal::Failed { plugin, outcome, .. }) => {
                Err(Refusal::PluginFailed { plugin, outcome: outcome.to_string() })
            }
        }
    }

    /// The claims of the token (RFC 9068), custom ones last; the reserved names among those were dropped already.
    fn claims(&self, decision: &Decision, jti: &str, custom: Map<String, Value>, now: i64) -> Map<String, Value> {
        let client_id = &decision.client.application.id;
        let mut claims = Map::new();
        let mut put = |name: &str, value: Value| claims.insert(name.to_owned(), value);
        put("iss", json!(self.iss));
        match &decision.subject {
            Subject::Application => put("sub", json!(client_id)),
            Subject::User(user) => put("sub", json!(user.id)),
        };
        if let Some(resource) = &decision.resource {
            put("aud", json!(resource.indicator));
        }
        put("exp", json!(now / 1000 + decision.lifetime));
        put("iat", json!(now / 1000));
        put("jti", json!(jti));
        put("client_id", json!(client_id));
        put("scope", json!(decision.scope));
        if let Subject::User(user) = &decision.subject {
            if let Some((actor, _)) = &user.actor {
                put("act", json!({ "sub": actor }));
            }
            if let Some((organization, _)) = &user.organization {
                put("organization_id", json!(organization));
            }
        }
        claims.extend(custom);
        claims
    }
}

/// `token` as a plugin sees it: what is known before the signature.
fn token_context(decision: &Decision, kind: TokenKind, jti: &str) -> Value {
    let mut token = json!({
        "jti": jti,
        "kind": match kind { TokenKind::ClientCredentials => "ClientCredentials", _ => "AccessToken" },
        "scope": decision.scope,
        "clientId": decision.client.application.id,
    });
    if let Some(resource) = &decision.resource {
        token["aud"] = json!(resource.indicator);
    }
    if let Subject::User(user) = &decision.subject {
        token["accountId"] = json!(user.id);
        token["gty"] = json!(decision.grant_type);
        let mut extra = Map::new();
        if let Some((id, _)) = &user.subject_token {
            extra.insert("subjectTokenId".to_owned(), json!(id));
        }
        if let Some((actor, _)) = &user.actor {
            extra.insert("act".to_owned(), json!({ "sub": actor }));
        }
        if !extra.is_empty() {
            token["extra"] = Value::Object(extra);
        }
    }
    token
}

fn plugin_context(decision: &Decision) -> Context {
    let application = Some(decision.client.context.clone());
    match &decision.subject {
        Subject::Application => Context { application, ..Context::default() },
        Subject::User(user) => Context {
            // Present for the token-exchange grant alone (decision 10).
            grant: user.subject_token.as_ref().map(|(_, context)| Grant {
                grant_type: decision.grant_type.into(),
                subject_token_context: Some(context.to_string().into()),
            }),
            user: Some(user.context.clone()),
            application,
            organization: user.organization.as_ref().map(|(_, context)| context.clone()),
            interaction: None,
        },
    }
}

fn run_value(run: &plugins::Run) -> Value {
    json!({ "plugin": run.plugin, "digest": run.digest, "generation": run.generation, "outcome": run.outcome })
}

fn write_of(
    decision: &mut Decision,
    jti: String,
    opaque_hash: Option<String>,
    claims: Map<String, Value>,
    runs: Vec<Value>,
    now: i64,
) -> Result<Write, Error> {
    let mut payload = std::mem::take(&mut decision.audit);
    let user = match &decision.subject {
        Subject::Application => None,
        Subject::User(user) => Some(user),
    };
    let subject_token = user.and_then(|user| user.subject_token.as_ref());
    let subject_token_id = subject_token.map(|(id, _)| id.clone());
    let actor = user.and_then(|user| user.actor.clone());
    payload.insert("key".to_owned(), json!(audit_key(decision.grant_type)));
    payload.insert("result".to_owned(), json!("Success"));
    payload.insert("applicationId".to_owned(), json!(decision.client.application.id));
    payload.insert("jti".to_owned(), json!(jti));
    if let Some(user) = user {
        payload.insert("userId".to_owned(), json!(user.id));
    }
    if let Some((actor, _)) = &actor {
        payload.insert("actorId".to_owned(), json!(actor));
    }
    if !runs.is_empty() {
        payload.insert("plugins".to_owned(), Value::Array(runs));
    }
    let mut users: Vec<(String, i64)> = user.map(|user| (user.id.clone(), user.revision)).into_iter().collect();
    users.extend(actor.clone());
    Ok(Write {
        revision: decision.snapshot.revision,
        users,
        subject_token_id: subject_token_id.clone(),
        issuance: Issuance {
            jti,
            user_id: user.map(|user| user.id.clone()),
            application_id: decision.client.application.id.clone(),
            actor_id: actor.map(|(id, _)| id),
            organization_id: user.and_then(|user| user.organization.as_ref()).map(|(id, _)| id.clone()),
            resource: decision.resource.as_ref().map(|resource| resource.indicator.clone()),
            scope: decision.scope.clone(),
            exchanged: subject_token_id.is_some(),
            subject_token_id,
            context: subject_token.map(|(_, context)| Json(context.clone())),
            claims: opaque_hash.is_some().then_some(Json(Value::Object(claims))),
            opaque_hash,
            created_at: now,
            expires_at: (now / 1000 + decision.lifetime) * 1000,
            revoked_at: None,
        },
        log: Log {
            id: random::id_at(now)?,
            key: audit_key(decision.grant_type).to_owned(),
            payload: Json(Value::Object(payload)),
            created_at: now,
        },
    })
}

/// The key under which the audit log keeps an issuance by this grant.
#[must_use]
pub fn audit_key(grant_type: &str) -> &'static str {
    match grant_type {
        tokens::TOKEN_EXCHANGE => "ExchangeTokenBy.TokenExchange",
        tokens::CLIENT_CREDENTIALS => "ExchangeTokenBy.ClientCredentials",
        tokens::OPERATOR => "ExchangeTokenBy.Operator",
        _ => "ExchangeTokenBy.Unknown",
    }
}

/// SHA-256 in hexadecimal: how random secrets and opaque tokens are stored.
#[must_use]
pub fn hash(secret: &str) -> String {
    hex::encode(Sha256::digest(secret.as_bytes()))
}
