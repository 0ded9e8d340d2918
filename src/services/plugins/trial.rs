//! Test calls of a plugin, outside of any token, delivery or message: with the same host, limits, checks and masking,
//! but counting instructions, and without issuing or sending anything.

use super::{
    Plugins,
    compile::{CompileError, Upload},
    folder::{self, FolderFiles},
    http::Requests,
    leaks::{claims_without_secrets, without_secrets},
};
use claimsmith_harness::{Input, InputError};
use claimsmith_runtime::{
    Call, CallError, Host, HttpSender, Kind, Language, Limits, LoadError, LogLine, Manifest, ManifestError,
    MessageRequest, Plugin, SecretHeaders, Secrets, Source, StartError, Transformed,
};
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::sync::OnceCell;

/// The script of [`Plugins::warm_trials`].
const WARM_UP: &str = "export const getCustomJwtClaims = () => ({});";

/// A test call.
#[derive(Debug)]
pub struct Trial {
    /// The source.
    pub source: Source,
    /// Its settings, with the effective HTTP capability.
    pub manifest: Manifest,
    /// Its secrets, or their placeholders.
    pub secrets: Secrets,
    /// The input.
    pub input: Input,
}

/// What came of it.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "outcome": "ok", "claims": { "plan": "gold" }, "message": null, "dropped": [],
    "logs": [{ "level": "info", "message": "Asked" }], "durationMs": 0.8, "peakMemory": 1_310_720,
    "instructions": 48_211
}))]
pub struct TrialOutcome {
    /// `ok`, `denied`, `failed`, `trapped`, `timed_out`, `out_of_memory`, `bad_output`, `secret_in_claims`,
    /// `secret_in_delivery` or `unavailable`.
    pub outcome: &'static str,
    /// The claims, without reserved names; null when there are none, as of every other kind of plugin.
    #[schema(value_type = Option<Object>)]
    pub claims: Option<Map<String, Value>>,
    /// Why there are none.
    pub message: Option<String>,
    /// Of a message plugin: the method of the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false)]
    pub method: Option<String>,
    /// Of a message plugin: the URL of the request, with secrets masked.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false)]
    pub url: Option<String>,
    /// Of a webhook transform whose delivery is sent: the body, changed or not. Of a message plugin: that of the request,
    /// with secrets masked.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false)]
    pub body: Option<String>,
    /// Of such a transform: the headers that it sets. Of a message plugin: those of the request, with secrets masked.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = BTreeMap<String, String>, required = false)]
    pub headers: Option<BTreeMap<String, String>>,
    /// Of a webhook transform: where below the hook's own path, if it says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false)]
    pub path: Option<String>,
    /// Of a webhook transform whose delivery is not sent: why.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false)]
    pub drop_reason: Option<String>,
    /// Reserved claims or headers that it tried to set.
    pub dropped: Vec<String>,
    /// What it wrote.
    #[schema(value_type = Vec<Object>)]
    pub logs: Vec<LogLine>,
    /// Wall-clock milliseconds.
    pub duration_ms: f64,
    /// Most bytes of linear memory at one time.
    pub peak_memory: usize,
    /// WebAssembly instructions.
    pub instructions: Option<u64>,
}

/// The reason that there was no test call.
#[derive(Debug, thiserror::Error)]
pub enum TrialError {
    /// It was not compiled.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// It was compiled and does not load.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The engine that counts instructions did not start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// Its settings are for plugins of another kind.
    #[error(transparent)]
    Settings(#[from] ManifestError),
    /// The input is for plugins of another kind.
    #[error(transparent)]
    Input(#[from] InputError),
    /// Its files are unreadable.
    #[error("{0}")]
    Files(String),
}

/// The host that counts instructions, made for the first trial.
#[derive(Default)]
pub(super) struct MeteredHost(OnceCell<Host>);

impl MeteredHost {
    async fn get(&self, plugins: &Plugins) -> Result<&Host, StartError> {
        let options = plugins.0.metered.clone();
        let start = async || {
            let host = tokio::task::spawn_blocking(move || Host::new(options)).await;
            host.map_err(|error| StartError(error.to_string()))?
        };
        self.0.get_or_try_init(start).await
    }
}

/// A plugin for one test call after the other: loaded once.
pub(crate) struct LoadedTrial {
    plugin: Arc<Plugin>,
    manifest: Manifest,
    secrets: Secrets,
    limits: Limits,
}

/// What a call is given.
#[derive(Clone, Copy)]
struct Given<'t> {
    manifest: &'t Manifest,
    secrets: &'t Secrets,
    input: &'t Input,
    limits: &'t Limits,
}

impl Plugins {
    /// A plugin of the folder, from its current files; none if there is no such file. Its secrets are read only
    /// `with_secrets`.
    pub async fn read_from_folder(
        &self,
        name: &str,
        with_secrets: bool,
    ) -> Result<Option<(Source, Manifest, Secrets)>, TrialError> {
        let ((folder, max_source), name) = (self.0.folder.clone(), name.to_owned());
        let read = move || folder::read_one(&folder, max_source, &name, with_secrets);
        let read = tokio::task::spawn_blocking(read).await.map_err(|error| TrialError::Files(error.to_string()))?;
        read.map_err(TrialError::Files)
    }

