//! Scans the plugin folder for changes, by hashes of source, settings and secrets.

use super::{rollouts::RolloutPlan, stamp::Stamp, trust::GivenSignature};
use claimsmith_runtime::{FilesError, Kind, Language, Manifest, PluginFiles, ReadError, Secrets, Source, read_file};
use sha2::{Digest, Sha256};
use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

/// The maximum bytes of a file of golden cases that is shown: the same as for an upload.
const MAX_CASES_BYTES: usize = 1 << 20;

/// The plugin folder, with the result of the last scan.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    max_source: usize,
    seen: BTreeMap<String, PluginFingerprint>,
}

/// One plugin of the folder.
pub(super) struct FolderEntry {
    pub(super) name: String,
    /// `None` if it is unchanged since the last scan.
    pub(super) change: Option<FolderChange>,
}

/// The change of a plugin.
pub(super) enum FolderChange {
    /// It is disabled.
    Disabled(Manifest),
    /// It cannot be read.
    Broken(Broken),
    /// It can be loaded.
    Readable {
        manifest: Manifest,
        source: Source,
        secrets: Secrets,
        /// Of an uploaded version.
        number: Option<i64>,
        /// Of the source, not verified.
        signature: GivenSignature,
        /// A version of the store beside this one.
        rollout: Option<Box<RolloutPlan>>,
    },
}

/// The reason that a plugin cannot be read, with the manifest if that was readable.
pub(super) struct Broken {
    pub(super) manifest: Option<Box<Manifest>>,
    /// Its most likely kind.
    pub(super) kind: Option<Kind>,
    pub(super) error: String,
    /// The name is invalid, so it can never have been active.
    pub(super) misnamed: bool,
}

/// The fingerprint of a plugin's files. It is kept in memory only, since a hash of a weak secret would reveal it.
#[derive(Debug)]
struct PluginFingerprint {
    fingerprint: [u8; 32],
    settled: Option<SettledDigest>,
}

/// The hash of a source that cannot have changed while it has this stamp.
#[derive(Clone, Debug)]
struct SettledDigest {
    stamp: Stamp,
    digest: String,
}

/// The scan of one plugin.
struct PluginScan<'a> {
    before: Option<&'a PluginFingerprint>,
    print: Fingerprint,
    settled: Option<SettledDigest>,
}

