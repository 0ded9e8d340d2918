//! Turns what changed in the folder or in the store into the next snapshot: keeps what serves while what is new is
//! compiled, and when that fails. What need not be compiled never waits for what must be.
//!
//! A name belongs to one of the two. The store comes first: an upload was checked against the folder, while a file may
//! appear at any time.

use super::{
    compilations::Compilations,
    compile::{Compiler, Rejected},
    folder::{Broken, Change, Folder, FolderEntry},
    metrics,
    options::{PluginsOptions, StartError},
    plugin_state::{PluginState, Refused, Standing, refuse},
    registry::{Entry, Registry, Snapshot, Version},
    status::Origin,
};
use claimsmith_runtime::{Host, Kind, Limits, LoadError, Manifest, ManifestError, Secrets, Source};
use std::{collections::BTreeMap, io, sync::Arc, time::Duration};
use tokio::sync::Notify;

/// Follows folder and store. There is one per server, and no request for a token waits for it.
pub(super) struct Loader {
    host: Host,
    registry: Arc<Registry>,
    folder: Folder,
    limits: Limits,
    bounds: Limits,
    pending: Compilations,
    known: BTreeMap<String, PluginState>,
    /// The last error of the folder itself, so that it is logged once.
    folder_error: Option<String>,
}

/// What became of one finding.
struct Judged {
    known: PluginState,
    /// It failed through no fault of its own.
    again: bool,
}

impl Loader {
    pub(super) fn new((host, compiler): (Host, Compiler), registry: Arc<Registry>, options: &PluginsOptions) -> Self {
        Self {
            host,
            registry,
            folder: Folder::new(options.folder.clone(), options.max_source),
            limits: options.limits,
            bounds: options.bounds(),
            pending: Compilations::new(compiler),
            known: BTreeMap::new(),
            folder_error: None,
        }
    }

    /// Told when something that was compiled can be taken over.
    pub(super) fn compiled(&self) -> Arc<Notify> {
        Arc::clone(&self.pending.done)
    }

    /// Loads everything. What fails now and is mandatory refuses tokens until it loads.
    pub(super) async fn first_scan(&mut self) -> Result<(), StartError> {
        let folder = self.folder.path().to_owned();
        let findings = self.scan().await.map_err(|source| StartError::Folder { folder: folder.clone(), source })?;
        if findings.is_empty() {
            tracing::warn!(folder = %folder.display(), "no plugins: the folder is empty or does not exist");
        }
        for name in self.apply(Origin::Folder, findings, true).await {
            self.folder.forget(&name);
        }
        Ok(())
    }

    /// Takes over what the store now holds, all of it at once. Answers the names of those that failed through no fault
    /// of their own: they are to be tried again.
    pub(super) async fn apply_store(&mut self, findings: Vec<FolderEntry>, first: bool) -> Vec<String> {
        self.apply(Origin::Store, findings, first).await
    }

    /// Takes over what changed since the last scan.
    pub(super) async fn rescan(&mut self) {
        match self.scan().await {
            Ok(findings) => {
                self.folder_error = None;
                let again = self.apply(Origin::Folder, findings, false).await;
                for name in again {
                    self.folder.forget(&name);
                }
            }
            // Not knowing what is in the folder is no reason to stop serving what was there.
            Err(error) => {
                let error = Some(error.to_string());
                if error != self.folder_error {
                    tracing::error!(folder = %self.folder.path().display(), error, "the plugin folder cannot be read");
                    self.folder_error = error;
                }
            }
        }
    }

    async fn scan(&mut self) -> io::Result<Vec<FolderEntry>> {
        let empty = self.folder.emptied();
        let mut folder = std::mem::replace(&mut self.folder, empty);
        let scanned = tokio::task::spawn_blocking(move || (folder.scan(), folder)).await;
        let (findings, folder) = scanned.map_err(io::Error::other)?;
        self.folder = folder;
        findings
    }

    async fn apply(&mut self, origin: Origin, findings: Vec<FolderEntry>, first: bool) -> Vec<String> {
        let before = self.known.len();
        self.pending.retain(origin, |name| findings.iter().any(|finding| finding.name == name));
        self.known.retain(|name, known| {
            let stays = known.origin != origin || findings.iter().any(|finding| finding.name == *name);
            if !stays {
                tracing::info!(plugin = name, "plugin removed");
                metrics::reload("removed");
            }
            stays
        });
        // At the start the folder comes last: its swap is the first.
        let mut changed = (first && origin == Origin::Folder) || self.known.len() != before;
        let mut again = Vec::new();
        let generation = self.registry.snapshot().generation + 1;
        for FolderEntry { name, change } in findings {
            if origin == Origin::Folder && self.belongs_to_store(&name) {
                // Asked about at every scan, since the store may give the name back.
                again.push(name);
            } else if let Some(change) = change {
                let Some(compiled) = self.compiled_for(origin, &name, &change, first).await else {
                    // What served goes on serving.
                    again.push(name);
                    continue;
                };
                let judged = self.judge(&name, origin, (change, compiled), generation, first).await;
                if judged.again {
                    again.push(name.clone());
                }
                self.known.insert(name, judged.known);
                changed |= !first;
            }
        }
        if changed {
            self.publish(generation);
        }
        again
    }

    fn belongs_to_store(&mut self, name: &str) -> bool {
        let stored = self.known.get_mut(name).filter(|known| known.origin == Origin::Store);
        if let Some(known) = &stored
            && !known.shadows
        {
            tracing::warn!(
                plugin = name,
                "a file in the plugin folder is ignored: an uploaded plugin has the same name"
            );
        }
        stored.map(|known| known.shadows = true).is_some()
    }

