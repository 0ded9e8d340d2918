//! Decides whether a new version of a plugin becomes active: it is loaded, and its settings are checked against its
//! kind and the server's limits. If that fails, the earlier version stays active.

use super::{
    affinity::Chosen,
    compile::SourceRejection,
    folder::{Broken, FolderChange},
    metrics,
    options::PluginsOptions,
    plugin_state::{PluginState, RefusedVersion, Standing, refuse},
    recipients,
    registry::{RegistryEntry, ServingRollout, ServingVersion, ShadowSources},
    rollouts::{NOT_LOADED, NOT_TRUSTED, RolloutPlan, Tally},
    trust::{GivenSignature, PluginTrust, TrustVerdict},
};
use crate::supervisor::{Panicked, contain};
use claimsmith_domain::documents::plugin::Origin;
use claimsmith_domain::documents::rollout::RolloutMode;
use claimsmith_runtime::{
    Host, Kind, Limits, LoadError, Manifest, ManifestError, PluginCache, SecretHeaders, Secrets, Source,
};
use std::{collections::BTreeSet, sync::Arc, time::Duration};

/// Activates versions.
pub(super) struct Admission {
    pub(super) host: Host,
    trust: PluginTrust,
    limits: Limits,
    bounds: Limits,
    /// Counts versions of rollouts that do not load.
    pub(super) tally: Arc<Tally>,
}

/// A version to load.
pub(super) struct Candidate<'c> {
    pub(super) name: &'c str,
    pub(super) origin: Origin,
    pub(super) change: FolderChange,
    /// The result of its compilation.
    pub(super) compiled: Result<(), SourceRejection>,
    /// The state of the plugin until now.
    pub(super) before: Option<PluginState>,
    /// Of the snapshot that it is for.
    pub(super) generation: u64,
    /// Whether this is the server's start.
    pub(super) first: bool,
}

/// The decision.
pub(super) struct AdmissionDecision {
    pub(super) state: PluginState,
    /// Whether the failure is temporary, so that it is retried.
    pub(super) retry: bool,
}

impl Admission {
    pub(super) fn new(host: Host, options: &PluginsOptions, tally: Arc<Tally>) -> Self {
        Self { host, trust: options.trust.clone(), limits: options.limits, bounds: options.bounds(), tally }
    }

    /// Loads the version and activates it, or keeps the active one.
    pub(super) async fn decide(&self, candidate: Candidate<'_>) -> AdmissionDecision {
        let Candidate { name, origin, change, compiled, before, generation, first } = candidate;
        // A file that lost its name to the store, or regained it, starts anew.
        let before = before.filter(|known| known.origin == origin);
        let statistics = before.as_ref().map(|known| Arc::clone(&known.statistics)).unwrap_or_default();
        // An activated upload was tested where it was uploaded: that it does not load here is no reason to skip it.
        let unproven = first || origin == Origin::Store || before.as_ref().is_some_and(|known| known.unproven);
        let goes_on = matches!(&change, FolderChange::Readable { rollout: Some(_), .. });
        let mut retry = false;
        let (standing, error) = match change {
            FolderChange::Disabled(manifest) => {
                tracing::info!(plugin = name, "plugin is disabled");
                metrics::reload("disabled");
                (Standing::Disabled(manifest), None)
            }
            FolderChange::Broken(Broken { manifest, kind, error, misnamed }) => {
                let refused = RefusedVersion { manifest: *manifest.unwrap_or_default(), kind, error };
                refuse(name, refused, unproven && !misnamed, before, &statistics)
            }
            FolderChange::Readable { manifest, source, secrets, number, signature, rollout } => {
                let serving: Vec<&ServingVersion> = before.iter().flat_map(|known| known.standing.versions()).collect();
                let TrustVerdict { signer, problem, is_refused } = self.trust.judge(origin, source.bytes(), &signature);
                let loaded = match (compiled, &problem) {
                    (_, Some(problem)) if is_refused => Err(LoadFailure::Untrusted(Arc::clone(problem))),
                    (Ok(()), _) => whole(self.load(&serving, &manifest, &source, secrets, generation)).await,
                    (Err(rejected), _) => Err(LoadFailure::Rejected(rejected)),
                };
                match loaded {
                    Ok(version) => {
                        if let Some(problem) = &problem {
                            tracing::warn!(plugin = name, %problem, "no trusted key signed this plugin");
                        }
                        let entry = before.as_ref().and_then(|known| known.standing.entry());
                        // A change of a rollout, or beside this version, leaves what its calls keep.
                        let same =
                            entry.and_then(|entry| entry.active_as(&manifest, (number, &source), &version.secrets));
                        let cache = same.map_or_else(|| version.cache.clone(), |same| same.cache.clone());
                        let tried = entry.filter(|entry| entry.manifest == manifest);
                        let tried = tried.and_then(|entry| Some(&entry.rollout.as_ref()?.candidate));
                        let version = ServingVersion { number, signer, signature_problem: problem, cache, ..version };
                        tracing::info!(plugin = name, digest = %version.digest, generation, "plugin serves");
                        metrics::reload("accepted");
                        let rollout = match rollout {
                            Some(plan) => {
                                let loaded = (&*serving, tried);
                                self.load_candidate(loaded, (&manifest, &version), source, *plan).await
                            }
                            None => Ok(None),
                        };
                        retry = rollout.is_err();
                        let statistics = Arc::clone(&statistics);
                        let kind = Some(version.plugin.kind());
                        let (name, version, rollout, loading) =
                            (name.into(), Some(version), rollout.ok().flatten(), false);
                        let entry = RegistryEntry { name, kind, manifest, version, rollout, loading, statistics };
                        (Standing::Active(Arc::new(entry)), None)
                    }
                    Err(error) => {
                        // The same source may load when the host has recovered.
                        retry = error.is_temporary();
                        let kind = manifest.likely_kind().or_else(|| Kind::likely(source.bytes()));
                        let kind = if let LoadFailure::Settings(_, kind) = error { Some(kind) } else { kind };
                        let refused = RefusedVersion { manifest, kind, error: error.to_string() };
                        refuse(name, refused, unproven, before, &statistics)
                    }
                }
            }
        };
        // An active version that stays since it cannot be loaded anew answers everybody when its rollout has ended.
        let standing = match standing {
            Standing::Active(entry) if !goes_on && entry.rollout.is_some() => {
                Standing::Active(Arc::new(entry.without_rollout()))
            }
            standing => standing,
        };
        let unproven = unproven && error.is_some();
        AdmissionDecision {
            state: PluginState { origin, standing, statistics, error, unproven, shadows: false },
            retry,
        }
    }

