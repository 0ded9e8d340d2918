//! Turns what changed in the folder into the next snapshot: compiles what is new, keeps what serves when that fails.

use super::{
    folder::{Broken, Change, Finding, Folder},
    metrics,
    options::{PluginsOptions, StartError},
    registry::{Entry, Registry, Snapshot, Version},
    status::{PluginStatus, State},
};
use claimsmith_runtime::{Host, Limits, LoadError, Manifest, OnError, Secrets, Source};
use std::{collections::BTreeMap, io, sync::Arc, time::Duration};

/// Follows the folder. There is one per server, and no request waits for it.
pub(super) struct Loader {
    host: Host,
    registry: Arc<Registry>,
    folder: Folder,
    limits: Limits,
    bounds: Limits,
    known: BTreeMap<String, Known>,
    /// The last error of the folder itself, so that it is logged once.
    folder_error: Option<String>,
}

/// What is known of one plugin.
struct Known {
    standing: Standing,
    error: Option<String>,
    /// It was there at the start and has neither loaded nor been disabled since.
    unproven: bool,
}

enum Standing {
    Active(Arc<Entry>),
    Disabled(Manifest),
    /// With the entry that refuses what the plugin applies to, if it does.
    Failed(Manifest, Option<Arc<Entry>>),
}

impl Loader {
    pub(super) fn new(host: Host, registry: Arc<Registry>, options: &PluginsOptions) -> Self {
        Self {
            host,
            registry,
            folder: Folder::new(options.folder.clone(), options.max_source),
            limits: options.limits,
            bounds: options.bounds(),
            known: BTreeMap::new(),
            folder_error: None,
        }
    }

    /// Loads everything. What fails now and is mandatory refuses tokens until it loads.
    pub(super) async fn first_scan(&mut self) -> Result<(), StartError> {
        let folder = self.folder.path().to_owned();
        let findings = self.scan().await.map_err(|source| StartError::Folder { folder: folder.clone(), source })?;
        if findings.is_empty() {
            tracing::warn!(folder = %folder.display(), "no plugins: the folder is empty or does not exist");
        }
        self.apply(findings, true).await;
        Ok(())
    }

