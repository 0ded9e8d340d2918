//! Runs shadows after the response: from a queue that is bounded in calls and bytes and drops when it is full, one at a
//! time, on a host of its own whose thread real calls outrank, with a rest after each. No answer has an effect; it is
//! compared with the real one.
//!
//! The active version is called again for every tenth shadow, and for answers that differ: what differs between its own
//! two answers is noise, and its durations are comparable, since both ran here.

use super::super::byte_queue::{ByteQueue, Queued, byte_queue, bytes_of_members};
use super::super::leaks::{claims_without_secrets, without_secrets};
use super::super::log::{LogWriter, PluginLine, forward};
use super::super::log_budget::LogBudget;
use super::super::metrics;
use super::super::recordings::SeenInput;
use super::super::registry::{RegistryEntry, ServingRollout, ServingVersion, ShadowSource, ShadowSources};
use super::super::tape::Tape;
use super::compare::{Comparison, Outcome, compare, members_of};
use super::samples::{Answers, SampleKey, placeholders, redacted, sample};
use super::tally::{DifferenceSample, Side, Tally};
use crate::supervisor::contain;
use claimsmith_domain::documents::rollout::DifferenceClass;
use claimsmith_runtime::{
    CallError, ClaimsRequest, Host, HostOptions, LogLine, Plugin, PluginCache, Source, StartError, TransformRequest,
};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{OnceCell, mpsc};

/// Calls that wait; a further one is dropped. Few: one at a time is run, and an old one says little.
const QUEUE: usize = 64;
/// Bytes of their inputs and answers, and of what other servers answered, as of the queue of recordings.
const QUEUE_BYTES: usize = 16 << 20;
/// The active version is called again for one of so many.
const BASELINE_EVERY: u64 = 10;
/// Loaded versions that are kept.
const MAX_LOADED: usize = 16;
/// The worker rests as long as the last shadow took, up to this: on a busy core, where a shadow takes long, tokens lose
/// half as much to shadows.
const MAX_REST: Duration = Duration::from_millis(50);
/// A shadow is slower if it takes longer than the active version by this much, and by a quarter.
const SLOWER_BY: Duration = Duration::from_millis(1);

/// What plugin log lines of shadows are stored under, behind the plugin's name: no plugin has such a name.
pub const LOG_SUFFIX: &str = "@shadow";

/// A real call that a shadow repeats.
pub(in crate::plugins) struct ShadowCall {
    pub(in crate::plugins) entry: Arc<RegistryEntry>,
    pub(in crate::plugins) input: SeenInput,
    /// What the active version answered.
    pub(in crate::plugins) answer: Outcome,
    pub(in crate::plugins) tape: Arc<Tape>,
    pub(in crate::plugins) user: Option<String>,
    pub(in crate::plugins) request_id: Option<String>,
    /// The queue of the plugin log.
    pub(in crate::plugins) log: Option<mpsc::Sender<PluginLine>>,
}

/// The queue. Its worker ends when this is dropped.
pub(in crate::plugins) struct Shadow(ByteQueue<ShadowCall>);

/// Runs shadows.
struct Worker {
    options: HostOptions,
    host: OnceCell<Host>,
    loaded: HashMap<String, Arc<Plugin>>,
    tally: Arc<Tally>,
    key: SampleKey,
    /// The log budget of all shadows.
    budget: LogBudget,
    runs: u64,
}

/// What a call is given.
struct Given<'g> {
    input: &'g SeenInput,
    tape: &'g Arc<Tape>,
    environment: Arc<[(String, String)]>,
    cache: Option<Arc<PluginCache>>,
}

/// The result of a run.
struct Ran {
    answer: Outcome,
    duration: Duration,
    logs: Vec<LogLine>,
    refused: i64,
}

