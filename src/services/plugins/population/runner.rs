//! Calls a version, and the one that it is compared with, for one user after the other: on a host of its own, so that no
//! token waits for a place, and on threads that those of tokens outrank.

use super::super::Plugins;
use super::super::claims::PluginIssuance;
use super::super::recordings::{Redaction, SeenInput, ShownTexts, redacted_input, tells_nobody};
use super::called::{Called, Compared, LoadedVersion, nothing};
use super::class_name;
use super::http::RunRequests;
use claimsmith_harness::{Class, Ending, Input, Noise, compare, noise};
use claimsmith_runtime::{
    Context, Host, HostOptions, Kind, Limits, LoadError, Manifest, ManifestError, Secrets, Source, StartError,
};
use serde_json::{Value, json};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Calls of the host at once; one plugin has at most half of them.
const CONCURRENCY: usize = 4;
/// Calls that wait for a place there.
const QUEUE: usize = 64;
/// Users at once. With requests to other servers one at a time, so that these keep to their rate.
const USERS_AT_ONCE: usize = 3;
/// How often a call is repeated that found no place.
const ATTEMPTS: u32 = 5;
const PAUSE: Duration = Duration::from_millis(200);
/// Differences for which the old version is called again, to find what is noise; then for one of so many.
const NOISE_LOOKS: u64 = 500;
const NOISE_LOOKS_AFTERWARDS: u64 = 20;
/// Places of noise that are remembered.
const MAX_NOISE: usize = 200;

/// A version to call.
pub struct PopulationVersion {
    /// Its source.
    pub source: Source,
    /// The settings that it would have, with what is both declared and granted.
    pub manifest: Manifest,
    /// Its secrets, or their placeholders.
    pub secrets: Secrets,
}

/// What is common to all calls of a run.
pub struct RunnerSettings<'s> {
    /// The key of the pseudonyms.
    pub key: &'s [u8],
    /// HTTP requests per second; `None`: none is sent.
    pub http_per_second: Option<u32>,
}

/// Why a run cannot be continued here.
#[derive(Debug, thiserror::Error)]
pub enum RunnerError {
    /// The engine did not start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A version was compiled and does not load.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A version does not compile; whether it may do so later.
    #[error("{0}")]
    Compile(String, bool),
    /// It is a plugin for something else.
    #[error("it computes no claims")]
    Kind,
    /// Its settings are for plugins of another kind.
    #[error(transparent)]
    Settings(#[from] ManifestError),
}

impl RunnerError {
    /// Whether the same may work later.
    #[must_use]
    pub fn is_temporary(&self) -> bool {
        match self {
            Self::Start(_) | Self::Load(LoadError::Internal(_) | LoadError::OutOfMemory(_)) => true,
            Self::Compile(_, again) => *again,
            Self::Load(_) | Self::Kind | Self::Settings(_) => false,
        }
    }
}

/// The host has no place for a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Busy;

/// Calls the versions of one run.
pub struct PopulationRunner {
    candidate: LoadedVersion,
    against: Option<LoadedVersion>,
    requests: Arc<RunRequests>,
    redaction: Redaction,
    noise: Mutex<KnownNoise>,
}

/// What is known to vary by itself.
#[derive(Default)]
struct KnownNoise {
    places: Noise,
    /// Differences so far.
    differences: u64,
}

impl fmt::Debug for PopulationRunner {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("PopulationRunner").field("requests", &self.requests).finish_non_exhaustive()
    }
}

impl Plugins {
    /// Loads a version, and the one that it is compared with if there is one, on a host of their own.
    pub async fn population_runner(
        &self,
        candidate: PopulationVersion,
        against: Option<PopulationVersion>,
        settings: RunnerSettings<'_>,
    ) -> Result<PopulationRunner, RunnerError> {
        let options = HostOptions { metered: false, concurrency: CONCURRENCY, queue: QUEUE, ..self.0.metered.clone() };
        let host = tokio::task::spawn_blocking(move || Host::in_background(options)).await;
        let host = host.map_err(|error| StartError(error.to_string()))??;
        let candidate = self.load_on(&host, candidate).await?;
        let against = match against {
            Some(version) => Some(self.load_on(&host, version).await?),
            None => None,
        };
        let requests = Arc::new(RunRequests::new(self.0.rules.http.as_ref(), settings.http_per_second));
        let redaction = Redaction::new(settings.key, &[]);
        Ok(PopulationRunner { candidate, against, requests, redaction, noise: Mutex::default() })
    }

    /// Loads a version, which was compiled in a child process, or is now.
    async fn load_on(&self, host: &Host, version: PopulationVersion) -> Result<LoadedVersion, RunnerError> {
        let PopulationVersion { source, manifest, secrets } = version;
        if host.has_cache() && !host.is_cached(&source).await {
            let compiled = self.compiler().compile_own(&source, false).await;
            compiled.map_err(|rejection| RunnerError::Compile(rejection.text, rejection.again))?;
            if !host.is_cached(&source).await {
                return Err(RunnerError::Compile("the cache of compiled plugins cannot be written".to_owned(), true));
            }
        }
        let plugin = host.load(&source).await?;
        if plugin.kind() != Kind::Claims {
            return Err(RunnerError::Kind);
        }
        manifest.validate_for(Kind::Claims, &format!("the settings of {}", source.name))?;
        let limits = manifest.limits.over(Kind::Claims, &self.0.limits.0, &self.0.limits.1);
        let limits = Limits { deadline: limits.deadline.min(self.0.rules.budget), ..limits };
        Ok(LoadedVersion::new(plugin, manifest, secrets, limits))
    }
}

