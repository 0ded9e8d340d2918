//! Which files of a folder make up a plugin: `NAME.{js,mjs,ts,mts,wasm}`, with `NAME.toml` and `NAME.cases.json`
//! beside it. Hidden files, `*.d.ts` and files with another extension are ignored.

mod signature;

pub use signature::{FoundSignature, MAX_SIGNATURE_BYTES, SIGNATURE_ENDINGS, read_signature};

use crate::{Language, Manifest, ManifestError};
use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
};

/// The largest manifest that is read, in bytes.
const MAX_MANIFEST_BYTES: usize = 256 << 10;

/// The longest name, in bytes.
const MAX_NAME_BYTES: usize = 128;

/// A well-formed name that no plugin may have, since `/api/plugins/test` is the route for testing drafts.
const RESERVED_NAME: &str = "test";

/// The files of one plugin, found by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PluginFiles {
    folder: PathBuf,
    name: String,
    sources: Vec<PathBuf>,
}

/// Why files do not make up a plugin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FilesError {
    /// The name is not a valid plugin name.
    #[error(
        "`{0}` is not a valid plugin name: use at most 128 lowercase letters, digits, `-` and `_`, beginning with a letter or digit"
    )]
    BadName(String),
    /// The Management API has another use for the name.
    #[error("`{0}` cannot be the name of a plugin: /api/plugins/{0} is the route for testing drafts")]
    ReservedName(String),
    /// Two or more sources claim one name.
    #[error("several files are called {name}: {files}; remove all but one")]
    Ambiguous {
        /// The name.
        name: String,
        /// The files' names, separated by commas.
        files: String,
    },
    /// The file extension is not one of a plugin.
    #[error("{0} is not a plugin: the file name must end in .js, .mjs, .ts, .mts or .wasm")]
    BadEnding(String),
}

/// Why a file was not read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// A folder, a pipe or a device.
    #[error("is not a regular file")]
    NotAFile,
    /// Larger than what was asked for.
    #[error("has {size} bytes; at most {limit} are accepted")]
    TooLarge {
        /// Its size in bytes.
        size: u64,
        /// The most that is accepted, in bytes.
        limit: usize,
    },
    /// The system's answer.
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
}

impl PluginFiles {
    /// All plugins of a folder, by name. The folder's links are followed; its subfolders are not looked into.
    pub fn scan(folder: &Path) -> io::Result<Vec<Self>> {
        let mut found: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let file_name = entry.file_name().to_string_lossy().into_owned();
            if let Some(name) = plugin_part(&file_name) {
                // A dangling link still counts: its plugin is broken, not gone.
                if !fs::metadata(entry.path()).is_ok_and(|meta| meta.is_dir()) {
                    found.entry(name.to_owned()).or_default().push(entry.path());
                }
            }
        }
        let plugins = found.into_iter().map(|(name, mut sources)| {
            sources.sort();
            Self { folder: folder.to_owned(), name, sources }
        });
        Ok(plugins.collect())
    }

    /// The plugin whose source is this file.
    pub fn at(source: &Path) -> Result<Self, FilesError> {
        let file_name = source.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some(name) = plugin_part(&file_name) else { return Err(FilesError::BadEnding(file_name)) };
        let folder = source.parent().unwrap_or(Path::new("")).to_owned();
        Ok(Self { folder, name: name.to_owned(), sources: vec![source.to_owned()] })
    }

    /// Its name: the file's without its ending.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where its files are.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The one source and its language.
    pub fn source(&self) -> Result<(&Path, Language), FilesError> {
        check_plugin_name(&self.name)?;
        let names = || self.sources.iter().filter_map(|path| path.file_name()).map(|name| name.to_string_lossy());
        let [path] = self.sources.as_slice() else {
            let files = names().collect::<Vec<_>>().join(", ");
            return Err(FilesError::Ambiguous { name: self.name.clone(), files });
        };
        let language = path.extension().and_then(|ending| Language::from_extension(&ending.to_string_lossy()));
        let language = language.ok_or_else(|| FilesError::BadEnding(names().collect()))?;
        Ok((path, language))
    }

    /// The text of the manifest; none when there is no such file.
    pub fn manifest_text(&self) -> Result<Option<String>, ManifestError> {
        let unreadable = |message| ManifestError::unreadable(&self.manifest_name(), message);
        match read_file(&self.folder.join(self.manifest_name()), MAX_MANIFEST_BYTES) {
            Ok(bytes) => String::from_utf8(bytes).map(Some).map_err(|_| unreadable("the file is not UTF-8".to_owned())),
            Err(ReadError::Io(error)) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(unreadable(format!("the file {error}"))),
        }
    }

    /// The manifest, or the default one when there is no such file.
    pub fn manifest(&self) -> Result<Manifest, ManifestError> {
        match self.manifest_text()? {
            Some(text) => Manifest::parse(&self.manifest_name(), &text),
            None => Ok(Manifest::default()),
        }
    }

    /// `NAME.toml`.
    #[must_use]
    pub fn manifest_name(&self) -> String {
        format!("{}.toml", self.name)
    }

    /// Where golden cases would be.
    #[must_use]
    pub fn cases_path(&self) -> PathBuf {
        self.folder.join(format!("{}.cases.json", self.name))
    }
}

/// Whether a plugin may have this name: `[a-z0-9][a-z0-9_-]*`, at most 128 characters, but for `test`.
pub fn check_plugin_name(name: &str) -> Result<(), FilesError> {
    let inner = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    let fits = name.len() <= MAX_NAME_BYTES;
    if !(fits && name.bytes().next().is_some_and(inner) && name.bytes().all(|b| inner(b) || b == b'-' || b == b'_')) {
        return Err(FilesError::BadName(name.to_owned()));
    }
    if name == RESERVED_NAME {
        return Err(FilesError::ReservedName(name.to_owned()));
    }
    Ok(())
}

/// What stands before the ending of a plugin's source; none for every other file.
fn plugin_part(file_name: &str) -> Option<&str> {
    let (name, ending) = file_name.rsplit_once('.')?;
    // `.d.ts` describes types to an editor and holds no code.
    let declaration = name.rsplit_once('.').is_some_and(|(_, part)| part == "d") && matches!(ending, "ts" | "mts");
    let ours = !name.is_empty() && !name.starts_with('.') && !declaration && Language::from_extension(ending).is_some();
    ours.then_some(name)
}

/// Reads a regular file of at most `limit` bytes. Never waits for a pipe.
pub fn read_file(path: &Path, limit: usize) -> Result<Vec<u8>, ReadError> {
    let meta = fs::metadata(path)?;
    if !meta.is_file() {
        return Err(ReadError::NotAFile);
    }
    let most = u64::try_from(limit).unwrap_or(u64::MAX);
    if meta.len() > most {
        return Err(ReadError::TooLarge { size: meta.len(), limit });
    }
    // Of the right size from the beginning: a vector that grows is copied.
    let mut bytes = Vec::with_capacity(usize::try_from(meta.len()).unwrap_or_default().saturating_add(1));
    File::open(path)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() > limit {
        // It grew while it was read.
        return Err(ReadError::TooLarge { size: most.saturating_add(1), limit });
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests;
