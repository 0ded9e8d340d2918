//! The plugins of a folder that is applied: those in it, and those of the folders in it, each with its settings, golden
//! cases and signature.

use crate::desk::built_files;
use crate::registry::digest_of;
use crate::remote::Usage;
use crate::remote::deploy::{Language, UploadedFile, signature_of, stem_and_language};
use anyhow::Context as _;
use claimsmith_runtime::{Manifest, PluginFiles};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The file that says how a plugin is built.
const BUILD_FILE: &str = "build.toml";
/// Folders that tools write to, beside all hidden ones.
const TOOL_FOLDERS: [&str; 5] = ["target", "node_modules", "dist", "build", "tests"];

/// A plugin of the folder.
pub(super) struct LocalPlugin {
    pub(super) name: String,
    pub(super) language: Language,
    pub(super) source: UploadedFile,
    /// `sha256:…` of the source.
    pub(super) digest: String,
    /// Without its secrets, whose values a server has of its own.
    pub(super) settings: Manifest,
    /// The text that is uploaded for them.
    pub(super) settings_text: String,
    /// The names of the secrets that it needs.
    pub(super) secrets: BTreeSet<String>,
    pub(super) cases: Option<UploadedFile>,
    pub(super) signature: Option<UploadedFile>,
}

/// All plugins of a folder, by name. Two of one name are an error, and so is none.
pub(super) fn read(folder: &Path) -> anyhow::Result<BTreeMap<String, LocalPlugin>> {
    let mut paths: BTreeMap<String, PathBuf> = BTreeMap::new();
    for folder in folders(folder)? {
        for files in plugins_in(&folder)? {
            let path = files.source()?.0.to_owned();
            if let Some(other) = paths.insert(files.name().to_owned(), path.clone()) {
                let (name, other, path) = (files.name(), other.display(), path.display());
                let text = format!("two plugins are called {name}: {other} and {path}; nothing was changed");
                return Err(Usage::new(text).into());
            }
        }
    }
    if paths.is_empty() {
        return Err(Usage::new(format!("{} contains no plugin; nothing was changed", folder.display())).into());
    }
    paths.into_iter().map(|(name, path)| Ok((name.clone(), LocalPlugin::read(name, &path)?))).collect()
}

/// The folder, and those in it that may be plugins.
fn folders(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let unreadable = || format!("{} cannot be listed", folder.display());
    let mut found = vec![folder.to_owned()];
    for entry in std::fs::read_dir(folder).with_context(unreadable)? {
        let entry = entry.with_context(unreadable)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !name.starts_with('.') && !TOOL_FOLDERS.contains(&name.as_str()) && entry.path().is_dir() {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}

fn plugins_in(folder: &Path) -> anyhow::Result<Vec<PluginFiles>> {
    if folder.join(BUILD_FILE).is_file() {
        return Ok(vec![built_files(folder)?]);
    }
    PluginFiles::scan(folder).with_context(|| format!("{} cannot be listed", folder.display()))
}

impl LocalPlugin {
    fn read(name: String, path: &Path) -> anyhow::Result<Self> {
        let (_, language) = stem_and_language(path)?;
        let files = PluginFiles::at(path)?;
        let text = files.manifest_text()?.unwrap_or_default();
        let mut settings = Manifest::parse(&files.manifest_name(), &text)?;
        let mut secrets: BTreeSet<String> = std::mem::take(&mut settings.secrets).into_keys().collect();
        // An upload may not say where its secrets are.
        let settings_text = if secrets.is_empty() { text } else { settings.to_toml()? };
        secrets.extend(settings.header_secrets().into_iter().map(str::to_owned));
        let source = UploadedFile::read(path)?;
        let cases = Some(files.cases_path()).filter(|path| path.is_file());
        Ok(Self {
            name,
            language,
            digest: digest_of(&source.bytes),
            source,
            settings,
            settings_text,
            secrets,
            cases: cases.map(|path| UploadedFile::read(&path)).transpose()?,
            signature: signature_of(path).map(|path| UploadedFile::read(&path)).transpose()?,
        })
    }

    /// The signature of its source, as a server shows it.
    pub(super) fn signature_text(&self) -> Option<String> {
        self.signature.as_ref().map(|signature| String::from_utf8_lossy(&signature.bytes).into_owned())
    }

    /// Its golden cases, as a server shows them.
    pub(super) fn cases_text(&self) -> Option<String> {
        self.cases.as_ref().map(|cases| String::from_utf8_lossy(&cases.bytes).into_owned())
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::{BTreeSet, read};
    use std::fs;

    #[test]
    fn plugins_are_in_the_folder_and_in_folders_of_their_own() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        assert!(read(folder.path()).err().unwrap().to_string().contains("no plugin"));
        write("plans.js", "1");
        write("plans.cases.json", "[]");
        write("roles/roles.ts", "2");
        write("roles/roles.toml", "order = 3\n[secrets]\nAPI_KEY = { env = \"KEY\" }\n");
        let headers =
            "[capabilities.http]\nhosts = [\"a.b\"]\n[capabilities.http.headers.\"a.b\"]\nx-key = \"{secret:KEY}\"\n";
        write("plans.toml", &format!("# Not {{secret:OTHER}}.\n{headers}"));
        write("roles/README.md", "");
        for ignored in ["node_modules/x/index.js", ".git/hook.js", "roles/deeper/more.js"] {
            write(ignored, "");
        }
        let found = read(folder.path()).unwrap();
        assert_eq!(found.keys().collect::<Vec<_>>(), ["plans", "roles"]);
        let (plans, roles) = (&found["plans"], &found["roles"]);
        assert_eq!((plans.cases_text().as_deref(), &plans.secrets), (Some("[]"), &BTreeSet::from(["KEY".to_owned()])));
        assert!(plans.settings_text.starts_with("# Not"), "as it is: {}", plans.settings_text);
        assert_eq!((roles.settings.order, &roles.secrets), (3, &BTreeSet::from(["API_KEY".to_owned()])));
        assert!(!roles.settings_text.contains("KEY"), "{}", roles.settings_text);
    }

    #[test]
    fn two_plugins_of_one_name_are_an_error() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("plans.js"), "1").unwrap();
        fs::write(folder.path().join("plans.ts"), "2").unwrap();
        let error = read(folder.path()).err().unwrap().to_string();
        assert!(error.contains("plans.js") && error.contains("plans.ts"), "{error}");
        fs::remove_file(folder.path().join("plans.ts")).unwrap();
        fs::create_dir(folder.path().join("more")).unwrap();
        fs::write(folder.path().join("more/plans.wasm"), "3").unwrap();
        let error = read(folder.path()).err().unwrap().to_string();
        assert!(error.contains("two plugins are called plans") && error.contains("nothing was changed"), "{error}");
    }
}