impl PopulationRunner {
    /// How many users may be compared at once.
    #[must_use]
    pub fn users_at_once(&self) -> usize {
        if self.requests.is_allowed() { 1 } else { USERS_AT_ONCE }
    }

    /// HTTP requests that were sent and that were refused since this was last asked.
    #[must_use]
    pub fn take_requests(&self) -> (u64, u64) {
        self.requests.take()
    }

    /// Calls both versions for a token.
    ///
    /// # Errors
    /// The host has no place for a call; the same may work later.
    pub async fn compare(&self, issuance: &PluginIssuance<'_>) -> Result<Compared, Busy> {
        let input = (&issuance.token, &issuance.context);
        self.requests.settle().await;
        let (candidate, against) =
            tokio::join!(self.call(&self.candidate, input), self.call_optional(self.against.as_ref(), input));
        let Called { ending: actual, duration } = candidate?;
        let (expected, before) = match against? {
            Some(called) => (called.ending, Some(called.duration)),
            None => (nothing(), None),
        };
        let mut known = self.noise.lock().unwrap_or_else(PoisonError::into_inner).places.clone();
        let mut difference = compare(&expected, &actual, &known);
        let is_doubtful = matches!(difference.class, Class::Different | Class::DeniedInstead | Class::AllowedInstead);
        if is_doubtful
            && self.is_to_look_for_noise()
            && let Some(against) = &self.against
        {
            let again = self.call(against, input).await?;
            let found = noise(&expected, &again.ending);
            if !found.is_empty() {
                self.learn(&found);
                known.extend(found);
                difference = compare(&expected, &actual, &known);
            }
        }
        Ok(Compared { expected, actual, difference, durations: (before, duration) })
    }

    /// A difference as it is kept: redacted, with the input. Texts and names are shown that the versions answer to the
    /// redacted input as well, since those are the plugin's own, and the names of claims that the table shows. `None` if the
    /// input cannot be read.
    pub async fn document(&self, issuance: &PluginIssuance<'_>, compared: &Compared) -> Option<Value> {
        let seen = SeenInput::Claims { token: Arc::clone(&issuance.token), context: issuance.context.clone() };
        let input = redacted_input(&seen, &self.redaction)?;
        let (before, after) = tokio::join!(
            self.over_redacted(self.against.as_ref(), &input),
            self.over_redacted(Some(&self.candidate), &input)
        );
        let differing = compared.difference.changes.iter().map(|change| &change.claim);
        let names: Vec<&String> = differing.filter(|name| tells_nobody(name)).collect();
        let shown = ShownTexts::of(&json!([before, after, names]));
        let redacted = |ending: &Ending| Ending {
            outcome: ending.outcome.clone(),
            answer: ending.answer.as_ref().map(|answer| self.redaction.answer(answer, &shown)),
            message: ending.message.as_ref().map(|message| {
                let text = self.redaction.answer(&Value::from(message.as_str()), &shown);
                text.as_str().unwrap_or_default().to_owned()
            }),
        };
        let (expected, actual) = (redacted(&compared.expected), redacted(&compared.actual));
        // With the names as they are shown.
        let changes = compare(&expected, &actual, &compared.difference.noise).changes;
        let class = class_name(compared.difference.class);
        Some(json!({ "class": class, "input": input, "expected": expected, "actual": actual, "changes": changes }))
    }

    /// What a version answers to a redacted input, without requests; nothing where it does not.
    async fn over_redacted(&self, version: Option<&LoadedVersion>, input: &Value) -> Option<Ending> {
        let version = version?;
        let case: Input = serde_json::from_value(input.clone()).ok()?;
        let (manifest, secrets) = version.settings();
        let request = case.request(manifest, secrets);
        Some(version.call(&request.token, &request.context, None).await.ending)
    }

    async fn call_optional(
        &self,
        version: Option<&LoadedVersion>,
        input: (&Arc<str>, &Context),
    ) -> Result<Option<Called>, Busy> {
        match version {
            Some(version) => self.call(version, input).await.map(Some),
            None => Ok(None),
        }
    }

    /// Calls a version. A call that found no place is repeated, and so is one that did not end in time, once: on these
    /// threads it may have waited for others.
    async fn call(&self, version: &LoadedVersion, (token, context): (&Arc<str>, &Context)) -> Result<Called, Busy> {
        let mut was_late = false;
        for _ in 0..ATTEMPTS {
            let called = version.call(token, context, Some(&self.requests)).await;
            match called.ending.outcome.as_str() {
                "unavailable" => {}
                "timed_out" if !was_late => was_late = true,
                _ => return Ok(called),
            }
            tokio::time::sleep(PAUSE).await;
        }
        Err(Busy)
    }

    fn is_to_look_for_noise(&self) -> bool {
        let mut known = self.noise.lock().unwrap_or_else(PoisonError::into_inner);
        known.differences += 1;
        known.differences <= NOISE_LOOKS || known.differences.is_multiple_of(NOISE_LOOKS_AFTERWARDS)
    }

    /// Remembers places that vary. That a whole decision varies for one user says nothing of others.
    fn learn(&self, found: &Noise) {
        let mut known = self.noise.lock().unwrap_or_else(PoisonError::into_inner);
        for place in found.iter().filter(|place| !place.is_empty()) {
            if known.places.len() < MAX_NOISE {
                known.places.insert(place.clone());
            }
        }
    }
}