/// Why a version does not run here.
#[derive(Debug, thiserror::Error)]
enum NotRun {
    #[error(transparent)]
    Start(#[from] StartError),
    #[error(transparent)]
    Load(#[from] claimsmith_runtime::LoadError),
}

impl Shadow {
    pub(in crate::plugins) fn start(options: HostOptions, tally: Arc<Tally>) -> Self {
        let (shadow, mut calls) = Self::queue();
        let mut worker = Worker {
            options,
            host: OnceCell::new(),
            loaded: HashMap::new(),
            tally,
            key: SampleKey::new(),
            budget: LogBudget::default(),
            runs: 0,
        };
        tokio::spawn(async move {
            while let Some(call) = calls.recv().await {
                let started = Instant::now();
                // A panic was logged; the shadow is not counted.
                let _ = contain("shadow", worker.repeat(&call)).await;
                // Its bytes are given back before the rest.
                drop(call);
                tokio::time::sleep(started.elapsed().min(MAX_REST)).await;
            }
        });
        shadow
    }

    /// With the end that the worker reads.
    fn queue() -> (Self, mpsc::Receiver<Queued<ShadowCall>>) {
        let (queue, calls) = byte_queue(QUEUE, QUEUE_BYTES);
        (Self(queue), calls)
    }

    /// Whether a call would be taken now: what is dropped anyway need not be copied.
    pub(super) fn has_room(&self) -> bool {
        self.0.has_room()
    }

    /// Takes a call; `false` if there is no room for it. Never waits.
    pub(super) fn offer(&self, call: ShadowCall) -> bool {
        self.0.offer(call.bytes(), || call)
    }
}

impl ShadowCall {
    /// Of what it keeps in memory by itself, or longer than the real call.
    fn bytes(&self) -> usize {
        let answer = match &self.answer {
            Ok(members) => bytes_of_members(members),
            Err(error) => error.to_string().len(),
        };
        self.input.bytes() + answer + self.tape.bytes()
    }
}

impl Worker {
    async fn repeat(&mut self, call: &ShadowCall) {
        let entry = &call.entry;
        let Some(rollout) = &entry.rollout else { return };
        let (Some(active), Some(sources)) = (&entry.version, &rollout.sources) else { return };
        match self.repeat_with(call, &rollout.candidate, &sources.candidate).await {
            Ok(ran) => self.settle(call, (rollout, active, sources), ran).await,
            Err(error) => {
                tracing::warn!(plugin = &*entry.name, %error, "a shadow could not be run");
                self.tally.count(&rollout.id, "dropped");
            }
        }
    }

    async fn settle(
        &mut self,
        call: &ShadowCall,
        (rollout, active, sources): (&ServingRollout, &ServingVersion, &ShadowSources),
        ran: Ran,
    ) {
        let outcome = ran.answer.as_ref().map_or_else(CallError::outcome, |_| "ok");
        if outcome == "unavailable" {
            self.tally.count(&rollout.id, "dropped");
            return;
        }
        self.runs += 1;
        self.tally.call(&rollout.id, Side::Candidate, outcome, ran.duration);
        self.tally.count_more(&rollout.id, "httpRefused", ran.refused);
        metrics::rollout_call(&call.entry.name, "shadow", outcome, ran.duration);
        self.log(call, &rollout.candidate, &ran.logs);
        let mut noise = self.tally.noise(&rollout.id);
        let mut comparison = compare(&call.answer, &ran.answer).without(&noise);
        let is_doubtful = comparison.class == DifferenceClass::Different || ran.refused > 0;
        if (is_doubtful || self.runs.is_multiple_of(BASELINE_EVERY))
            && let Ok(again) = self.repeat_with(call, active, &sources.active).await
        {
            self.count_baseline(&rollout.id, &ran, &again);
            let found = compare(&call.answer, &again.answer);
            if found.class == DifferenceClass::Different {
                noise.extend(found.members().cloned());
                self.tally.learn_noise(&rollout.id, found.members().cloned());
                comparison = comparison.without(&noise);
            } else if found.class != DifferenceClass::Equal && same_failure(&again, &ran) {
                // The real call found in its cache what neither can ask for here.
                comparison = Comparison::of(DifferenceClass::Noise);
            }
        }
        self.tally.compared(&rollout.id, &comparison);
        if !matches!(comparison.class, DifferenceClass::Equal | DifferenceClass::Noise)
            && self.tally.take_room(&rollout.id, comparison.class)
            && let Some(sample) = self.sample(call, (rollout, active, sources), &comparison, &ran).await
        {
            self.tally.keep(&rollout.id, sample);
        }
    }

    fn count_baseline(&self, rollout: &Arc<str>, ran: &Ran, again: &Ran) {
        let outcome = again.answer.as_ref().map_or_else(CallError::outcome, |_| "ok");
        self.tally.call(rollout, Side::Baseline, outcome, again.duration);
        if ran.duration > again.duration + SLOWER_BY && ran.duration > again.duration.mul_f64(1.25) {
            self.tally.count(rollout, "slower");
        }
    }

    /// Calls one version with the input of the real call.
    async fn repeat_with(
        &mut self,
        call: &ShadowCall,
        version: &ServingVersion,
        source: &ShadowSource,
    ) -> Result<Ran, NotRun> {
        let (environment, cache) = (Arc::clone(&version.variables), source.cache.clone());
        let given = Given { input: &call.input, tape: &call.tape, environment, cache };
        self.run(given, version, &source.source).await
    }

    async fn run(
        &mut self,
        Given { input, tape, environment, cache }: Given<'_>,
        version: &ServingVersion,
        source: &Source,
    ) -> Result<Ran, NotRun> {
        let plugin = self.load(source).await?;
        let servers = tape.servers();
        let http = version.http.as_ref();
        let (answer, logs, duration) = match input {
            SeenInput::Claims { token, context } => {
                let request = ClaimsRequest {
                    token: Arc::clone(token),
                    context: context.clone(),
                    environment,
                    http: http.map(|http| servers.access(Arc::clone(http), version.headers.clone())),
                    cache,
                };
                let call = plugin.get_custom_jwt_claims(&request, &version.limits).await;
                let answer = call.result.and_then(|claims| claims_without_secrets(claims, &version.secrets));
                (answer, call.logs, call.duration)
            }
            SeenInput::Transform { id, event, hook } => {
                let (id, event, hook) = (Arc::clone(id), Arc::clone(event), Arc::clone(hook));
                let request = TransformRequest { id, event, hook, environment };
                let call = plugin.transform(&request, &version.limits).await;
                let answer = call.result.and_then(|answer| without_secrets(answer, &version.secrets));
                (answer.map(|answer| members_of(&answer, &request.event)), call.logs, call.duration)
            }
        };
        let refused = i64::try_from(servers.missing().len()).unwrap_or(i64::MAX);
        Ok(Ran { answer, duration, logs, refused })
    }

    async fn load(&mut self, source: &Source) -> Result<Arc<Plugin>, NotRun> {
        let key = format!("{:?} {} {}", source.language, source.name, source.digest());
        if let Some(plugin) = self.loaded.get(&key) {
            return Ok(Arc::clone(plugin));
        }
        let options = self.options.clone();
        let start = || async move {
            let host = tokio::task::spawn_blocking(move || Host::in_background(options)).await;
            host.map_err(|error| StartError(error.to_string()))?
        };
        let host = self.host.get_or_try_init(start).await?;
        let plugin = host.load(source).await?;
        if self.loaded.len() >= MAX_LOADED {
            self.loaded.clear();
        }
        self.loaded.insert(key, Arc::clone(&plugin));
        Ok(plugin)
    }

    /// Log lines of shadows are kept apart, under a name of their own.
    fn log(&self, call: &ShadowCall, version: &ServingVersion, lines: &[LogLine]) {
        let name: Arc<str> = format!("{}{LOG_SUFFIX}", call.entry.name).into();
        let writer = LogWriter {
            plugin: &name,
            digest: &version.digest,
            request_id: call.request_id.as_deref(),
            mask: &|text| version.secrets.mask(text),
            budget: &self.budget,
            kept: call.log.as_ref(),
        };
        forward(&writer, lines);
    }

    /// `None` where it cannot be redacted, or is too large.
    async fn sample(
        &mut self,
        call: &ShadowCall,
        (rollout, active, sources): (&ServingRollout, &ServingVersion, &ShadowSources),
        comparison: &Comparison,
        ran: &Ran,
    ) -> Option<DifferenceSample> {
        let redaction = self.key.redaction(&rollout.id)?;
        let (shown, input) = redacted(&call.input, &redaction)?;
        let of_active = self.answer_to(&input, active, &sources.active).await?;
        let of_candidate = self.answer_to(&input, &rollout.candidate, &sources.candidate).await?;
        let real = Answers { active: &call.answer, candidate: &ran.answer };
        let over_redacted = Answers { active: &of_active, candidate: &of_candidate };
        let about = (call.user.as_ref(), ran.duration);
        sample((&shown, &redaction), (&real, &over_redacted), comparison, about)
    }

    /// What a version answers to a redacted input: without its secrets, with an empty cache, and without other servers.
    async fn answer_to(
        &mut self,
        input: &SeenInput,
        version: &ServingVersion,
        source: &ShadowSource,
    ) -> Option<Outcome> {
        let cache = source.cache.as_ref().map(|cache| Arc::new(cache.apart()));
        let given = Given { input, tape: &Arc::default(), environment: placeholders(version), cache };
        self.run(given, version, &source.source).await.ok().map(|ran| ran.answer)
    }
}

/// Whether both failed alike, and asked for what only the real call had.
fn same_failure(active: &Ran, candidate: &Ran) -> bool {
    let has_failed = active.answer.is_err() && active.refused > 0 && candidate.refused > 0;
    has_failed && compare(&active.answer, &candidate.answer).class == DifferenceClass::Equal
}

#[cfg(test)]
mod tests {
    use super::*;
    use claimsmith_runtime::{Context, Manifest};
    use serde_json::{Map, Value};

    /// A call with a token and an answer of so many bytes, or a little more.
    fn call(token: usize, answer: usize) -> ShadowCall {
        let entry = RegistryEntry {
            name: "plan".into(),
            kind: None,
            manifest: Manifest::default(),
            version: None,
            rollout: None,
            loading: false,
            statistics: Arc::default(),
        };
        let claims = if answer == 0 { Map::new() } else { Map::from_iter([text(answer)]) };
        ShadowCall {
            entry: Arc::new(entry),
            input: SeenInput::Claims { token: "x".repeat(token).into(), context: Context::default() },
            answer: Ok(claims),
            tape: Arc::default(),
            user: None,
            request_id: None,
            log: None,
        }
    }

    fn text(bytes: usize) -> (String, Value) {
        ("text".to_owned(), Value::from("x".repeat(bytes)))
    }

    #[test]
    fn small_calls_fill_the_places_of_the_queue() {
        let (shadow, mut calls) = Shadow::queue();
        assert_eq!((0..100).filter(|_| shadow.offer(call(10, 10))).count(), QUEUE);
        assert!(!shadow.has_room());
        assert!(calls.try_recv().is_ok() && shadow.has_room(), "the place of one that is run is free");
    }

    #[test]
    fn inputs_and_answers_fill_the_bytes_of_the_queue() {
        for (token, answer, fits) in [(1 << 20, 0, 16), (0, 1 << 20, 15), (1 << 19, 1 << 19, 15)] {
            let (shadow, mut calls) = Shadow::queue();
            assert_eq!((0..QUEUE).filter(|_| shadow.offer(call(token, answer))).count(), fits, "{token} {answer}");
            let first = calls.try_recv();
            assert!(!shadow.offer(call(token, answer)), "the first is still being run");
            drop(first);
            assert!(shadow.has_room() && shadow.offer(call(token, answer)));
        }
    }
}