    /// Takes over what changed since the last scan.
    pub(super) async fn rescan(&mut self) {
        match self.scan().await {
            Ok(findings) => {
                self.folder_error = None;
                self.apply(findings, false).await;
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

    async fn scan(&mut self) -> io::Result<Vec<Finding>> {
        let empty = self.folder.emptied();
        let mut folder = std::mem::replace(&mut self.folder, empty);
        let scanned = tokio::task::spawn_blocking(move || (folder.scan(), folder)).await;
        let (findings, folder) = scanned.map_err(io::Error::other)?;
        self.folder = folder;
        findings
    }

    async fn apply(&mut self, findings: Vec<Finding>, first: bool) {
        let before = self.known.len();
        self.known.retain(|name, _| {
            let stays = findings.iter().any(|finding| finding.name == *name);
            if !stays {
                tracing::info!(plugin = name, "plugin removed");
                metrics::reload("removed");
            }
            stays
        });
        let mut changed = first || self.known.len() != before;
        let generation = self.registry.snapshot().generation + 1;
        for Finding { name, change } in findings {
            if let Some(change) = change {
                let known = self.judge(&name, change, generation, first).await;
                self.known.insert(name, known);
                changed = true;
            }
        }
        if changed {
            self.publish(generation);
        }
    }

    async fn judge(&mut self, name: &str, change: Change, generation: u64, first: bool) -> Known {
        let unproven = first || self.known.get(name).is_some_and(|known| known.unproven);
        match change {
            Change::Disabled(manifest) => {
                tracing::info!(plugin = name, "plugin is disabled");
                metrics::reload("disabled");
                Known { standing: Standing::Disabled(manifest), error: None, unproven: false }
            }
            Change::Broken(Broken { manifest, error, misnamed }) => {
                self.refuse(name, *manifest.unwrap_or_default(), error, unproven && !misnamed)
            }
            Change::Readable { manifest, source, digest, secrets } => {
                match self.load(name, &manifest, &source, digest, secrets, generation).await {
                    Ok(version) => {
                        tracing::info!(plugin = name, digest = %version.digest, generation, "plugin serves");
                        metrics::reload("accepted");
                        let entry = Entry { name: name.into(), manifest, version: Some(version) };
                        Known { standing: Standing::Active(Arc::new(entry)), error: None, unproven: false }
                    }
                    Err(error) => {
                        if let LoadError::Internal(_) = error {
                            // The same source may load when the host has recovered.
                            self.folder.forget(name);
                        }
                        self.refuse(name, manifest, error.to_string(), unproven)
                    }
                }
            }
        }
    }

    async fn load(
        &self,
        name: &str,
        manifest: &Manifest,
        source: &Source,
        digest: String,
        secrets: Secrets,
        generation: u64,
    ) -> Result<Version, LoadError> {
        let limits = manifest.limits.over(&self.limits, &self.bounds);
        let unbounded = Limits { deadline: Duration::MAX, memory: usize::MAX, output: usize::MAX, ..self.bounds };
        if limits != manifest.limits.over(&self.limits, &unbounded) {
            tracing::warn!(plugin = name, "the manifest asks for more than the server allows; it gets what is allowed");
        }
        let serving = self.known.get(name).and_then(|known| known.standing.version());
        let plugin = match serving.filter(|old| *old.digest == digest && old.language == source.language) {
            // Only settings changed.
            Some(old) => Arc::clone(&old.plugin),
            None => self.host.load(source).await?,
        };
        Ok(Version {
            plugin,
            language: source.language,
            digest: digest.into(),
            generation,
            limits,
            variables: manifest.variables(&secrets),
            secrets,
            // The manifest is the operator's own file: what it declares is granted.
            http: manifest.capabilities.http.clone().map(Arc::new),
        })
    }

    /// The newest version is not taken: what served goes on serving.
    fn refuse(&mut self, name: &str, manifest: Manifest, error: String, unproven: bool) -> Known {
        metrics::reload("refused");
        let before = self.known.remove(name);
        if before.as_ref().is_none_or(|known| known.error.as_deref() != Some(&error)) {
            tracing::warn!(plugin = name, error, "plugin refused");
        }
        if let Some(Known { standing: standing @ Standing::Active(_), .. }) = before {
            return Known { standing, error: Some(error), unproven };
        }
        let refuses = unproven && manifest.on_error == OnError::Deny;
        let entry = refuses.then(|| {
            tracing::error!(plugin = name, "tokens that this plugin applies to are refused until it loads");
            Arc::new(Entry { name: name.into(), manifest: manifest.clone(), version: None })
        });
        Known { standing: Standing::Failed(manifest, entry), error: Some(error), unproven }
    }

    /// One swap for everything that one scan brought.
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
        self.registry.swap(Snapshot { generation, entries, statuses });
    }
}

impl Known {
    fn status(&self, name: &str) -> PluginStatus {
        let manifest = self.standing.manifest();
        let version = self.standing.version();
        let state = match &self.standing {
            Standing::Active(_) => State::Active,
            Standing::Disabled(_) => State::Disabled,
            Standing::Failed(..) => State::Failed,
        };
        PluginStatus {
            name: name.into(),
            kind: version.map(|version| version.plugin.kind()),
            source: "folder",
            digest: version.map(|version| Arc::clone(&version.digest)),
            generation: version.map(|version| version.generation),
            state,
            last_error: self.error.clone(),
            refuses_tokens: matches!(self.standing, Standing::Failed(_, Some(_))),
            order: manifest.order,
            on_error: manifest.on_error,
            token_kinds: manifest.token_kinds.clone(),
            imports: version.map(|version| version.plugin.imports().to_vec()).unwrap_or_default(),
            capabilities: manifest.capabilities.clone(),
        }
    }
}

impl Standing {
    fn manifest(&self) -> &Manifest {
        match self {
            Self::Active(entry) => &entry.manifest,
            Self::Disabled(manifest) | Self::Failed(manifest, _) => manifest,
        }
    }

    fn entry(&self) -> Option<&Arc<Entry>> {
        match self {
            Self::Active(entry) | Self::Failed(_, Some(entry)) => Some(entry),
            Self::Disabled(_) | Self::Failed(_, None) => None,
        }
    }

    fn version(&self) -> Option<&Version> {
        self.entry().and_then(|entry| entry.version.as_ref())
    }
}
