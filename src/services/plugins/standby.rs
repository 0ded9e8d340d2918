//! The previous versions of plugins, which answer while a breaker is open where the settings ask for it: only one that
//! passes the golden cases of the active version.
//!
//! A version is prepared when the plugin is loaded with such settings, so that it answers at once when the breaker opens.

use super::Plugins;
use super::admission::Admission;
use super::compile::{CompileError, Compiler, Finding, Upload, UploadedText};
use super::registry::{RegistryEntry, RegistrySnapshot, ServingVersion};
use super::trust::GivenSignature;
use arc_swap::ArcSwap;
use claimsmith_domain::documents::plugin::{Breaker, Origin};
use claimsmith_runtime::{HttpCapability, Source};
use std::collections::HashMap;
use std::sync::Arc;

/// Why a file of the folder has no previous version.
const OF_FOLDER: &str = "a plugin of the plugin folder has no previous version";
/// Before it was checked.
const UNCHECKED: &str = "the previous version is not checked yet";

/// The prepared versions by plugin. Cheap to clone.
#[derive(Clone, Default)]
pub(super) struct Standbys(Arc<ArcSwap<HashMap<Arc<str>, Standby>>>);

/// The previous version of a plugin.
#[derive(Clone)]
struct Standby {
    /// Of the active version with its settings, for which it was prepared.
    generation: u64,
    /// Or why it does not answer.
    version: Result<Arc<ServingVersion>, String>,
}

/// A plugin whose previous version is to be prepared.
#[derive(Debug)]
pub(crate) struct WantedStandby {
    /// Its name.
    pub(crate) name: Arc<str>,
    /// The number of its active version.
    pub(crate) active: i64,
    generation: u64,
}

/// A previous version, as read from the database.
#[derive(Debug)]
pub(crate) struct PreviousVersion {
    /// Its source.
    pub(crate) source: Source,
    /// The signature of its source, not verified.
    pub(crate) signature: GivenSignature,
    /// Its number.
    pub(crate) number: i64,
    /// Its effective HTTP capability.
    pub(crate) http: Option<HttpCapability>,
    /// The golden cases of the active version.
    pub(crate) cases: Option<String>,
}

impl Standbys {
    /// The version that answers in place of this one.
    pub(super) fn find(&self, entry: &RegistryEntry, active: &ServingVersion) -> Option<Arc<ServingVersion>> {
        if !entry.manifest.breaker.wants_previous_version() {
            return None;
        }
        let all = self.0.load();
        let standby = all.get(&entry.name).filter(|standby| standby.generation == active.generation)?;
        standby.version.as_ref().ok().cloned()
    }

    /// Adds whether the previous version answers to the status of a breaker.
    pub(super) fn tell(&self, entry: &RegistryEntry, breaker: Breaker) -> Breaker {
        let Some(active) = entry.version.as_ref().filter(|_| entry.manifest.breaker.wants_previous_version()) else {
            return breaker;
        };
        let all = self.0.load();
        let standby = all.get(&entry.name).filter(|standby| standby.generation == active.generation);
        let problem = match standby {
            _ if active.number.is_none() => Some(OF_FOLDER.to_owned()),
            None => Some(UNCHECKED.to_owned()),
            Some(standby) => standby.version.as_ref().err().cloned(),
        };
        let previous_version_answers = problem.is_none() && breaker.is_open();
        Breaker { previous_version_answers, previous_version_problem: problem, ..breaker }
    }

    /// The plugins whose previous version is not prepared yet. Those that no longer need one are forgotten.
    fn wanted(&self, snapshot: &RegistrySnapshot) -> Vec<WantedStandby> {
        let want = |entry: &&Arc<RegistryEntry>| entry.manifest.breaker.wants_previous_version();
        let wanted: Vec<WantedStandby> = snapshot
            .entries
            .iter()
            .filter(want)
            .filter_map(|entry| {
                let version = entry.version.as_ref()?;
                let (name, generation) = (Arc::clone(&entry.name), version.generation);
                Some(WantedStandby { name, active: version.number?, generation })
            })
            .collect();
        let all = self.0.load_full();
        if all.keys().any(|name| !wanted.iter().any(|one| one.name == *name)) {
            let mut kept = HashMap::clone(&all);
            kept.retain(|name, _| wanted.iter().any(|one| one.name == *name));
            self.0.store(Arc::new(kept));
        }
        let is_ready =
            |one: &WantedStandby| all.get(&one.name).is_some_and(|standby| standby.generation == one.generation);
        wanted.into_iter().filter(|one| !is_ready(one)).collect()
    }

