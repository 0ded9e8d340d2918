//! Runs the claims plugins of one token, and merges their answers.

use super::{
    affinity::Affinity,
    breaker::Party,
    http::Requests,
    ids::id_in,
    leaks::claims_without_secrets,
    log::{LogWriter, PluginLine, failed, forward},
    merging::merge,
    metrics,
    observed::{Observed, ObservedInput, Observers, Watch},
    recordings::SeenInput,
    registry::{RegistryEntry, RegistrySnapshot, ServingVersion},
    rollouts::{Rollouts, ShadowCall},
    step::Step,
    tape::Tape,
    turn::{Guard, Outcome, Turn},
};
use claimsmith_runtime::{
    CacheCounts, Call, CallError, ClaimsRequest, Context, HttpAccess, HttpCounts, HttpSender, Kind, Limits, LogLine,
    OnError, PluginCache, TokenKind,
};
use serde_json::{Map, Value};
use std::{sync::Arc, time::Duration};
use tokio::sync::mpsc;

/// A token that is about to be issued.
#[derive(Debug)]
pub struct PluginIssuance<'a> {
    /// The kind of token.
    pub kind: TokenKind,
    /// As sent.
    pub grant_type: &'a str,
    /// The client id.
    pub application: &'a str,
    /// The resource indicator, if the token has one.
    pub resource: Option<&'a str>,
    /// The token before it is signed, a JSON object.
    pub token: Arc<str>,
    /// The context of the token.
    pub context: Context,
    /// For logs.
    pub request_id: Option<String>,
}

/// The claims that plugins add to a token.
#[derive(Debug, Default)]
pub struct Claims {
    /// The claims, without reserved names.
    pub claims: Map<String, Value>,
    /// Every plugin that was called, in order.
    pub runs: Vec<Run>,
}

/// One plugin's part in an issuance, or in a webhook delivery.
#[derive(Clone, Debug)]
pub struct Run {
    /// Its name.
    pub plugin: Arc<str>,
    /// `sha256:…` of its source; `None` if it never loaded.
    pub digest: Option<Arc<str>>,
    /// The generation of its version; `None` if it never loaded.
    pub generation: Option<u64>,
    /// The number of its version, if it was uploaded.
    pub version: Option<i64>,
    /// `ok`, or a word of [`CallError::outcome`].
    pub outcome: &'static str,
    /// What a denial or a failure said, in one line with its place, without secrets.
    pub error: Option<Arc<str>>,
    /// Wall-clock time of the call.
    pub duration: Duration,
}

/// Why the token must not be issued.
#[derive(Debug, thiserror::Error)]
pub enum ClaimsRefusal {
    /// A plugin denied the token.
    #[error("plugin {plugin} denied access: {message}")]
    Denied {
        /// Its name.
        plugin: String,
        /// For the application.
        message: String,
        /// Every plugin that was called, this one last.
        runs: Vec<Run>,
    },
    /// The server has just started, and a plugin that the token needs is not loaded yet: the same request works later.
    #[error("a plugin that applies to the token is not loaded yet")]
    Loading,
    /// A mandatory plugin failed. The reason is in the log.
    #[error("plugin {plugin} failed: {outcome}")]
    Failed {
        /// Its name.
        plugin: String,
        /// A word of [`CallError::outcome`].
        outcome: &'static str,
        /// Every plugin that was called, this one last.
        runs: Vec<Run>,
    },
}

/// The budget that all plugins of one issuance, or of one delivery or message, share.
pub(super) struct CallBudget {
    pub(super) budget: Duration,
    pub(super) claims_size: usize,
    pub(super) http: Option<Arc<dyn HttpSender>>,
    pub(super) log: Option<mpsc::Sender<PluginLine>>,
    pub(super) guard: Guard,
    pub(super) observers: Observers,
    /// Counts calls of plugins with a rollout, and has the queue of shadows.
    pub(super) rollouts: Arc<Rollouts>,
}

/// The answer of one plugin, with its log and its cost.
#[derive(Debug)]
pub(super) struct PluginAnswer {
    pub(super) result: Result<Map<String, Value>, CallError>,
    pub(super) dropped: Vec<String>,
    pub(super) logs: Vec<LogLine>,
    pub(super) duration: Duration,
    instructions: Option<u64>,
    http: HttpCounts,
    cache: CacheCounts,
}

/// Who listens to the requests of a call to other servers: recordings, and the shadow that repeats it.
#[derive(Clone, Copy)]
struct Listeners<'a> {
    watch: Option<&'a Watch>,
    tape: Option<&'a Arc<Tape>>,
}

/// Who observes the calls.
pub(super) enum CallObserver<'a> {
    /// Logs, statistics and metrics.
    Server,
    /// The caller of a preview only.
    Preview(&'a mut Vec<Step>),
}

/// Whether a plugin is called. A plugin that never loaded counts if it may be a claims plugin, since it might have
/// denied the token.
fn applies(entry: &RegistryEntry, issuance: &PluginIssuance<'_>) -> bool {
    let PluginIssuance { kind, grant_type, application, resource, .. } = *issuance;
    entry.applies_to_token(kind, grant_type, application, resource)
}

