//! The token pipeline: from a decided grant through plugins, claims and signature to the committed token.
//!
//! Nothing is open while a plugin runs; nothing is answered before the write is durable.

use super::algorithm::encode;
use super::authorization_cache::{Client, Snapshot};
use super::error::Error;
use super::group_commit::{GroupCommit, Write, Written};
use crate::audit::{self, Entry};
use crate::domain::id::{OrganizationId, SubjectTokenId, UserId};
use crate::domain::origin::Origin;
use crate::plugins::{self, Issuance as PluginIssuance, Plugins, TokenKind};
use crate::storage::Json;
use crate::storage::audit::Log;
use crate::storage::issuances::Issuance;
use crate::{random, tokens};
use claimsmith_runtime::{Context, Grant};
use data_encoding::HEXLOWER;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
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
    /// What stands in `aud`; nothing gives an opaque token for this issuer's own endpoints.
    pub audience: Option<String>,
    /// The organization: id and `context.organization`, JSON.
    pub organization: Option<(OrganizationId, Arc<str>)>,
    /// What is granted.
    pub scope: String,
    /// Seconds.
    pub lifetime: i64,
    /// Whether plugins are asked: never for the Management API (`docs/decisions/where-plugins-run.md`).
    pub plugins: bool,
    /// What the audit log says beside the usual.
    pub audit: Map<String, Value>,
    /// Where the request came from.
    pub origin: Origin,
}

impl Decision {
    /// Whether it is for an organization, and for no resource.
    fn is_organization_token(&self) -> bool {
        self.audience.as_deref().is_some_and(|audience| audience.starts_with(tokens::ORGANIZATION_AUDIENCE))
    }
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
    pub id: UserId,
    /// See `id`.
    pub revision: i64,
    /// `context.user`, JSON.
    pub context: Arc<str>,
    /// The acting user.
    pub actor: Option<Actor>,
    /// What the application showed of them at an exchange.
    pub shown: Option<Shown>,
}

/// What stands for a user at an exchange.
pub enum Shown {
    /// A subject token, which is consumed.
    SubjectToken {
        /// Its id.
        id: SubjectTokenId,
        /// Its context.
        context: Arc<Value>,
    },
    /// A personal access token, which lasts.
    PersonalAccessToken {
        /// Its hash.
        hash: String,
    },
}

impl UserSubject {
    /// The subject token that was shown: id and context.
    fn subject_token(&self) -> Option<(&SubjectTokenId, &Arc<Value>)> {
        match &self.shown {
            Some(Shown::SubjectToken { id, context }) => Some((id, context)),
            _ => None,
        }
    }

    /// The hash of the personal access token that was shown.
    fn personal_access_token(&self) -> Option<&String> {
        match &self.shown {
            Some(Shown::PersonalAccessToken { hash }) => Some(hash),
            _ => None,
        }
    }
}

/// A user who acts, as their token says.
pub struct Actor {
    /// The user, with the revision at which they were looked at.
    pub id: UserId,
    /// See `id`.
    pub revision: i64,
    /// The `jti` of that token: it has to be live still when the new one is written.
    pub jti: String,
}

/// A token that may be shown.
pub struct Issued {
    /// The token: a JWT, or an opaque text when it has no audience.
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
    /// What was shown of the user was used, revoked or expired meanwhile.
    #[error("what was shown is spent")]
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
    group_commit: GroupCommit,
}

impl Issuer {
    /// An issuer whose tokens say `iss`.
    #[must_use]
    pub fn new(iss: String, plugins: Plugins, group_commit: GroupCommit) -> Self {
        Self { iss, plugins, group_commit }
    }