    fn keep(&self, wanted: &WantedStandby, version: Result<Arc<ServingVersion>, String>) {
        if let Err(problem) = &version {
            let plugin = &*wanted.name;
            tracing::warn!(plugin, problem, "while its breaker is open, on_error holds: no previous version answers");
        }
        // One task prepares them all, so that none is lost in between.
        let mut all = HashMap::clone(&self.0.load());
        all.insert(Arc::clone(&wanted.name), Standby { generation: wanted.generation, version });
        self.0.store(Arc::new(all));
    }
}

impl Plugins {
    /// The plugins whose previous version is to be prepared.
    pub(crate) fn wanted_standbys(&self) -> Vec<WantedStandby> {
        self.0.rules.guard.standbys.wanted(&self.0.registry.snapshot())
    }

    /// Says why no previous version answers.
    pub(crate) fn refuse_standby(&self, wanted: &WantedStandby, problem: String) {
        self.0.rules.guard.standbys.keep(wanted, Err(problem));
    }

    /// Tests a previous version with the golden cases and the settings of the active one, and lets it answer if it passes.
    /// Does nothing if it cannot be tested now.
    pub(crate) async fn prepare_standby(&self, wanted: &WantedStandby, previous: PreviousVersion) {
        let snapshot = self.0.registry.snapshot();
        let Some(entry) = snapshot.entries.iter().find(|entry| entry.name == wanted.name) else { return };
        let Some(active) = entry.version.as_ref().filter(|version| version.generation == wanted.generation) else {
            return;
        };
        if let Some(version) = prepare(&self.0.admission, &self.0.compiler, entry, active, previous).await {
            self.0.rules.guard.standbys.keep(wanted, version.map(Arc::new));
        }
    }
}

/// The version, or why it does not answer; `None` if that cannot be said now.
async fn prepare(
    admission: &Admission,
    compiler: &Compiler,
    entry: &RegistryEntry,
    active: &ServingVersion,
    PreviousVersion { source, signature, number, http, cases }: PreviousVersion,
) -> Option<Result<ServingVersion, String>> {
    if admission.distrusts(Origin::Store, &source, &signature) {
        return Some(Err(format!("no trusted key signed version {number}")));
    }
    let Some(cases) = cases.filter(|cases| !cases.trim().is_empty()) else {
        return Some(Err("the active version has no golden cases that the previous one could pass".to_owned()));
    };
    let mut manifest = entry.manifest.clone();
    manifest.capabilities.http = http;
    let settings = match serde_json::to_string(&manifest) {
        Ok(settings) => settings,
        Err(error) => return Some(Err(format!("its settings cannot be written: {error}"))),
    };
    let text = |ending: &str, text: String| UploadedText { file: format!("{}.{ending}", entry.name), text };
    let upload = Upload {
        source: source.clone(),
        manifest: Some(text("json", settings)),
        cases: Some(text("cases.json", cases)),
    };
    match compiler.compile(&upload).await {
        Ok(accepted) if accepted.kind != active.plugin.kind() => {
            return Some(Err("the previous version is a plugin of another kind".to_owned()));
        }
        Ok(_) => {}
        Err(CompileError::Refused(findings)) => {
            let first = findings.first().map(Finding::text).unwrap_or_default();
            let first = claimsmith_runtime::in_one_line(&active.secrets.mask(&first));
            let problem = format!("version {number} does not pass the golden cases of the active version: {first}");
            return Some(Err(problem));
        }
        Err(CompileError::Busy | CompileError::CacheUnwritable | CompileError::Unavailable(_)) => return None,
    }
    let loaded = admission.load_standby(&manifest, &source, active, number).await;
    Some(loaded.map_err(|problem| format!("version {number} does not load: {problem}")))
}
