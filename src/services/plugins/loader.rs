//! Follows the folder and the store: finds changed plugins, compiles them if necessary, and publishes the next
//! snapshot. Plugins that need no compilation never wait for those that do.
//!
//! A plugin name belongs to one of the two. The store has precedence: an upload was checked against the folder, while a
//! file may appear at any time.

use super::{
    admission::{Admission, Candidate},
    compilations::Compilations,
    compile::{Compiler, SourceRejection},
    folder::{Folder, FolderChange, FolderEntry},
    metrics,
    options::PluginsOptions,
    plugin_state::PluginState,
    publication::publish,
    registry::Registry,
    rollouts::{NOT_LOADED, Tally},
    starting::{Compiled, Starting},
};
use claimsmith_domain::documents::plugin::Origin;
use claimsmith_runtime::{Host, Source};
use std::{
    collections::BTreeMap,
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio::sync::Notify;

/// The names of plugins of the store that failed for a temporary reason, after they were delivered.
pub(super) type Retries = Arc<Mutex<Vec<String>>>;

/// Follows folder and store. There is one per server, and no request for a token waits for it.
pub(super) struct Loader {
    admission: Admission,
    registry: Arc<Registry>,
    folder: Folder,
    pending: Compilations,
    starting: Starting,
    store_retries: Retries,
    known: BTreeMap<String, PluginState>,
    /// The last error of the folder itself, so that it is logged once.
    folder_error: Option<String>,
}

impl Loader {
    pub(super) fn new(
        (host, compiler): (Host, Compiler),
        (registry, tally): (Arc<Registry>, Arc<Tally>),
        options: &PluginsOptions,
    ) -> Self {
        Self {
            admission: Admission::new(host, options, tally),
            registry,
            folder: Folder::new(options.folder.clone(), options.max_source),
            pending: Compilations::new(compiler),
            starting: Starting::default(),
            store_retries: Arc::default(),
            known: BTreeMap::new(),
            folder_error: None,
        }
    }

    /// Notified when a compilation of this origin has finished.
    pub(super) fn compiled(&self, origin: Origin) -> Arc<Notify> {
        Arc::clone(self.pending.done(origin))
    }

    /// Those to be delivered again.
    pub(super) fn store_retries(&self) -> Retries {
        Arc::clone(&self.store_retries)
    }

    /// Takes in all plugins of the folder, after those of the store: from now on it is known which tokens wait. Loads those
    /// that are compiled already, and begins to compile the others ([`Self::next_started`]). If a mandatory one fails now,
    /// the tokens that it applies to are refused until it loads. Returns whether the folder could be read.
    pub(super) async fn first_scan(&mut self) -> bool {
        let Some(findings) = self.findings().await else { return false };
        if findings.is_empty() {
            let folder = self.folder.path().display();
            tracing::warn!(%folder, "no plugins: the folder is empty or does not exist");
        }
        for name in self.apply(Origin::Folder, findings, true).await {
            self.folder.forget(&name);
        }
        self.publish_started();
        let mut uncompiled = Vec::new();
        for (name, origin, source, signature) in self.starting.sources() {
            if self.needs_compilation(&source).await && !self.admission.distrusts(origin, &source, &signature) {
                uncompiled.push((!self.is_mandatory(&name), name, source));
            } else {
                self.settle(Compiled { name, outcome: Ok(()) }).await;
            }
        }
        // First those that others wait for.
        uncompiled.sort_by_key(|(is_optional, ..)| *is_optional);
        for (is_optional, name, source) in uncompiled {
            self.starting.compile(name, self.pending.compile(&source, !is_optional));
        }
        true
    }

    /// The next plugin of the start whose compilation ends; `None` if there is none. May be cancelled.
    pub(super) async fn next_started(&mut self) -> Option<Compiled> {
        self.starting.next().await
    }

    /// Loads a plugin of the start, whose compilation has ended so.
    pub(super) async fn settle(&mut self, Compiled { name, outcome }: Compiled) {
        let Some((origin, change)) = self.starting.take(&name) else { return };
        // The store may have taken the name over, or given it back.
        if self.known.get(&name).is_none_or(|known| known.origin != origin) {
            return;
        }
        let again = name.clone();
        let generation = self.started_generation();
        if self.admit(name, (origin, change), outcome, (generation, true)).await {
            match origin {
                Origin::Folder => self.folder.forget(&again),
                Origin::Store => self.retries().push(again),
            }
        }
        self.publish_started();
    }

    /// After a panic: everything is to be looked at again.
    pub(super) fn forget_started(&mut self) {
        self.forget_scans();
        let of_store = self.known.iter().filter(|(_, known)| known.origin == Origin::Store);
        let names: Vec<String> = of_store.map(|(name, _)| name.clone()).collect();
        self.retries().extend(names);
    }

    /// All plugins of the start have one generation.
    fn started_generation(&self) -> u64 {
        self.registry.snapshot().generation.max(1)
    }

    fn publish_started(&self) {
        publish(&self.registry, &self.known, self.started_generation());
    }

    fn is_mandatory(&self, name: &str) -> bool {
        let entry = self.known.get(name).and_then(|known| known.standing.entry());
        entry.is_some_and(|entry| entry.is_mandatory())
    }

    fn retries(&self) -> MutexGuard<'_, Vec<String>> {
        self.store_retries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Loads the plugins of the store in one swap. Returns the names of those that failed for a temporary reason: they
    /// are to be tried again.
    /// A plugin of the folder whose name an upload had is back when the upload is gone: until its file is loaded, the
    /// upload's last version serves, so that no token is issued without either.
    pub(super) async fn apply_store(&mut self, findings: Vec<FolderEntry>, first: bool) -> Vec<String> {
        let mut gives_back = false;
        for (name, known) in self.known.iter_mut().filter(|(_, known)| known.origin == Origin::Store && known.shadows) {
            if !findings.iter().any(|finding| finding.name == *name) {
                tracing::info!(
                    plugin = name,
                    "the uploaded plugin is gone; the plugin of the same name in the folder is loaded again"
                );
                known.origin = Origin::Folder;
                known.shadows = false;
                self.folder.forget(name);
                gives_back = true;
            }
        }
        let again = self.apply(Origin::Store, findings, first).await;
        if gives_back {
            self.rescan().await;
        }
        again
    }

    /// Loads what has changed in the folder since the last scan.
    pub(super) async fn rescan(&mut self) {
        // If the folder cannot be read, its plugins stay active.
        let Some(findings) = self.findings().await else { return };
        for name in self.apply(Origin::Folder, findings, false).await {
            self.folder.forget(&name);
        }
    }

    /// What is in the folder; `None` if it cannot be read.
    async fn findings(&mut self) -> Option<Vec<FolderEntry>> {
        match self.scan().await {
            Ok(findings) => {
                self.folder_error = None;
                Some(findings)
            }
            Err(error) => {
                let error = Some(error.to_string());
                if error != self.folder_error {
                    tracing::error!(folder = %self.folder.path().display(), error, "the plugin folder cannot be read");
                    self.folder_error = error;
                }
                None
            }
        }
    }

    /// Makes the next scan report every plugin as changed, after a scan whose findings were not fully applied.
    pub(super) fn forget_scans(&mut self) {
        self.folder = self.folder.emptied();
    }

    async fn scan(&mut self) -> io::Result<Vec<FolderEntry>> {
        let empty = self.folder.emptied();
        let mut folder = std::mem::replace(&mut self.folder, empty);
        let scanned = tokio::task::spawn_blocking(move || (folder.scan(), folder)).await;
        let (findings, folder) = scanned.map_err(io::Error::other)?;
        self.folder = folder;
        findings
    }

    /// `first`: at the start, what can be loaded is only noted, and published by the caller.
    async fn apply(&mut self, origin: Origin, findings: Vec<FolderEntry>, first: bool) -> Vec<String> {
        let before = self.known.len();
        self.pending.retain(origin, |name| findings.iter().any(|finding| finding.name == name));
        self.known.retain(|name, known| {
            let stays = known.origin != origin || findings.iter().any(|finding| finding.name == *name);
            if !stays {
                tracing::info!(plugin = name, "plugin removed");
                metrics::reload("removed");
                self.starting.forget(name);
            }
            stays
        });
        let mut changed = self.known.len() != before;
        let mut again = Vec::new();
        let generation = self.registry.snapshot().generation + 1;
        for FolderEntry { name, change } in findings {
            if origin == Origin::Folder && self.belongs_to_store(&name) {
                // Checked again at every scan, since the store may give the name back.
                again.push(name);
            } else if let Some(change) = change {
                if first && let FolderChange::Readable { manifest, source, .. } = &change {
                    self.known.insert(name.clone(), PluginState::loading(&name, origin, manifest, source));
                    self.starting.add(name, origin, change);
                    continue;
                }
                let Some(compiled) = self.compiled_for(origin, &name, &change).await else {
                    // The active version stays active.
                    again.push(name);
                    continue;
                };
                self.starting.forget(&name);
                if self.admit(name.clone(), (origin, change), compiled, (generation, first)).await {
                    again.push(name);
                }
                changed = true;
            }
        }
        if changed && !first {
            publish(&self.registry, &self.known, generation);
        }
        again
    }

    /// Decides on a change. Returns whether it is to be tried again.
    async fn admit(
        &mut self,
        name: String,
        (origin, change): (Origin, FolderChange),
        compiled: Result<(), SourceRejection>,
        (generation, first): (u64, bool),
    ) -> bool {
        // It stays in the table until the decision: a panic must not remove the active version.
        let before = self.known.get(&name).cloned();
        let (change, waits) = self.with_candidate(&name, (origin, change), compiled.is_ok()).await;
        // While the version of a rollout is compiled, the active one is not loaded again and again, with nothing of what it
        // keeps.
        if waits && before.as_ref().is_some_and(|known| known.serves(origin, &change)) {
            return true;
        }
        let shadows = origin == Origin::Store
            && before.as_ref().is_some_and(|known| known.shadows || known.origin == Origin::Folder);
        let candidate = Candidate { name: &name, origin, change, compiled, before, generation, first };
        let mut decided = self.admission.decide(candidate).await;
        decided.state.shadows = shadows;
        self.known.insert(name, decided.state);
        decided.retry || waits
    }

    /// The change without a rollout whose version cannot be loaded yet, since it must be compiled; and whether that is
    /// still in progress. The active version does not wait for it.
    async fn with_candidate(
        &mut self,
        name: &str,
        (origin, mut change): (Origin, FolderChange),
        active_loads: bool,
    ) -> (FolderChange, bool) {
        let FolderChange::Readable { rollout, .. } = &mut change else { return (change, false) };
        let Some(plan) = rollout.as_ref().filter(|_| active_loads) else {
            *rollout = None;
            return (change, false);
        };
        let (source, is_distrusted) =
            (plan.source.clone(), self.admission.distrusts(origin, &plan.source, &plan.signature));
        let id: Arc<str> = plan.id.as_str().into();
        if is_distrusted || self.is_loaded(name, &source) || !self.needs_compilation(&source).await {
            return (change, false);
        }
        let waits = match self.pending.outcome(origin, &source) {
            Some(Ok(())) => return (change, false),
            Some(Err(rejected)) => {
                tracing::error!(
                    plugin = source.name,
                    error = rejected.text,
                    "the version of a rollout is not compiled"
                );
                if !rejected.again {
                    self.admission.tally.count(&id, NOT_LOADED);
                }
                rejected.again
            }
            None => true,
        };
        *rollout = None;
        (change, waits)
    }

    /// Whether a version with this source is loaded, active or in a rollout.
    fn is_loaded(&self, name: &str, source: &Source) -> bool {
        let known = self.known.get(name);
        let mut versions = known.into_iter().flat_map(|known| known.standing.versions());
        versions.any(|old| *old.digest == *source.digest() && old.language == source.language)
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

    /// Whether a change can be applied now, with the result of its compilation; `None` while that is in progress.
    async fn compiled_for(
        &mut self,
        origin: Origin,
        name: &str,
        change: &FolderChange,
    ) -> Option<Result<(), SourceRejection>> {
        let FolderChange::Readable { source, signature, .. } = change else { return Some(Ok(())) };
        if self.is_loaded(name, source)
            || !self.needs_compilation(source).await
            || self.admission.distrusts(origin, source, signature)
        {
            return Some(Ok(()));
        }
        self.pending.outcome(origin, source)
    }

    async fn needs_compilation(&self, source: &Source) -> bool {
        self.admission.host.has_cache() && !self.admission.host.is_cached(source).await
    }
}