/// Calls every plugin that applies, in order, both for tokens and for their previews.
pub(super) async fn collect(
    snapshot: &RegistrySnapshot,
    rules: &CallBudget,
    issuance: &PluginIssuance<'_>,
    mut audience: CallObserver<'_>,
) -> Result<Claims, ClaimsRefusal> {
    if snapshot.withholds(|entry| applies(entry, issuance)) {
        return Err(ClaimsRefusal::Loading);
    }
    // The time in the queue is not counted.
    let mut left = rules.budget;
    let mut so_far = Claims::default();
    let mut requests = Requests::new(rules.http.as_ref());
    let party = Party::of_token(issuance.application, issuance.context.user.as_deref());
    let has_rollout = snapshot.entries.iter().any(|entry| entry.rollout.is_some() && applies(entry, issuance));
    let who =
        if has_rollout { Affinity::of_token(issuance.application, &issuance.context) } else { Affinity::default() };
    let is_served = matches!(audience, CallObserver::Server);
    for entry in snapshot.entries.iter().filter(|entry| applies(entry, issuance)) {
        if entry.loading && !entry.is_mandatory() && is_served {
            // It is skipped, and failed in no way.
            so_far.runs.push(run_of(entry, None, "unavailable", Duration::ZERO));
            continue;
        }
        let serving = entry.serving(&who);
        let turn = if is_served { rules.guard.turn(entry, serving, &party).await } else { Turn::of_preview(serving) };
        let had_time = turn.version().is_none_or(|version| rules.grants_all_time(version, left));
        let watch = is_served.then(|| rules.observers.watch(&entry.name)).flatten();
        let tape = is_served.then(|| rules.rollouts.tape(entry, turn.version(), &who)).flatten();
        let answer = match turn.version() {
            Some(version) => {
                // A preview neither sees nor leaves what tokens keep.
                let cache = if is_served {
                    version.cache.clone()
                } else {
                    version.cache.as_ref().map(|cache| Arc::new(cache.apart()))
                };
                let listeners = Listeners { watch: watch.as_ref(), tape: tape.as_ref() };
                ask(version, (issuance, cache), (&mut requests, listeners), rules, left).await
            }
            None => PluginAnswer::without_call(turn.refusal()),
        };
        left = left.saturating_sub(answer.duration);
        if let (Some(watch), Some(version)) = (&watch, turn.version()) {
            observe(rules, (entry, version), issuance, &answer, watch);
        }
        // One that the server did not begin says nothing about the version.
        if let Some(tape) = tape
            && !answer.duration.is_zero()
        {
            repeat(entry, issuance, (tape, &answer, &who), rules);
        }
        let PluginAnswer { result, dropped, logs, duration, http, cache, .. } = answer;
        let merged = result.and_then(|claims| merge(&so_far.claims, claims, rules.claims_size));
        let outcome = merged.as_ref().map_or_else(CallError::outcome, |_| "ok");
        let is_spared = matches!(turn, Turn::Open(_));
        let mut finished = run_of(entry, turn.version().or(serving), outcome, duration);
        let digest = turn.version().map(|version| Arc::clone(&version.digest));
        match &mut audience {
            CallObserver::Server if is_spared => {
                rules.rollouts.count_spared(entry, serving);
                finished.error = merged.as_ref().err().map(|error| error.to_string().into());
            }
            CallObserver::Server => {
                let (error, version) = (merged.as_ref().err(), turn.version());
                if let Some(version) = version {
                    log_lines(entry, version, issuance, rules, &logs);
                }
                metrics::requests(&entry.name, http);
                metrics::cache(&entry.name, cache);
                entry.statistics.cache.count(cache);
                metrics::call(&entry.name, outcome, duration);
                rules.rollouts.count(entry, version, outcome, duration);
                let mask = |text: &str| entry.masked(text).into_owned();
                finished.error = entry.count(version, error, duration, issuance.request_id.as_deref(), mask);
                let line = finished.error.as_deref();
                rules.guard.record(entry, turn, &party, &Outcome { error, line, had_time });
            }
            CallObserver::Preview(steps) => {
                let step = Step::new(entry, &so_far.claims, &merged, (dropped, logs, duration));
                steps.push(Step { digest: digest.clone(), ..step });
            }
        }
        so_far.runs.push(finished);
        match merged {
            Ok(claims) => so_far.claims = claims,
            Err(error) => {
                if is_served && !is_spared && !matches!(error, CallError::Denied(_)) {
                    failed(entry, digest.as_ref(), issuance.request_id.as_deref(), rules.log.as_ref(), &error);
                }
                settle(entry, error, &mut so_far.runs)?;
            }
        }
    }
    Ok(so_far)
}