    /// Whether a source must not be loaded, so that it need not be compiled either.
    pub(super) fn distrusts(&self, origin: Origin, source: &Source, signature: &GivenSignature) -> bool {
        self.trust.judge(origin, source.bytes(), signature).is_refused
    }

    /// Loads an earlier version with the settings and secrets of the active one, in whose place it answers. The error is
    /// why it does not load.
    pub(super) async fn load_standby(
        &self,
        manifest: &Manifest,
        source: &Source,
        active: &ServingVersion,
        number: i64,
    ) -> Result<ServingVersion, String> {
        let loaded = whole(self.load(&[], manifest, source, active.secrets.clone(), active.generation)).await;
        let version = loaded.map_err(|failure| failure.to_string())?;
        Ok(ServingVersion { number: Some(number), ..version })
    }

    /// Loads the version of a rollout beside the active one, whose source is `source`. `Ok(None)`: it does not load, or no
    /// trusted key signed it, which the results of the rollout show, and the active version answers everybody. An error may
    /// be temporary. `tried` is the version that was in the rollout before, with the same settings.
    async fn load_candidate(
        &self,
        (serving, tried): (&[&ServingVersion], Option<&ServingVersion>),
        (manifest, active): (&Manifest, &ServingVersion),
        source: Source,
        plan: RolloutPlan,
    ) -> Result<Option<ServingRollout>, LoadFailure> {
        let RolloutPlan { id, mode, share, audience, source: candidate, number, signature, http } = plan;
        let id: Arc<str> = id.into();
        let mut manifest = manifest.clone();
        manifest.capabilities.http = http;
        // Only uploads have rollouts.
        let TrustVerdict { signer, problem, is_refused } =
            self.trust.judge(Origin::Store, candidate.bytes(), &signature);
        let loaded = match &problem {
            Some(problem) if is_refused => Err(LoadFailure::Untrusted(Arc::clone(problem))),
            _ => whole(self.load(serving, &manifest, &candidate, active.secrets.clone(), active.generation)).await,
        };
        let version = match loaded {
            Ok(version) if version.plugin.kind() == active.plugin.kind() => version,
            Ok(version) => {
                tracing::error!(plugin = candidate.name, number, kind = ?version.plugin.kind(), "a rollout has another kind");
                self.tally.count(&id, NOT_LOADED);
                return Ok(None);
            }
            Err(error) => {
                tracing::error!(plugin = candidate.name, number, %error, "the version of a rollout does not load");
                if error.is_temporary() {
                    return Err(error);
                }
                let counted = if matches!(error, LoadFailure::Untrusted(_)) { NOT_TRUSTED } else { NOT_LOADED };
                self.tally.count(&id, counted);
                return Ok(None);
            }
        };
        if let Some(problem) = &problem {
            tracing::warn!(plugin = candidate.name, number, %problem, "no trusted key signed the version of a rollout");
        }
        tracing::info!(plugin = candidate.name, number, mode = mode.as_str(), share, "a version is in a rollout");
        let is_same = |tried: &&ServingVersion| {
            tried.number == Some(number)
                && tried.digest == version.digest
                && tried.secrets == version.secrets
                && tried.http == version.http
        };
        // A change of its share leaves what its calls keep.
        let cache = tried.filter(is_same).map_or_else(|| version.cache.clone(), |tried| tried.cache.clone());
        let version = ServingVersion { number: Some(number), signer, signature_problem: problem, cache, ..version };
        let sources =
            (mode == RolloutMode::Shadow).then(|| ShadowSources::new((candidate, &version), (source, active)));
        Ok(Some(ServingRollout { id, mode, chosen: Chosen::new(share, audience), candidate: version, sources }))
    }