    /// The `iss` of every token.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.iss
    }

    /// Writes a refusal down in the audit log, soon. `false` when too much waits to be written.
    #[must_use]
    pub fn note(&self, refusal: Log) -> bool {
        self.group_commit.note(refusal)
    }

    /// Runs the plugins, signs, writes, and answers the token.
    pub async fn issue(&self, mut decision: Decision, now: i64) -> Result<Issued, Refusal> {
        let jti = random::id_at(now).map_err(Error::from)?;
        let (custom, runs) = self.custom_claims(&decision, &jti).await?;
        let claims = self.claims(&decision, &jti, custom, now);
        let (access_token, opaque_hash) = if decision.audience.is_some() {
            (decision.snapshot.keys.sign(&claims, now).map_err(Error::from)?, None)
        } else {
            let token = encode(&random::bytes::<32>().map_err(Error::from)?);
            let hash = tokens::hash(&token);
            (token, Some(hash))
        };
        let write = write_of(&mut decision, jti, opaque_hash, claims, runs, now)?;
        match self.group_commit.write(write).await? {
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
        let resource = decision.audience.as_deref();
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
            request_id: decision.origin.request_id.clone(),
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
        // In an organization token the audience says it.
        if let Some((organization, _)) = decision.organization.as_ref().filter(|_| !decision.is_organization_token()) {
            put("organization_id", json!(organization));
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

fn plugin_context(decision: &Decision) -> Context {
    let application = Some(decision.client.context.clone());
    let organization = decision.organization.as_ref().map(|(_, context)| context.clone());
    match &decision.subject {
        Subject::Application => Context { application, organization, ..Context::default() },
        Subject::User(user) => Context {
            // Present for the token-exchange grant alone: docs/decisions/where-plugins-run.md.
            grant: user.shown.as_ref().map(|_| Grant {
                grant_type: decision.grant_type.into(),
                subject_token_context: user.subject_token().map(|(_, context)| context.to_string().into()),
            }),
            user: Some(user.context.clone()),
            application,
            organization,
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
    let mut details = std::mem::take(&mut decision.audit);
    let user = match &decision.subject {
        Subject::Application => None,
        Subject::User(user) => Some(user),
    };
    let subject_token = user.and_then(|user| user.subject_token());
    let subject_token_id = subject_token.map(|(id, _)| id.clone());
    let personal_access_token = user.and_then(|user| user.personal_access_token()).cloned();
    let actor = user.and_then(|user| user.actor.as_ref());
    details.insert("jti".to_owned(), json!(jti));
    if let Some(user) = user {
        details.insert("userId".to_owned(), json!(user.id));
    }
    if let Some(actor) = actor {
        details.insert("actorId".to_owned(), json!(actor.id));
    }
    if !runs.is_empty() {
        details.insert("plugins".to_owned(), Value::Array(runs));
    }
    let mut users: Vec<(UserId, i64)> = user.map(|user| (user.id.clone(), user.revision)).into_iter().collect();
    users.extend(actor.map(|actor| (actor.id.clone(), actor.revision)));
    Ok(Write {
        revision: decision.snapshot.revision,
        users,
        actor_jti: actor.map(|actor| actor.jti.clone()),
        subject_token_id: subject_token_id.clone(),
        personal_access_token,
        issuance: Issuance {
            jti,
            user_id: user.map(|user| user.id.clone()),
            application_id: decision.client.application.id.clone(),
            actor_id: actor.map(|actor| actor.id.clone()),
            organization_id: decision.organization.as_ref().map(|(id, _)| id.clone()),
            resource: decision.audience.clone(),
            scope: decision.scope.clone(),
            exchanged: decision.grant_type == tokens::TOKEN_EXCHANGE,
            subject_token_id,
            context: subject_token.map(|(_, context)| Json(context.clone())),
            claims: opaque_hash.is_some().then_some(Json(Value::Object(claims))),
            opaque_hash,
            created_at: now,
            expires_at: (now / 1000 + decision.lifetime) * 1000,
            revoked_at: None,
        },
        log: Entry::success(audit_key(decision.grant_type), Value::Object(details))
            .by(&audit::Actor::Application { id: decision.client.application.id.clone() })
            .from(&decision.origin)
            .at(now)?,
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
    HEXLOWER.encode(&Sha256::digest(secret.as_bytes()))
}
