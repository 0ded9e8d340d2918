//! The token pipeline: from a decided grant through plugins, claims and signature to the committed token.
//!
//! No transaction is open while a plugin runs, and the response is sent only after the write is durable.

use super::algorithm::{Algorithm, encode};
use super::claims::{claims, plugin_context, token_context};
use super::commit_delay::MAX_USUAL_DURATION;
use super::decision::{Decision, RefreshTokenAnswer, Subject};
use super::error::Error;
use super::group_commit::{GroupCommit, Written};
use super::id_token::IdToken;
use super::key_ring::ACCESS_TOKEN;
use super::record::{Hashes, write_of};
use super::shared_change::SharedChange;
use super::subject_token::{NewSubjectToken, SubjectTokenWritten};
use crate::audit::Actor;
use crate::plugins::{self, PluginIssuance, Plugins, TokenKind};
use claimsmith_domain::authorization::acr;
use claimsmith_domain::id::UserId;
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_domain::random::Random;
use claimsmith_storage::audit::StoredAuditEntry;
use claimsmith_storage::issuing::client_assertions::AssertionUse;
use data_encoding::HEXLOWER;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

/// The tokens of an issuance, which may be sent to the client.
pub struct IssuedTokens {
    /// The access token: a JWT, or an opaque text if it has no audience.
    pub access_token: String,
    /// Seconds.
    pub expires_in: i64,
    /// The granted scopes.
    pub scope: String,
    /// An ID token, if the user signed in with `openid`.
    pub id_token: Option<String>,
    /// A refresh token, if one is issued.
    pub refresh_token: Option<String>,
}

/// The reason that no token is issued.
#[derive(Debug, thiserror::Error)]
pub enum IssuanceRefusal {
    /// The authorization data changed: decide again.
    #[error("the authorization data changed")]
    Stale,
    /// The presented credential was used, revoked or expired in the meantime.
    #[error("the presented credential was used, revoked or has expired")]
    Spent,
    /// A plugin denied the token.
    #[error("plugin {} denied access", .by.plugin)]
    Denied {
        /// For the application.
        message: String,
        /// Who denied, for the audit log.
        by: Box<RefusedBy>,
    },
    /// A plugin failed, and its failure policy is `deny`.
    #[error("plugin {} failed: {}", .0.plugin, .0.outcome)]
    PluginFailed(Box<RefusedBy>),
    /// The server failed.
    #[error(transparent)]
    Failed(#[from] Error),
}

/// The plugin that refused a token, for the audit log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RefusedBy {
    /// Its name.
    pub plugin: String,
    /// The number of its version, if it was uploaded.
    pub version: Option<i64>,
    /// `sha256:…` of its source; `None` if it never loaded.
    pub digest: Option<String>,
    /// `denied`, or a word of [`claimsmith_runtime::CallError::outcome`].
    pub outcome: String,
    /// What it said, in one line with its place, without secrets.
    pub error: Option<String>,
    /// The user that the token would have represented.
    pub user_id: Option<UserId>,
}

impl RefusedBy {
    /// The plugin, by its name and its calls; the refusing one is the last.
    pub(super) fn new(plugin: String, runs: &[plugins::Run], user_id: Option<UserId>) -> Self {
        let Some(run) = runs.last() else { return Self { plugin, user_id, ..Self::default() } };
        Self {
            plugin,
            version: run.version,
            digest: run.digest.as_deref().map(str::to_owned),
            outcome: run.outcome.to_owned(),
            error: run.error.as_deref().map(str::to_owned),
            user_id,
        }
    }
}

/// Issues tokens for decided grants.
pub struct Issuer {
    pub(super) iss: String,
    algorithm: Algorithm,
    pub(super) plugins: Plugins,
    group_commit: GroupCommit,
    pub(super) random: Random,
}

impl Issuer {
    /// Creates an issuer with this `iss`, whose access tokens are signed with this algorithm.
    #[must_use]
    pub fn new(
        (iss, algorithm): (String, Algorithm),
        plugins: Plugins,
        group_commit: GroupCommit,
        random: Random,
    ) -> Self {
        Self { iss, algorithm, plugins, group_commit, random }
    }

