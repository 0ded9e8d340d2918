//! The registry of active plugins, replaced atomically.

use super::{
    recent_calls::{FailedCall, error_line},
    statistics::Counters,
    status::PluginStatus,
};
use arc_swap::ArcSwap;
use claimsmith_runtime::{CallError, HttpCapability, Kind, Language, Limits, Manifest, Plugin, Secrets, TokenKind};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// The active plugins. Readers take a snapshot and use it for a whole issuance or delivery.
#[derive(Default)]
pub(super) struct Registry(ArcSwap<RegistrySnapshot>);

/// All plugins at one time.
#[derive(Default)]
pub(super) struct RegistrySnapshot {
    /// The number of swaps that changed the active plugins.
    pub(super) generation: u64,
    /// The active plugins, and mandatory ones that never loaded, in the order in which they run.
    pub(super) entries: Vec<Arc<RegistryEntry>>,
    /// Everything that is known, in the same order.
    pub(super) statuses: Vec<PluginStatus>,
    /// The counters behind the statuses, one for one.
    pub(super) counters: Vec<Arc<Counters>>,
}

/// A plugin that is active, or mandatory and not loaded.
pub(super) struct RegistryEntry {
    pub(super) name: Arc<str>,
    /// Its kind. For a plugin that never loaded, its likely kind; `None` if it is unknown: then tokens and deliveries
    /// are both blocked.
    pub(super) kind: Option<Kind>,
    pub(super) manifest: Manifest,
    /// None for a mandatory plugin that never loaded.
    pub(super) version: Option<ServingVersion>,
    pub(super) statistics: Arc<Counters>,
}

/// The active version, with the values of its settings.
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

    /// Whether it is, or could be, of this kind.
    pub(super) fn may_be(&self, kind: Kind) -> bool {
        self.kind.is_none_or(|own| own == kind)
    }

    /// Counts a call, and returns what the audit log says of one that did not succeed. `mask` removes secrets that are
    /// not the plugin's own.
    pub(super) fn count(
        &self,
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
        match &self.version {
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

impl Registry {
    pub(super) fn snapshot(&self) -> Arc<RegistrySnapshot> {
        self.0.load_full()
    }

    pub(super) fn swap(&self, snapshot: RegistrySnapshot) {
        self.0.store(Arc::new(snapshot));
    }
}