    /// Whether a change can be judged now, with what came of compiling it; none while that goes on. At the start it is
    /// waited for: nothing serves yet.
    async fn compiled_for(
        &mut self,
        origin: Origin,
        name: &str,
        change: &Change,
        first: bool,
    ) -> Option<Result<(), Rejected>> {
        let Change::Readable { source, .. } = change else { return Some(Ok(())) };
        let serving = self.known.get(name).and_then(|known| known.standing.version());
        let serves = serving.is_some_and(|old| *old.digest == *source.digest() && old.language == source.language);
        if serves || !self.host.has_cache() || self.host.is_cached(source).await {
            return Some(Ok(()));
        }
        if first {
            return Some(self.pending.compile(source).await);
        }
        self.pending.outcome(origin, source)
    }

    async fn judge(
        &mut self,
        name: &str,
        origin: Origin,
        (change, compiled): (Change, Result<(), Rejected>),
        generation: u64,
        first: bool,
    ) -> Judged {
        let before = self.known.remove(name);
        // A file that a name was taken from starts anew.
        let before = before.filter(|known| known.origin == origin);
        let statistics = before.as_ref().map(|known| Arc::clone(&known.statistics)).unwrap_or_default();
        // What somebody activated was proven where it was uploaded: that it does not load here is no reason to do
        // without.
        let unproven = first || origin == Origin::Store || before.as_ref().is_some_and(|known| known.unproven);
        let mut again = false;
        let (standing, error) = match change {
            Change::Disabled(manifest) => {
                tracing::info!(plugin = name, "plugin is disabled");
                metrics::reload("disabled");
                (Standing::Disabled(manifest), None)
            }
            Change::Broken(Broken { manifest, kind, error, misnamed }) => {
                let refused = Refused { manifest: *manifest.unwrap_or_default(), kind, error };
                refuse(name, refused, unproven && !misnamed, before, &statistics)
            }
            Change::Readable { manifest, source, secrets } => {
                let serving = before.as_ref().and_then(|known| known.standing.version());
                let loaded = match compiled {
                    Ok(()) => self.load(serving, &manifest, &source, secrets, generation).await,
                    Err(rejected) => Err(LoadFailure::Rejected(rejected)),
                };
                match loaded {
                    Ok(version) => {
                        tracing::info!(plugin = name, digest = %version.digest, generation, "plugin serves");
                        metrics::reload("accepted");
                        let statistics = Arc::clone(&statistics);
                        let kind = Some(version.plugin.kind());
                        let entry = Entry { name: name.into(), kind, manifest, version: Some(version), statistics };
                        (Standing::Active(Arc::new(entry)), None)
                    }
                    Err(error) => {
                        // The same source may load when the host has recovered.
                        again = match &error {
                            LoadFailure::Load(error) => matches!(error, LoadError::Internal(_)),
                            LoadFailure::Rejected(rejected) => rejected.again,
                            LoadFailure::Settings(..) => false,
                        };
                        let kind = manifest.likely_kind().or_else(|| Kind::likely(source.bytes()));
                        let kind = if let LoadFailure::Settings(_, kind) = error { Some(kind) } else { kind };
                        let refused = Refused { manifest, kind, error: error.to_string() };
                        refuse(name, refused, unproven, before, &statistics)
                    }
                }
            }
        };
        let unproven = unproven && error.is_some();
        Judged { known: PluginState { origin, standing, statistics, error, unproven, shadows: false }, again }
    }

    async fn load(
        &self,
        serving: Option<&Version>,
        manifest: &Manifest,
        source: &Source,
        secrets: Secrets,
        generation: u64,
    ) -> Result<Version, LoadFailure> {
        let plugin = match serving.filter(|old| *old.digest == *source.digest() && old.language == source.language) {
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
        Ok(Version {
            plugin,
            language: source.language,
            size: source.bytes().len(),
            digest: source.digest().into(),
            generation,
            limits,
            variables: manifest.variables(&secrets),
            secrets,
            // A file of the folder is the operator's own: what it declares is granted. That of an upload says what was.
            http: manifest.capabilities.http.clone().map(Arc::new),
        })
    }

    /// One swap for everything that came at once.
    fn publish(&self, next: u64) {
        let mut known: Vec<_> = self.known.iter().collect();
        known.sort_by_key(|(name, known)| (known.standing.manifest().order, *name));
        let entries: Vec<_> = known.iter().filter_map(|(_, known)| known.standing.entry().cloned()).collect();
        let statuses = known.iter().map(|(name, known)| known.status(name)).collect();
        let old = self.registry.snapshot();
        let same = old.generation != 0
            && old.entries.len() == entries.len()
            && old.entries.iter().zip(&entries).all(|(old, new)| Arc::ptr_eq(old, new));
        let generation = if same { old.generation } else { next };
        metrics::active(entries.iter().filter(|entry| entry.version.is_some()).count());
        let counters = known.iter().map(|(_, known)| Arc::clone(&known.statistics)).collect();
        self.registry.swap(Snapshot { generation, entries, statuses, counters });
    }
}

/// Why a version is not taken.
#[derive(Debug, thiserror::Error)]
enum LoadFailure {
    /// Its source.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// Compiling it.
    #[error("{}", .0.text)]
    Rejected(Rejected),
    /// Its settings are for plugins of another kind than it is.
    #[error("{0}")]
    Settings(ManifestError, Kind),
}