    /// The `iss` of every token.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.iss
    }

    /// Queues an audit entry of a refusal. `false` if the queue is full.
    #[must_use]
    pub fn note(&self, refusal: StoredAuditEntry) -> bool {
        self.group_commit.note(refusal)
    }

    /// Uses a client assertion, durably. `false` if it was used before.
    pub async fn claim(&self, assertion: AssertionUse) -> Result<bool, Error> {
        Ok(self.group_commit.claim(assertion).await? == Written::Committed)
    }

    /// Writes a subject token with its audit entry, and returns after the commit.
    pub async fn add_subject_token(&self, new: NewSubjectToken) -> Result<SubjectTokenWritten, Error> {
        self.group_commit.add_subject_token(new).await
    }

    /// Makes a change by the group commit, and returns after the commit.
    pub async fn change<C: SharedChange>(
        &self,
        change: C,
        actor: Actor,
        origin: RequestOrigin,
    ) -> Result<C::Outcome, C::Refusal> {
        self.group_commit.change(change, actor, origin).await
    }

    /// Runs the plugins, signs, writes, and returns the token.
    pub async fn issue(&self, mut decision: Decision, now: i64) -> Result<IssuedTokens, IssuanceRefusal> {
        let kind = decision.access_token_kind();
        let arrival = self.arrives_soon(&decision, kind).then(|| self.group_commit.announce());
        let jti = self.random.id_at(now).map_err(Error::from)?;
        let (custom, mut runs) = self.custom_claims(&decision, kind, &jti).await?;
        let claims = claims(&self.iss, &decision, &jti, custom, now);
        let (access_token, opaque_hash) = if decision.audience.is_some() {
            let keys = &decision.snapshot.keys;
            (keys.sign(ACCESS_TOKEN, &claims, self.algorithm, now).map_err(Error::from)?, None)
        } else {
            let token = encode(&self.random.bytes::<32>().map_err(Error::from)?);
            let hash = hash(&token);
            (token, Some(hash))
        };
        let id_token = self.id_token(&decision, &access_token, &jti, &mut runs, now).await?;
        let refresh_token = self.refresh_token(&decision)?;
        let hashes = Hashes { opaque: opaque_hash, refresh_token: refresh_token.as_deref().map(hash) };
        let write = write_of(&mut decision, jti, hashes, claims, runs, now)?;
        match self.group_commit.write(write, arrival).await? {
            Written::Committed => Ok(IssuedTokens {
                access_token,
                expires_in: decision.lifetime,
                scope: decision.scope,
                id_token,
                refresh_token,
            }),
            Written::Stale => Err(IssuanceRefusal::Stale),
            Written::Spent => Err(IssuanceRefusal::Spent),
        }
    }

    /// The refresh token of the response.
    fn refresh_token(&self, decision: &Decision) -> Result<Option<String>, Error> {
        Ok(match decision.refresh() {
            None => None,
            Some(RefreshTokenAnswer::First(_)) => Some(self.random.secret(43)?),
            Some(RefreshTokenAnswer::Successor { token, .. } | RefreshTokenAnswer::Newest(token)) => {
                Some(token.clone())
            }
        })
    }

    /// Whether the plugins of a token are usually fast, so that a commit may wait for it.
    fn arrives_soon(&self, decision: &Decision, kind: TokenKind) -> bool {
        if !decision.calls_plugins() {
            return true;
        }
        let (client, resource) = (&decision.client.application.id, decision.audience.as_deref());
        self.plugins.usual_duration(kind, decision.grant_type.as_str(), client, resource) <= MAX_USUAL_DURATION
    }

    /// The ID token of a user who signed in with `openid`; the runs of its plugins are added to those of the access
    /// token.
    async fn id_token(
        &self,
        decision: &Decision,
        access_token: &str,
        jti: &str,
        runs: &mut Vec<Value>,
        now: i64,
    ) -> Result<Option<String>, IssuanceRefusal> {
        let Some(token) = id_token_of(decision) else { return Ok(None) };
        let (custom_claims, more) = self.custom_claims(decision, TokenKind::IdToken, jti).await?;
        runs.extend(more);
        let token = IdToken { access_token: Some(access_token), custom_claims, ..token };
        Ok(Some(token.sign(&decision.snapshot.keys, &self.iss, now).map_err(Error::from)?))
    }

    /// The claims of the plugins, with the record of their runs for the audit log.
    async fn custom_claims(
        &self,
        decision: &Decision,
        kind: TokenKind,
        jti: &str,
    ) -> Result<(Map<String, Value>, Vec<Value>), IssuanceRefusal> {
        let client = &decision.client.application;
        let resource = decision.audience.as_deref();
        if !decision.calls_plugins() || !self.plugins.applies(kind, decision.grant_type.as_str(), &client.id, resource)
        {
            return Ok((Map::new(), Vec::new()));
        }
        match self.plugins.claims(&plugin_issuance(decision, kind, jti)).await {
            Ok(claims) => Ok((claims.claims, claims.runs.iter().map(run_value).collect())),
            Err(plugins::ClaimsRefusal::Denied { plugin, message, runs }) => {
                Err(IssuanceRefusal::Denied { message, by: refused_by(decision, plugin, &runs) })
            }
            Err(plugins::ClaimsRefusal::Loading) => Err(Error::PluginsLoading.into()),
            Err(plugins::ClaimsRefusal::Failed { plugin, runs, .. }) => {
                Err(IssuanceRefusal::PluginFailed(refused_by(decision, plugin, &runs)))
            }
        }
    }
}

