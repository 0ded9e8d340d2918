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
    options::{PluginsOptions, PluginsStartError},
    plugin_state::PluginState,
    publication::publish,
    registry::Registry,
};
use claimsmith_domain::documents::plugin::Origin;
use claimsmith_runtime::Host;
use std::{collections::BTreeMap, io, sync::Arc};
use tokio::sync::Notify;

/// Follows folder and store. There is one per server, and no request for a token waits for it.
pub(super) struct Loader {
    admission: Admission,
    registry: Arc<Registry>,
    folder: Folder,
    pending: Compilations,
    known: BTreeMap<String, PluginState>,
    /// The last error of the folder itself, so that it is logged once.
    folder_error: Option<String>,
}

impl Loader {
    pub(super) fn new((host, compiler): (Host, Compiler), registry: Arc<Registry>, options: &PluginsOptions) -> Self {
        Self {
            admission: Admission::new(host, options),
            registry,
            folder: Folder::new(options.folder.clone(), options.max_source),
            pending: Compilations::new(compiler),
            known: BTreeMap::new(),
            folder_error: None,
        }
    }

    /// Notified when a compilation of this origin has finished.
    pub(super) fn compiled(&self, origin: Origin) -> Arc<Notify> {
        Arc::clone(self.pending.done(origin))
    }

    /// Loads all plugins. If a mandatory one fails now, the tokens that it applies to are refused until it loads.
    pub(super) async fn first_scan(&mut self) -> Result<(), PluginsStartError> {
        let folder = self.folder.path().to_owned();
        let findings =
            self.scan().await.map_err(|source| PluginsStartError::Folder { folder: folder.clone(), source })?;
        if findings.is_empty() {
            tracing::warn!(folder = %folder.display(), "no plugins: the folder is empty or does not exist");
        }
        for name in self.apply(Origin::Folder, findings, true).await {
            self.folder.forget(&name);
        }
        Ok(())
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
        match self.scan().await {
            Ok(findings) => {
                self.folder_error = None;
                let again = self.apply(Origin::Folder, findings, false).await;
                for name in again {
                    self.folder.forget(&name);
                }
            }
            // If the folder cannot be read, its plugins stay active.
            Err(error) => {
                let error = Some(error.to_string());
                if error != self.folder_error {
                    tracing::error!(folder = %self.folder.path().display(), error, "the plugin folder cannot be read");
                    self.folder_error = error;
                }
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
                // Checked again at every scan, since the store may give the name back.
                again.push(name);
            } else if let Some(change) = change {
                let Some(compiled) = self.compiled_for(origin, &name, &change, first).await else {
                    // The active version stays active.
                    again.push(name);
                    continue;
                };
                // It stays in the table until the decision: a panic must not remove the active version.
                let before = self.known.get(&name).cloned();
                let shadows = origin == Origin::Store
                    && before.as_ref().is_some_and(|known| known.shadows || known.origin == Origin::Folder);
                let candidate = Candidate { name: &name, origin, change, compiled, before, generation, first };
                let mut decided = self.admission.decide(candidate).await;
                if decided.retry {
                    again.push(name.clone());
                }
                decided.state.shadows = shadows;
                self.known.insert(name, decided.state);
                changed |= !first;
            }
        }
        if changed {
            publish(&self.registry, &self.known, generation);
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

    /// Whether a change can be applied now, with the result of its compilation; `None` while that is in progress. At
    /// startup it waits for the compilation.
    async fn compiled_for(
        &mut self,
        origin: Origin,
        name: &str,
        change: &FolderChange,
        first: bool,
    ) -> Option<Result<(), SourceRejection>> {
        let FolderChange::Readable { source, .. } = change else { return Some(Ok(())) };
        let serving = self.known.get(name).and_then(|known| known.standing.version());
        let serves = serving.is_some_and(|old| *old.digest == *source.digest() && old.language == source.language);
        if serves || !self.admission.host.has_cache() || self.admission.host.is_cached(source).await {
            return Some(Ok(()));
        }
        if first {
            return Some(self.pending.compile(source).await);
        }
        self.pending.outcome(origin, source)
    }
}