    /// The files of a plugin of the folder as they are now; none if there is no such file.
    pub async fn files_of_folder(&self, name: &str) -> Result<Option<FolderFiles>, TrialError> {
        let ((folder, max_source), name) = (self.0.folder.clone(), name.to_owned());
        let read = move || folder::read_files(&folder, max_source, &name);
        let read = tokio::task::spawn_blocking(read).await.map_err(|error| TrialError::Files(error.to_string()))?;
        read.map_err(TrialError::Files)
    }

    /// Prepares the engine of test calls by one of a script of the server's own. The first one compiles the JavaScript
    /// runtime for that engine, which takes seconds; it is cached on disk.
    pub async fn warm_trials(&self) -> Result<(), TrialError> {
        let source = Source::new("warm-up", Language::JavaScript, WARM_UP);
        let (manifest, secrets) = (Manifest::default(), Secrets::default());
        self.try_out(&Trial { source, manifest, secrets, input: Input::default() }).await.map(drop)
    }

    /// Calls a plugin, which need not be active. It is compiled in a child process first, like an upload, since its
    /// source is untrusted.
    pub async fn try_out(&self, trial: &Trial) -> Result<TrialOutcome, TrialError> {
        let Trial { source, manifest, secrets, input } = trial;
        let plugin = self.load_metered(self.0.trials.get(self).await?, source).await?;
        let limits = self.limits_of_trial(&plugin, source, manifest)?;
        input.check(plugin.kind())?;
        Ok(call(&plugin, Given { manifest, secrets, input, limits: &limits }, self.0.rules.http.as_ref()).await)
    }

    /// A host for test calls that nobody waits for: real calls outrank its threads.
    pub(crate) async fn background_trials(&self) -> Result<Host, StartError> {
        let options = self.0.metered.clone();
        let host = tokio::task::spawn_blocking(move || Host::in_background(options)).await;
        host.map_err(|error| StartError(error.to_string()))?
    }

    /// Loads a plugin on such a host for test calls.
    pub(crate) async fn load_trial(
        &self,
        host: &Host,
        source: &Source,
        (manifest, secrets): (Manifest, Secrets),
    ) -> Result<LoadedTrial, TrialError> {
        let plugin = self.load_metered(host, source).await?;
        let limits = self.limits_of_trial(&plugin, source, &manifest)?;
        Ok(LoadedTrial { plugin, manifest, secrets, limits })
    }

    async fn load_metered(&self, host: &Host, source: &Source) -> Result<Arc<Plugin>, TrialError> {
        // A cached plugin was compiled and tested before.
        if !host.is_cached(source).await {
            let upload = Upload { source: source.clone(), manifest: None, cases: None };
            self.compiler().compile_metered(&upload).await?;
        }
        Ok(host.load(source).await?)
    }