impl Folder {
    pub(super) fn new(path: PathBuf, max_source: usize) -> Self {
        Self { path, max_source, seen: BTreeMap::new() }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The same folder without the results of scans.
    pub(super) fn emptied(&self) -> Self {
        Self::new(self.path.clone(), self.max_source)
    }

    /// All plugins of the folder. A missing folder counts as empty.
    pub(super) fn scan(&mut self) -> io::Result<Vec<FolderEntry>> {
        let plugins = match PluginFiles::scan(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            result => result?,
        };
        self.seen.retain(|name, _| plugins.iter().any(|files| files.name() == name));
        Ok(plugins.iter().map(|files| self.look_at(files)).collect())
    }

    /// Makes the next scan report the plugin as changed.
    pub(super) fn forget(&mut self, name: &str) {
        self.seen.remove(name);
    }

    fn look_at(&mut self, files: &PluginFiles) -> FolderEntry {
        let name = files.name().to_owned();
        let before = self.seen.remove(&name);
        let mut look = PluginScan { before: before.as_ref(), print: Fingerprint::default(), settled: None };
        let change = self.read(files, &mut look).unwrap_or_else(|broken| {
            look.print.add(broken.error.as_bytes());
            Some(FolderChange::Broken(broken))
        });
        let seen = PluginFingerprint { fingerprint: look.print.finish(), settled: look.settled };
        let mut change = change.filter(|_| before.is_none_or(|before| before.fingerprint != seen.fingerprint));
        if let Some(FolderChange::Broken(broken)) = &mut change {
            broken.kind = self.likely_kind(files, broken.manifest.as_deref());
        }
        self.seen.insert(name.clone(), seen);
        FolderEntry { name, change }
    }

    /// `None` if the source was not even read, since nothing can have changed.
    fn read(&self, files: &PluginFiles, look: &mut PluginScan<'_>) -> Result<Option<FolderChange>, Broken> {
        let found = files.source();
        if let Err(error @ (FilesError::BadName(_) | FilesError::ReservedName(_) | FilesError::BadEnding(_))) = &found {
            return Err(Broken { manifest: None, kind: None, error: error.to_string(), misnamed: true });
        }
        let manifest = read_manifest(files, look)?;
        if !manifest.enabled {
            return Ok(Some(FolderChange::Disabled(manifest)));
        }
        let broken =
            |error: String| Broken { manifest: Some(Box::new(manifest.clone())), kind: None, error, misnamed: false };
        let (path, language) = found.map_err(|error| broken(error.to_string()))?;
        let secrets = manifest.resolve_secrets(&self.path);
        let secrets = secrets.map_err(|error| broken(format!("{}: {error}", files.manifest_name())))?;
        for (name, value) in secrets.pairs() {
            look.print.add(name.as_bytes());
            look.print.add(value.as_bytes());
        }
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        look.print.add(file.as_bytes());
        let signature = GivenSignature::beside(path);
        match &signature {
            GivenSignature::Missing => {}
            GivenSignature::Text(text) => look.print.add(text),
            GivenSignature::Unreadable(problem) => look.print.add(problem.as_bytes()),
        }
        let read = self.read_source(files.name(), (path, language), look);
        let source = read.map_err(|error| broken(format!("{file} {error}")))?;
        let (number, rollout) = (None, None);
        Ok(source.map(|source| FolderChange::Readable { manifest, source, secrets, number, signature, rollout }))
    }

    fn likely_kind(&self, files: &PluginFiles, manifest: Option<&Manifest>) -> Option<Kind> {
        manifest.and_then(Manifest::likely_kind).or_else(|| {
            let (path, _) = files.source().ok()?;
            Kind::likely(&read_file(path, self.max_source).ok()?)
        })
    }

    fn read_source(
        &self,
        name: &str,
        (path, language): (&Path, Language),
        look: &mut PluginScan<'_>,
    ) -> Result<Option<Source>, ReadError> {
        let stamp = Some(Stamp::of(&fs::metadata(path)?)).filter(Stamp::is_settled);
        if let Some(before) = look.before
            && let Some(settled) = before.settled.as_ref().filter(|settled| Some(settled.stamp) == stamp)
        {
            let mut print = look.print.clone();
            print.add(settled.digest.as_bytes());
            if print.clone().finish() == before.fingerprint {
                look.print = print;
                look.settled = Some(settled.clone());
                return Ok(None);
            }
        }
        let source = Source::new(name, language, read_file(path, self.max_source)?);
        look.print.add(source.digest().as_bytes());
        look.settled = stamp.map(|stamp| SettledDigest { stamp, digest: source.digest().to_owned() });
        Ok(Some(source))
    }
}

/// One plugin by its current files, active or not; `None` if there is no such file. Its secrets are only read if
/// requested.
pub(super) fn read_one(
    folder: &Path,
    max_source: usize,
    name: &str,
    with_secrets: bool,
) -> Result<Option<(Source, Manifest, Secrets)>, String> {
    let plugins = match PluginFiles::scan(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        result => result.map_err(|error| error.to_string())?,
    };
    let Some(files) = plugins.into_iter().find(|files| files.name() == name) else { return Ok(None) };
    let manifest = files.manifest().map_err(|error| error.to_string())?;
    let (path, language) = files.source().map_err(|error| error.to_string())?;
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let bytes = read_file(path, max_source).map_err(|error| format!("{file} {error}"))?;
    let secrets = if with_secrets { manifest.resolve_secrets(folder) } else { Ok(Secrets::default()) };
    let secrets = secrets.map_err(|error| format!("{}: {error}", files.manifest_name()))?;
    Ok(Some((Source::new(name, language, bytes), manifest, secrets)))
}

/// The files of one plugin as they are now.
#[derive(Debug)]
pub struct FolderFiles {
    /// The source.
    pub source: Source,
    /// Its file's name.
    pub source_file: String,
    /// The text of the settings, valid or not; `None` if there is no such file.
    pub settings: Option<String>,
    /// Their file's name.
    pub settings_file: String,
    /// The text of the golden cases; `None` if there is no such file.
    pub cases: Option<String>,
    /// Their file's name.
    pub cases_file: String,
}

/// The files of one plugin; `None` if there is no such file.
pub(super) fn read_files(folder: &Path, max_source: usize, name: &str) -> Result<Option<FolderFiles>, String> {
    let plugins = match PluginFiles::scan(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        result => result.map_err(|error| error.to_string())?,
    };
    let Some(files) = plugins.into_iter().find(|files| files.name() == name) else { return Ok(None) };
    let (path, language) = files.source().map_err(|error| error.to_string())?;
    let file_name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let source_file = file_name(path);
    let bytes = read_file(path, max_source).map_err(|error| format!("{source_file} {error}"))?;
    let cases_file = file_name(&files.cases_path());
    let cases = match read_file(&files.cases_path(), MAX_CASES_BYTES) {
        Ok(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
        Err(ReadError::Io(error)) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(format!("{cases_file} {error}")),
    };
    Ok(Some(FolderFiles {
        source: Source::new(name, language, bytes),
        source_file,
        settings: files.manifest_text().map_err(|error| error.to_string())?,
        settings_file: files.manifest_name(),
        cases,
        cases_file,
    }))
}

fn read_manifest(files: &PluginFiles, look: &mut PluginScan<'_>) -> Result<Manifest, Broken> {
    let text = files.manifest_text();
    if let Ok(Some(text)) = &text {
        look.print.add(text.as_bytes());
    }
    let manifest = text.and_then(|text| match text {
        Some(text) => Manifest::parse(&files.manifest_name(), &text),
        None => Ok(Manifest::default()),
    });
    manifest.map_err(|error| Broken { manifest: None, kind: None, error: error.to_string(), misnamed: false })
}

/// SHA-256 of parts, each with its length, so that different lists of parts never have the same input.
#[derive(Clone, Default)]
struct Fingerprint(Sha256);

impl Fingerprint {
    fn add(&mut self, part: &[u8]) {
        self.0.update(part.len().to_le_bytes());
        self.0.update(part);
    }

    fn finish(self) -> [u8; 32] {
        self.0.finalize().into()
    }
}
