//! The registry of active plugins, replaced atomically.

use super::{
    affinity::{Affinity, Chosen},
    recent_calls::{FailedCall, error_line},
    statistics::Counters,
    status::PluginStatus,
};
use arc_swap::ArcSwap;
use claimsmith_domain::documents::rollout::RolloutMode;
use claimsmith_runtime::{
    CallError, HttpCapability, Kind, Language, Limits, Manifest, OnError, Plugin, PluginCache, SecretHeaders, Secrets,
    Source, TokenKind,
};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// The active plugins. Readers take a snapshot and use it for a whole issuance or delivery.
#[derive(Default)]
pub(super) struct Registry {
    snapshot: ArcSwap<RegistrySnapshot>,
    /// That of the snapshot, for those who wait for it.
    stage: watch::Sender<Stage>,
}

/// How far the server's start is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    /// Which plugins there are is not known yet.
    #[default]
    Unknown,
    /// Some mandatory plugins are not loaded yet.
    Mandatory,
    /// All mandatory plugins have loaded or were refused, some others have not.
    Ready,
    /// All plugins have loaded or were refused.
    Settled,
}

/// All plugins at one time.
#[derive(Default)]
pub(super) struct RegistrySnapshot {
    /// How far the start is with these plugins.
    pub(super) stage: Stage,
    /// The number of swaps that changed the active plugins.
    pub(super) generation: u64,
    /// The active plugins, those that are not loaded yet, and mandatory ones that never loaded, in the order in which they
    /// run.
    pub(super) entries: Vec<Arc<RegistryEntry>>,
    /// Everything that is known, in the same order.
    pub(super) statuses: Vec<PluginStatus>,
    /// The counters behind the statuses, one for one.
    pub(super) counters: Vec<Arc<Counters>>,
}

/// A plugin that is active, not loaded yet, or mandatory and not loaded.
pub(super) struct RegistryEntry {
    pub(super) name: Arc<str>,
    /// Its kind. For a plugin that never loaded, its likely kind; `None` if it is unknown: then tokens and deliveries
    /// are both blocked.
    pub(super) kind: Option<Kind>,
    pub(super) manifest: Manifest,
    /// None for a mandatory plugin that never loaded, and for one that is not loaded yet.
    pub(super) version: Option<ServingVersion>,
    /// A version beside the active one. Without an active one there is none.
    pub(super) rollout: Option<ServingRollout>,
    /// Whether the server has just started and has not loaded it yet.
    pub(super) loading: bool,
    pub(super) statistics: Arc<Counters>,
}

/// A rollout whose version is loaded.
pub(super) struct ServingRollout {
    pub(super) id: Arc<str>,
    pub(super) mode: RolloutMode,
    pub(super) chosen: Chosen,
    pub(super) candidate: ServingVersion,
    /// Of a shadow: the sources of the version and of the active one, which it loads on a host of its own.
    pub(super) sources: Option<ShadowSources>,
}

/// The sources of the two versions.
pub(super) struct ShadowSources {
    pub(super) candidate: ShadowSource,
    pub(super) active: ShadowSource,
}

/// A version as a shadow calls it.
pub(super) struct ShadowSource {
    pub(super) source: Source,
    /// What its shadows keep: nothing of it reaches a token, and nothing that tokens keep is seen by them.
    pub(super) cache: Option<Arc<PluginCache>>,
}

/// A version, with the values of its settings.
#[derive(Clone)]
pub(super) struct ServingVersion {
    pub(super) plugin: Arc<Plugin>,
    pub(super) language: Language,
    pub(super) size: usize,
    pub(super) digest: Arc<str>,
    /// The number of an uploaded version.
    pub(super) number: Option<i64>,
    pub(super) generation: u64,
    pub(super) limits: Limits,
    pub(super) variables: Arc<[(String, String)]>,
    pub(super) secrets: Secrets,
    /// The effective HTTP capability: declared by the plugin and granted by an operator.
    pub(super) http: Option<Arc<HttpCapability>>,
    /// The headers that are filled in with secrets.
    pub(super) headers: Option<Arc<SecretHeaders>>,
    /// What its calls keep. Other settings and other secrets begin with nothing, as another version does.
    pub(super) cache: Option<Arc<PluginCache>>,
    /// The key that signed its source.
    pub(super) signer: Option<Arc<str>>,
    /// Why no trusted key is known to have signed it, where that is to be shown.
    pub(super) signature_problem: Option<Arc<str>>,
    /// Of a message plugin: the email addresses and phone numbers in its source.
    pub(super) literals: BTreeSet<String>,
}

impl RegistryEntry {
    pub(super) fn applies_to_token(
        &self,
        kind: TokenKind,
        grant_type: &str,
        application: &str,
        resource: Option<&str>,
    ) -> bool {
        self.may_be(Kind::Claims) && self.manifest.applies(kind, grant_type, application, resource)
    }