    fn limits_of_trial(&self, plugin: &Plugin, source: &Source, manifest: &Manifest) -> Result<Limits, ManifestError> {
        let kind = plugin.kind();
        manifest.validate_for(kind, &format!("the settings of {}", source.name))?;
        let limits = manifest.limits.over(kind, &self.0.limits.0, &self.0.limits.1);
        Ok(Limits { deadline: limits.deadline.min(self.0.rules.budget), ..limits })
    }
}

impl LoadedTrial {
    /// Calls it with other servers of the caller's.
    pub(crate) async fn call(&self, input: &Input, servers: &Arc<dyn HttpSender>) -> Result<TrialOutcome, InputError> {
        let Self { plugin, manifest, secrets, limits } = self;
        input.check(plugin.kind())?;
        Ok(call(plugin, Given { manifest, secrets, input, limits }, Some(servers)).await)
    }
}

async fn call(plugin: &Plugin, given: Given<'_>, sender: Option<&Arc<dyn HttpSender>>) -> TrialOutcome {
    match plugin.kind() {
        Kind::Claims => try_claims(plugin, given, sender).await,
        Kind::WebhookTransform => try_transform(plugin, given).await,
        Kind::Message => try_message(plugin, given).await,
    }
}

async fn try_claims(plugin: &Plugin, given: Given<'_>, sender: Option<&Arc<dyn HttpSender>>) -> TrialOutcome {
    let Given { manifest, secrets, input, limits } = given;
    let mut request = input.request(manifest, secrets);
    let capability = manifest.capabilities.http.clone().map(Arc::new);
    let headers = manifest.capabilities.http.as_ref().and_then(|http| SecretHeaders::of(http, secrets)).map(Arc::new);
    request.http = Requests::new(sender).access(capability.as_ref(), headers.as_ref());
    let call = plugin.get_custom_jwt_claims(&request, limits).await;
    let (claims, outcome) = told(call, |claims| claims_without_secrets(claims, secrets), secrets);
    TrialOutcome { claims, ..outcome }
}

async fn try_transform(plugin: &Plugin, given: Given<'_>) -> TrialOutcome {
    let Given { manifest, secrets, input, limits } = given;
    let request = input.delivery(manifest, secrets);
    let call = plugin.transform(&request, limits).await;
    match told(call, |answer| without_secrets(answer, secrets), secrets) {
        (None, outcome) => outcome,
        (Some(Transformed::Drop(reason)), outcome) => TrialOutcome { drop_reason: Some(reason), ..outcome },
        (Some(Transformed::Send { body, headers, path }), outcome) => TrialOutcome {
            body: Some(body.unwrap_or_else(|| request.event.to_string())),
            headers: Some(headers.into_iter().collect()),
            path,
            ..outcome
        },
    }
}

/// Secrets in a request are only for its provider, so they are masked.
async fn try_message(plugin: &Plugin, given: Given<'_>) -> TrialOutcome {
    let Given { manifest, secrets, input, limits } = given;
    let call = plugin.compose(&input.message(manifest, secrets), limits).await;
    let (request, outcome) = told(call, Ok, secrets);
    let Some(MessageRequest { method, url, headers, body }) = request else { return outcome };
    let mask = |text: &str| secrets.mask(text).into_owned();
    TrialOutcome {
        method: Some(method),
        url: Some(mask(&url)),
        headers: Some(headers.into_iter().map(|(name, value)| (name, mask(&value))).collect()),
        body: body.as_deref().map(mask),
        ..outcome
    }
}

/// The answer, if it passes `check`, and the results that every kind of call has.
fn told<A>(
    call: Call<A>,
    check: impl FnOnce(A) -> Result<A, CallError>,
    secrets: &Secrets,
) -> (Option<A>, TrialOutcome) {
    let mask = |text: &str| secrets.mask(text).into_owned();
    let logs = call.logs.into_iter().map(|line| LogLine { message: mask(&line.message), ..line }).collect();
    let checked = call.result.and_then(check);
    let outcome = checked.as_ref().map_or_else(CallError::outcome, |_| "ok");
    let (answer, message) = match checked {
        Ok(answer) => (Some(answer), None),
        Err(CallError::Denied(message)) => (None, Some(mask(&message))),
        Err(error) => (None, Some(mask(&error.to_string()))),
    };
    let outcome = TrialOutcome {
        outcome,
        claims: None,
        message,
        method: None,
        url: None,
        body: None,
        headers: None,
        path: None,
        drop_reason: None,
        dropped: call.dropped,
        logs,
        duration_ms: call.duration.as_secs_f64() * 1000.0,
        peak_memory: call.peak_memory,
        instructions: call.instructions,
    };
    (answer, outcome)
}