    async fn load(
        &self,
        serving: &[&ServingVersion],
        manifest: &Manifest,
        source: &Source,
        secrets: Secrets,
        generation: u64,
    ) -> Result<ServingVersion, LoadFailure> {
        let is_same = |old: &&&ServingVersion| *old.digest == *source.digest() && old.language == source.language;
        let plugin = match serving.iter().find(is_same) {
            // Only settings changed.
            Some(old) => Arc::clone(&old.plugin),
            None => self.host.load(source).await?,
        };
        let kind = plugin.kind();
        let origin = format!("{}.toml", source.name);
        manifest.validate_for(kind, &origin).map_err(|error| LoadFailure::Settings(error, kind))?;
        let limits = manifest.limits.over(kind, &self.limits, &self.bounds);
        let unbounded = Limits { deadline: Duration::MAX, memory: usize::MAX, output: usize::MAX, ..self.bounds };
        if limits != manifest.limits.over(kind, &self.limits, &unbounded) {
            tracing::warn!(
                plugin = source.name,
                "the manifest's limits exceed the server's; the server's limits apply"
            );
        }
        let headers = manifest.capabilities.http.as_ref().and_then(|http| SecretHeaders::of(http, &secrets));
        Ok(ServingVersion {
            plugin,
            language: source.language,
            size: source.bytes().len(),
            digest: source.digest().into(),
            number: None,
            signer: None,
            signature_problem: None,
            generation,
            limits,
            variables: manifest.variables(&secrets),
            secrets,
            // What a file of the folder declares is granted, since it is the operator's own. For an upload, its
            // settings have the grant.
            http: manifest.capabilities.http.clone().map(Arc::new),
            headers: headers.map(Arc::new),
            cache: manifest.capabilities.cache.map(|cache| Arc::new(PluginCache::new(cache))),
            literals: if kind == Kind::Message { recipients::literals(source.bytes()) } else { BTreeSet::new() },
        })
    }
}

/// Why a version is refused.
#[derive(Debug, thiserror::Error)]
enum LoadFailure {
    /// Its source.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// Compiling it.
    #[error("{}", .0.text)]
    Rejected(SourceRejection),
    /// Its settings are for another kind of plugin.
    #[error("{0}")]
    Settings(ManifestError, Kind),
    /// No trusted key signed it, and one must have.
    #[error("signature: {0}")]
    Untrusted(Arc<str>),
    /// Loading it panicked.
    #[error("the server failed while the plugin was loaded; see its log")]
    Panicked,
}

impl LoadFailure {
    /// Whether the same source may load later.
    fn is_temporary(&self) -> bool {
        match self {
            Self::Load(error) => matches!(error, LoadError::Internal(_)),
            Self::Rejected(rejected) => rejected.again,
            Self::Settings(..) | Self::Untrusted(_) => false,
            Self::Panicked => true,
        }
    }
}

/// Loads a version. A panic is a refusal like any other: the active version stays, and a mandatory plugin is not
/// skipped.
async fn whole(load: impl Future<Output = Result<ServingVersion, LoadFailure>>) -> Result<ServingVersion, LoadFailure> {
    contain("plugin load", load).await.unwrap_or_else(|Panicked| Err(LoadFailure::Panicked))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::panic, reason = "a test may panic")]

    use super::*;

    #[tokio::test]
    async fn a_load_that_panics_is_refused_and_tried_again() {
        let after_a_wait = async {
            tokio::task::yield_now().await;
            panic!("on purpose")
        };
        let failure = whole(after_a_wait).await.err();
        assert!(failure.is_some_and(|failure| failure.is_temporary() && failure.to_string().contains("see its log")));
    }
}
