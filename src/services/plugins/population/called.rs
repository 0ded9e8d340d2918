//! One version that a run over all users calls, and the results of its calls.

use super::super::http::Requests;
use super::super::leaks::claims_without_secrets;
use super::http::RunRequests;
use claimsmith_harness::{Class, Difference, Ending};
use claimsmith_runtime::{
    CallError, ClaimsRequest, Context, HttpCapability, HttpSender, Limits, Manifest, Plugin, PluginCache,
    SecretHeaders, Secrets,
};
use serde_json::{Map, Value};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A user's answers.
pub struct Compared {
    /// Of the version that is compared with.
    pub expected: Ending,
    /// Of the version that is tried.
    pub actual: Ending,
    /// How they compare.
    pub difference: Difference,
    /// How long both calls took; the first one's is `None` when there is no version to compare with.
    pub durations: (Option<Duration>, Duration),
}

impl Compared {
    /// Whether nothing differs but noise.
    #[must_use]
    pub fn is_equal(&self) -> bool {
        self.difference.class == Class::Equal
    }
}

/// Without values: they are personal data.
impl fmt::Debug for Compared {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Compared").field("class", &self.difference.class).finish_non_exhaustive()
    }
}

/// A version with the settings that it would have.
pub(super) struct LoadedVersion {
    plugin: Arc<Plugin>,
    manifest: Manifest,
    secrets: Secrets,
    limits: Limits,
    variables: Arc<[(String, String)]>,
    /// The same without secrets: what it makes of those is no text of its own.
    shown_variables: Arc<[(String, String)]>,
    http: Option<Arc<HttpCapability>>,
    headers: Option<Arc<SecretHeaders>>,
    cache: Option<Arc<PluginCache>>,
}

/// A finished call.
pub(super) struct Called {
    pub(super) ending: Ending,
    pub(super) duration: Duration,
}

impl LoadedVersion {
    /// With a cache of its own, which tokens neither see nor fill.
    pub(super) fn new(plugin: Arc<Plugin>, manifest: Manifest, secrets: Secrets, limits: Limits) -> Self {
        let capability = manifest.capabilities.http.as_ref();
        let placeholders = Secrets::placeholders(secrets.pairs().iter().map(|(name, _)| name));
        Self {
            plugin,
            limits,
            variables: manifest.variables(&secrets),
            shown_variables: manifest.variables(&placeholders),
            headers: capability.and_then(|http| SecretHeaders::of(http, &secrets)).map(Arc::new),
            http: capability.cloned().map(Arc::new),
            cache: manifest.capabilities.cache.map(|cache| Arc::new(PluginCache::new(cache))),
            manifest,
            secrets,
        }
    }

    /// The settings and the secrets.
    pub(super) fn settings(&self) -> (&Manifest, &Secrets) {
        (&self.manifest, &self.secrets)
    }

    /// Calls it for a token; without `requests` over a redacted input, for what may be shown.
    pub(super) async fn call(
        &self,
        token: &Arc<str>,
        context: &Context,
        requests: Option<&Arc<RunRequests>>,
    ) -> Called {
        let sender = requests.map(|requests| -> Arc<dyn HttpSender> { Arc::<RunRequests>::clone(requests) });
        let mut shared = Requests::new(sender.as_ref());
        let request = ClaimsRequest {
            token: Arc::clone(token),
            context: context.clone(),
            environment: Arc::clone(if requests.is_some() { &self.variables } else { &self.shown_variables }),
            http: shared.access(self.http.as_ref(), self.headers.as_ref()),
            cache: match requests {
                Some(_) => self.cache.clone(),
                // What a redacted input leaves there is nobody's.
                None => self.cache.as_ref().map(|cache| Arc::new(cache.apart())),
            },
        };
        let call = self.plugin.get_custom_jwt_claims(&request, &self.limits).await;
        if let Some(requests) = requests {
            requests.count_refused(call.http.refused);
        }
        let result = call.result.and_then(|claims| claims_without_secrets(claims, &self.secrets));
        Called { ending: self.ending(result), duration: call.duration }
    }

    fn ending(&self, result: Result<Map<String, Value>, CallError>) -> Ending {
        match result {
            Ok(claims) => Ending { outcome: "ok".to_owned(), answer: Some(Value::Object(claims)), message: None },
            Err(error) => {
                let outcome = error.outcome().to_owned();
                let text = match error {
                    CallError::Denied(message) => message,
                    error => error.to_string(),
                };
                Ending { outcome, answer: None, message: Some(self.secrets.mask(&text).into_owned()) }
            }
        }
    }
}

/// What there is without any plugin.
pub(super) fn nothing() -> Ending {
    Ending { outcome: "ok".to_owned(), answer: Some(Value::Object(Map::new())), message: None }
}