/// Hands a call over to the shadow, after which the response does not wait for it.
fn repeat(
    entry: &Arc<RegistryEntry>,
    issuance: &PluginIssuance<'_>,
    (tape, answer, who): (Arc<Tape>, &PluginAnswer, &Affinity<'_>),
    rules: &CallBudget,
) {
    rules.rollouts.repeat(ShadowCall {
        entry: Arc::clone(entry),
        input: SeenInput::Claims { token: Arc::clone(&issuance.token), context: issuance.context.clone() },
        answer: answer.result.clone(),
        tape,
        user: who.user.as_deref().map(str::to_owned),
        request_id: issuance.request_id.clone(),
        log: rules.log.clone(),
    });
}

/// `left` is the rest of the shared time budget.
async fn ask(
    version: &ServingVersion,
    (issuance, cache): (&PluginIssuance<'_>, Option<Arc<PluginCache>>),
    (requests, listeners): (&mut Requests<'_>, Listeners<'_>),
    rules: &CallBudget,
    left: Duration,
) -> PluginAnswer {
    if left.is_zero() {
        return PluginAnswer::without_call(CallError::TimedOut(rules.budget));
    }
    let http = listeners.of_http(requests.access(version.http.as_ref(), version.headers.as_ref()));
    let request = ClaimsRequest { http, cache, ..request(version, issuance) };
    let limits = Limits { deadline: version.limits.deadline.min(left), ..version.limits };
    let call = version.plugin.get_custom_jwt_claims(&request, &limits).await;
    let result = call.result.and_then(|claims| claims_without_secrets(claims, &version.secrets));
    let Call { dropped, logs, duration, instructions, http, cache, .. } = call;
    PluginAnswer { result, dropped, logs, duration, instructions, http, cache }
}

/// What a plugin is given, without access to other servers and to what it keeps.
fn request(version: &ServingVersion, issuance: &PluginIssuance<'_>) -> ClaimsRequest {
    ClaimsRequest {
        token: Arc::clone(&issuance.token),
        context: issuance.context.clone(),
        environment: Arc::clone(&version.variables),
        http: None,
        cache: None,
    }
}

/// Shows a finished call to the observers.
fn observe(
    rules: &CallBudget,
    (entry, version): (&RegistryEntry, &ServingVersion),
    issuance: &PluginIssuance<'_>,
    answer: &PluginAnswer,
    watch: &Watch,
) {
    let user = issuance.context.user.as_deref().and_then(id_in);
    rules.observers.see(&Observed {
        entry,
        version,
        user: user.as_deref(),
        application: Some(issuance.application),
        input: ObservedInput::Claims(&request(version, issuance)),
        result: answer.result.as_ref().map(|claims| Value::Object(claims.clone())),
        duration: answer.duration,
        instructions: answer.instructions,
        http: watch.http.as_deref(),
    });
}

fn log_lines(
    entry: &RegistryEntry,
    version: &ServingVersion,
    issuance: &PluginIssuance<'_>,
    rules: &CallBudget,
    lines: &[LogLine],
) {
    let writer = LogWriter {
        plugin: &entry.name,
        digest: &version.digest,
        request_id: issuance.request_id.as_deref(),
        mask: &|text| version.secrets.mask(text),
        budget: &entry.statistics.log,
        kept: rules.log.as_ref(),
    };
    forward(&writer, lines);
}

impl Listeners<'_> {
    /// The access to other servers, of which both keep the answers.
    fn of_http(&self, access: Option<HttpAccess>) -> Option<HttpAccess> {
        let access = match self.watch {
            Some(watch) => watch.of_http(access),
            None => access,
        }?;
        Some(match self.tape {
            Some(tape) => tape.over(access),
            None => access,
        })
    }
}

impl CallBudget {
    /// Whether a version may use all of its own time, with so much left of the budget.
    pub(super) fn grants_all_time(&self, version: &ServingVersion, left: Duration) -> bool {
        left >= version.limits.deadline.min(self.budget)
    }
}

impl PluginAnswer {
    /// Of a plugin that was not called.
    fn without_call(error: CallError) -> Self {
        let (result, duration) = (Err(error), Duration::ZERO);
        let (http, cache) = (HttpCounts::default(), CacheCounts::default());
        Self { result, dropped: Vec::new(), logs: Vec::new(), duration, instructions: None, http, cache }
    }
}

/// Applies the failure policy; the only place for that.
fn settle(entry: &RegistryEntry, error: CallError, runs: &mut Vec<Run>) -> Result<(), ClaimsRefusal> {
    let plugin = entry.name.to_string();
    if let CallError::Denied(message) = error {
        return Err(ClaimsRefusal::Denied {
            plugin,
            message: entry.masked(&message).into_owned(),
            runs: std::mem::take(runs),
        });
    }
    match entry.manifest.on_error(Kind::Claims) {
        OnError::Skip => Ok(()),
        OnError::Deny | OnError::Retry | OnError::Original | OnError::Drop => {
            Err(ClaimsRefusal::Failed { plugin, outcome: error.outcome(), runs: std::mem::take(runs) })
        }
    }
}

/// `None`: no version of it was called, and none would have been.
pub(super) fn run_of(
    entry: &RegistryEntry,
    version: Option<&ServingVersion>,
    outcome: &'static str,
    duration: Duration,
) -> Run {
    Run {
        plugin: Arc::clone(&entry.name),
        digest: version.map(|version| Arc::clone(&version.digest)),
        generation: version.map(|version| version.generation),
        version: version.and_then(|version| version.number),
        outcome,
        error: None,
        duration,
    }
}
