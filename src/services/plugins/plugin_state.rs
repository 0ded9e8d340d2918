//! The state of one plugin, and the effect of a version that fails to load.

use super::{
    folder::FolderChange,
    metrics,
    registry::{RegistryEntry, ServingVersion},
    statistics::Counters,
    status::{PluginStatus, limits},
};
use claimsmith_domain::documents::plugin::{Origin, State};
use claimsmith_runtime::{Kind, Manifest, OnError, Source};
use std::sync::Arc;

/// What is known of one plugin.
#[derive(Clone)]
pub(super) struct PluginState {
    pub(super) origin: Origin,
    pub(super) standing: Standing,
    pub(super) statistics: Arc<Counters>,
    pub(super) error: Option<String>,
    /// It is mandatory, and has neither loaded nor been disabled since the start.
    pub(super) unproven: bool,
    /// A file of the same name is in the folder.
    pub(super) shadows: bool,
}

/// The state of a plugin.
#[derive(Clone)]
pub(super) enum Standing {
    Active(Arc<RegistryEntry>),
    /// Not loaded yet, since the server has just started; with the entry for which tokens and deliveries wait.
    Loading(Arc<RegistryEntry>),
    Disabled(Manifest),
    /// Not loaded; with the entry that refuses the tokens and deliveries that it applies to, if it is mandatory.
    Failed(Manifest, Option<Arc<RegistryEntry>>),
}

/// A refused version, and its most likely kind.
pub(super) struct RefusedVersion {
    pub(super) manifest: Manifest,
    pub(super) kind: Option<Kind>,
    pub(super) error: String,
}

/// The newest version is refused: the active version stays active.
pub(super) fn refuse(
    name: &str,
    RefusedVersion { manifest, kind, error }: RefusedVersion,
    unproven: bool,
    before: Option<PluginState>,
    statistics: &Arc<Counters>,
) -> (Standing, Option<String>) {
    metrics::reload("refused");
    if before.as_ref().is_none_or(|known| known.error.as_deref() != Some(&error)) {
        tracing::warn!(plugin = name, error, "plugin refused");
    }
    if let Some(PluginState { standing: standing @ Standing::Active(_), .. }) = before {
        return (standing, Some(error));
    }
    let may_be = |wanted: Kind| kind.is_none_or(|kind| kind == wanted);
    let of_tokens = may_be(Kind::Claims) && manifest.on_error(Kind::Claims) == OnError::Deny;
    let of_deliveries = may_be(Kind::WebhookTransform);
    let entry = (unproven && manifest.enabled && (of_tokens || of_deliveries)).then(|| {
        if of_tokens {
            tracing::error!(plugin = name, "tokens that this plugin applies to are refused until it loads");
        }
        if of_deliveries {
            tracing::error!(
                plugin = name,
                "webhook deliveries that this plugin applies to are not sent until it loads"
            );
        }
        let (manifest, statistics) = (manifest.clone(), Arc::clone(statistics));
        let (name, version, rollout, loading) = (name.into(), None, None, false);
        Arc::new(RegistryEntry { name, kind, manifest, version, rollout, loading, statistics })
    });
    (Standing::Failed(manifest, entry), Some(error))
}

/// The largest source whose kind is looked for in its text, in bytes: in a larger one that takes too long.
const MAX_SEARCHED_BYTES: usize = 256 << 10;

impl PluginState {
    /// Whether just this change is in service, without a rollout.
    pub(super) fn serves(&self, origin: Origin, change: &FolderChange) -> bool {
        let FolderChange::Readable { manifest, source, secrets, number, rollout: None, .. } = change else {
            return false;
        };
        let Standing::Active(entry) = &self.standing else { return false };
        self.origin == origin
            && self.error.is_none()
            && entry.rollout.is_none()
            && entry.active_as(manifest, (*number, source), secrets).is_some()
    }

    /// Of a plugin that the server has yet to load. Until it is known what kind of plugin it is, everything that it could
    /// apply to waits.
    pub(super) fn loading(name: &str, origin: Origin, manifest: &Manifest, source: &Source) -> Self {
        let statistics = Arc::<Counters>::default();
        let text = Some(source.bytes()).filter(|bytes| bytes.len() <= MAX_SEARCHED_BYTES);
        let kind = manifest.likely_kind().or_else(|| text.and_then(|text| Kind::likely(text)));
        let entry = RegistryEntry {
            name: name.into(),
            kind,
            manifest: manifest.clone(),
            version: None,
            rollout: None,
            loading: true,
            statistics: Arc::clone(&statistics),
        };
        let standing = Standing::Loading(Arc::new(entry));
        Self { origin, standing, statistics, error: None, unproven: true, shadows: false }
    }

    pub(super) fn status(&self, name: &str) -> PluginStatus {
        let manifest = self.standing.manifest();
        let version = self.standing.version();
        let state = match &self.standing {
            Standing::Active(_) => State::Active,
            Standing::Loading(_) => State::Loading,
            Standing::Disabled(_) => State::Disabled,
            Standing::Failed(..) => State::Failed,
        };
        let kind = version.map(|version| version.plugin.kind());
        let stands_for = |kind: Kind| match &self.standing {
            Standing::Failed(_, Some(entry)) => entry.may_be(kind),
            Standing::Failed(_, None) | Standing::Active(_) | Standing::Loading(_) | Standing::Disabled(_) => false,
        };
        let status = PluginStatus::new(name, self.origin, state, kind, manifest);
        let status = PluginStatus {
            shadows_file: self.shadows,
            last_error: self.error.clone(),
            refuses_tokens: stands_for(Kind::Claims),
            holds_deliveries: stands_for(Kind::WebhookTransform)
                && manifest.on_error(Kind::WebhookTransform) != OnError::Original,
            statistics: self.statistics.read(),
            ..status
        };
        match version {
            None => status,
            Some(version) => PluginStatus {
                language: Some(version.language),
                digest: Some(Arc::clone(&version.digest)),
                generation: Some(version.generation),
                secrets: version.secrets.pairs().iter().map(|(name, _)| name.clone()).collect(),
                size: Some(version.size),
                world: Some(version.plugin.kind().world()),
                imports: version.plugin.imports().to_vec(),
                limits: Some(limits(version.limits)),
                signed_by: version.signer.clone(),
                signature_problem: version.signature_problem.clone(),
                ..status
            },
        }
    }
}

impl Standing {
    pub(super) fn manifest(&self) -> &Manifest {
        match self {
            Self::Active(entry) | Self::Loading(entry) => &entry.manifest,
            Self::Disabled(manifest) | Self::Failed(manifest, _) => manifest,
        }
    }

    pub(super) fn entry(&self) -> Option<&Arc<RegistryEntry>> {
        match self {
            Self::Active(entry) | Self::Loading(entry) | Self::Failed(_, Some(entry)) => Some(entry),
            Self::Disabled(_) | Self::Failed(_, None) => None,
        }
    }

    pub(super) fn version(&self) -> Option<&ServingVersion> {
        self.entry().and_then(|entry| entry.version.as_ref())
    }

    /// All versions that are loaded: the active one, and that of a rollout.
    pub(super) fn versions(&self) -> impl Iterator<Item = &ServingVersion> {
        let candidate = self.entry().and_then(|entry| Some(&entry.rollout.as_ref()?.candidate));
        self.version().into_iter().chain(candidate)
    }
}