    /// The version that answers a call: the active one, or that of a canary, for those that it was chosen for.
    pub(super) fn serving(&self, who: &Affinity<'_>) -> Option<&ServingVersion> {
        match &self.rollout {
            Some(rollout) if rollout.mode == RolloutMode::Canary && rollout.chooses(&self.name, who) => {
                Some(&rollout.candidate)
            }
            _ => self.version.as_ref(),
        }
    }

    /// The same with its active version alone.
    pub(super) fn without_rollout(&self) -> Self {
        Self {
            name: Arc::clone(&self.name),
            kind: self.kind,
            manifest: self.manifest.clone(),
            version: self.version.clone(),
            rollout: None,
            loading: self.loading,
            statistics: Arc::clone(&self.statistics),
        }
    }

    /// Its active version, if it is this one with these settings and secrets.
    pub(super) fn active_as(
        &self,
        manifest: &Manifest,
        (number, source): (Option<i64>, &Source),
        secrets: &Secrets,
    ) -> Option<&ServingVersion> {
        let is_it = |version: &&ServingVersion| {
            version.number == number
                && *version.digest == *source.digest()
                && version.language == source.language
                && version.secrets == *secrets
        };
        self.version.as_ref().filter(|_| self.manifest == *manifest).filter(is_it)
    }

    /// Whether this version is the active one, and neither that of a rollout nor a previous one.
    pub(super) fn is_active(&self, version: &ServingVersion) -> bool {
        self.version.as_ref().is_some_and(|active| std::ptr::eq(active, version))
    }

    /// Whether nothing that it applies to may go without it: all but claims plugins that may be skipped.
    pub(super) fn is_mandatory(&self) -> bool {
        self.manifest.on_error(Kind::Claims) != OnError::Skip
    }

    /// Whether it is, or could be, of this kind.
    pub(super) fn may_be(&self, kind: Kind) -> bool {
        self.kind.is_none_or(|own| own == kind)
    }

    /// Counts a call of a version, and returns what the audit log says of one that did not succeed. `mask` removes secrets.
    pub(super) fn count(
        &self,
        version: Option<&ServingVersion>,
        error: Option<&CallError>,
        duration: Duration,
        request_id: Option<&str>,
        mask: impl FnOnce(&str) -> String,
    ) -> Option<Arc<str>> {
        self.statistics.count(error.map_or("ok", CallError::outcome), duration);
        let failed = error.map(|error| FailedCall {
            outcome: error.outcome(),
            error: error_line(error, mask),
            request_id: request_id.map(str::to_owned),
        });
        let line = failed.as_ref().map(|failed| failed.error.as_str().into());
        match version {
            Some(version) => self.statistics.calls_of_versions.count(&version.digest, failed),
            None => self.statistics.calls_of_versions.count(&"".into(), failed),
        }
        line
    }

    /// The text without its secrets.
    pub(super) fn masked<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.version.as_ref().map_or(Cow::Borrowed(text), |version| version.secrets.mask(text))
    }
}

impl ShadowSources {
    pub(super) fn new(
        (candidate, tried): (Source, &ServingVersion),
        (active, serving): (Source, &ServingVersion),
    ) -> Self {
        let apart = |version: &ServingVersion| version.cache.as_ref().map(|cache| Arc::new(cache.apart()));
        Self {
            candidate: ShadowSource { source: candidate, cache: apart(tried) },
            active: ShadowSource { source: active, cache: apart(serving) },
        }
    }
}

impl ServingRollout {
    /// Whether a call of this plugin is among those that the rollout is about.
    pub(super) fn chooses(&self, plugin: &str, who: &Affinity<'_>) -> bool {
        self.chosen.has(plugin, who)
    }
}

impl Stage {
    /// The stage in which these are all plugins.
    pub(super) fn of(entries: &[Arc<RegistryEntry>]) -> Self {
        let missing = || entries.iter().filter(|entry| entry.loading);
        if missing().any(|entry| entry.is_mandatory()) {
            Self::Mandatory
        } else if missing().next().is_some() {
            Self::Ready
        } else {
            Self::Settled
        }
    }
}

impl RegistrySnapshot {
    /// Whether anything waits for a plugin that is not loaded yet and of which `applies` is true. Once the server is ready,
    /// nothing waits: a plugin that is still missing may be skipped.
    pub(super) fn withholds(&self, applies: impl Fn(&RegistryEntry) -> bool) -> bool {
        match self.stage {
            Stage::Unknown => true,
            Stage::Mandatory => self.entries.iter().any(|entry| entry.loading && applies(entry)),
            Stage::Ready | Stage::Settled => false,
        }
    }
}

impl Registry {
    pub(super) fn snapshot(&self) -> Arc<RegistrySnapshot> {
        self.snapshot.load_full()
    }

    pub(super) fn swap(&self, snapshot: RegistrySnapshot) {
        let stage = snapshot.stage;
        self.snapshot.store(Arc::new(snapshot));
        self.stage.send_replace(stage);
    }

    /// Waits until the start is as far as this.
    pub(super) async fn until(&self, stage: Stage) {
        let mut stages = self.stage.subscribe();
        // The sender is here, so that the wait does not fail.
        let _ = stages.wait_for(|reached| *reached >= stage).await;
    }
}
