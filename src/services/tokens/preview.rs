//! Previews of tokens: the same claims and the same plugin calls as for an issued token, without signing, writing or
//! counting anything.

use super::claims::claims;
use super::decision::Decision;
use super::error::Error;
use super::id_token::IdToken;
use super::issue::{IssuanceRefusal, Issuer, RefusedBy, id_token_of, plugin_issuance};
use crate::plugins::{self, PluginIssuance, Skipped, Step, TokenKind};
use serde_json::{Map, Value};

/// A token that is not issued.
pub struct PreviewedToken {
    /// The claims without those of plugins.
    pub standard: Map<String, Value>,
    /// The claims of the token, or why there would be none.
    pub claims: Result<Map<String, Value>, PluginRefusal>,
    /// The plugins that were called, in order.
    pub steps: Vec<Step>,
    /// The claims plugins that were not.
    pub skipped: Vec<Skipped>,
    /// Seconds.
    pub lifetime: i64,
}

/// The plugin that refuses the token.
pub struct PluginRefusal {
    /// Its name.
    pub plugin: String,
    /// The token endpoint's refusal.
    pub refusal: IssuanceRefusal,
}

/// The input of a plugin for a token, and the token's claims without plugins.
pub struct PreviewQuestion<'d> {
    /// For plugins.
    pub issuance: PluginIssuance<'d>,
    /// The claims without those of plugins.
    pub standard: Map<String, Value>,
}

impl Issuer {
    /// The access token or the ID token of a decision. `None`: it has no ID token.
    pub async fn preview(
        &self,
        decision: &Decision,
        id_token: bool,
        now: i64,
    ) -> Result<Option<PreviewedToken>, Error> {
        // If the access token is refused, there is no ID token either.
        match self.preview_one(decision, false, now).await? {
            Some(access_token) if !id_token || access_token.claims.is_err() => Ok(Some(access_token)),
            _ => self.preview_one(decision, true, now).await,
        }
    }

    async fn preview_one(
        &self,
        decision: &Decision,
        id_token: bool,
        now: i64,
    ) -> Result<Option<PreviewedToken>, Error> {
        let Some(PreviewQuestion { issuance, standard }) = self.question(decision, id_token, None, now)? else {
            return Ok(None);
        };
        let plugins::ClaimsPreview { steps, skipped, result } =
            self.plugins.preview(&issuance, decision.calls_plugins()).await;
        let claims = match result {
            Ok(merged) => Ok(self.with_custom(decision, id_token, &standard, merged.claims, now)),
            Err(plugins::ClaimsRefusal::Denied { plugin, message, runs }) => {
                let by = Box::new(RefusedBy::new(plugin.clone(), &runs, None));
                Err(PluginRefusal { plugin, refusal: IssuanceRefusal::Denied { message, by } })
            }
            Err(plugins::ClaimsRefusal::Loading) => return Err(Error::PluginsLoading),
            Err(plugins::ClaimsRefusal::Failed { plugin, runs, .. }) => {
                let by = Box::new(RefusedBy::new(plugin.clone(), &runs, None));
                Err(PluginRefusal { plugin, refusal: IssuanceRefusal::PluginFailed(by) })
            }
        };
        let lifetime = match id_token_of(decision).filter(|_| id_token) {
            Some(token) => token.lifetime,
            None => decision.lifetime,
        };
        Ok(Some(PreviewedToken { standard, claims, steps, skipped, lifetime }))
    }

    /// The input of a plugin for such a token. `jti`: that of a token whose plugins are to be run again.
    pub fn question<'d>(
        &self,
        decision: &'d Decision,
        id_token: bool,
        jti: Option<&str>,
        now: i64,
    ) -> Result<Option<PreviewQuestion<'d>>, Error> {
        let jti = match jti {
            Some(jti) => jti.to_owned(),
            None => self.random.id_at(now)?,
        };
        let (kind, standard) = if id_token {
            let Some(token) = id_token_of(decision) else { return Ok(None) };
            (TokenKind::IdToken, token.claims(&self.iss, now))
        } else {
            (decision.access_token_kind(), claims(&self.iss, decision, &jti, Map::new(), now))
        };
        Ok(Some(PreviewQuestion { issuance: plugin_issuance(decision, kind, &jti), standard }))
    }

    /// The claims of the token including those of plugins, as in an issued one.
    #[must_use]
    pub fn with_custom(
        &self,
        decision: &Decision,
        id_token: bool,
        standard: &Map<String, Value>,
        custom: Map<String, Value>,
        now: i64,
    ) -> Map<String, Value> {
        if let Some(token) = id_token_of(decision).filter(|_| id_token) {
            return IdToken { custom_claims: custom, ..token }.claims(&self.iss, now);
        }
        let jti = standard.get("jti").and_then(Value::as_str).unwrap_or_default();
        claims(&self.iss, decision, jti, custom, now)
    }
}