fn refused_by(decision: &Decision, plugin: String, runs: &[plugins::Run]) -> Box<RefusedBy> {
    let user_id = match &decision.subject {
        Subject::Application => None,
        Subject::User(user) => Some(user.id.clone()),
    };
    Box::new(RefusedBy::new(plugin, runs, user_id))
}

/// The input of plugins for a token.
pub(super) fn plugin_issuance<'d>(decision: &'d Decision, kind: TokenKind, jti: &str) -> PluginIssuance<'d> {
    PluginIssuance {
        kind,
        grant_type: decision.grant_type.as_str(),
        application: &decision.client.application.id,
        resource: decision.audience.as_deref(),
        token: token_context(decision, kind, jti).to_string().into(),
        context: plugin_context(decision),
        request_id: decision.origin.request_id.clone(),
    }
}

/// The ID token of a user who signed in with `openid`, without what comes from the access token and from plugins.
pub(super) fn id_token_of(decision: &Decision) -> Option<IdToken<'_>> {
    let (user, sign_in) = decision.sign_in()?;
    let user_claims = sign_in.id_token_claims.clone()?;
    let application = &decision.client.application;
    Some(IdToken {
        user_id: &user.id,
        client_id: &application.id,
        algorithm: application.custom_client_metadata.id_token_algorithm(),
        lifetime: application.custom_client_metadata.id_token_lifetime(),
        auth_time: sign_in.authorized.auth_time,
        nonce: sign_in.authorized.nonce.as_deref(),
        session_id: sign_in.authorized.session_id.as_deref(),
        acr: acr::met(&sign_in.authorized.acr_values, &sign_in.authorized.amr),
        amr: sign_in.authorized.amr.iter().map(String::as_str).collect(),
        access_token: None,
        user_claims,
        custom_claims: Map::new(),
    })
}

fn run_value(run: &plugins::Run) -> Value {
    json!({ "plugin": run.plugin, "digest": run.digest, "generation": run.generation, "outcome": run.outcome })
}

/// SHA-256 in hexadecimal: how random secrets and opaque tokens are stored.
#[must_use]
pub fn hash(secret: &str) -> String {
    HEXLOWER.encode(&Sha256::digest(secret.as_bytes()))
}
