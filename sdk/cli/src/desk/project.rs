//! The project folder of one plugin: its name, and how it is built (`build.toml`).

use crate::remote::Usage;
use crate::terminal::program;
use anyhow::Context as _;
use claimsmith_runtime::{Kind, PluginFiles, check_plugin_name};
use serde::Deserialize;
use std::io;
use std::path::{Component, Path, PathBuf};

/// The file that says how a plugin is built; there is none where the source is the plugin.
pub(super) const BUILD_FILE: &str = "build.toml";

/// A plugin's project.
#[derive(Debug)]
pub(crate) struct Project {
    folder: PathBuf,
    source: ProjectSource,
}

#[derive(Debug)]
enum ProjectSource {
    /// Its source is the plugin.
    File(PluginFiles),
    /// It is built first.
    Built(Build),
}

/// `build.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Build {
    /// The plugin's name.
    pub(super) name: String,
    /// What it is for.
    #[serde(default = "claims")]
    pub(super) world: Kind,
    /// The program that builds it, and its arguments; run in this folder.
    pub(super) command: Vec<String>,
    /// The file that the command writes: a core module, a component, or JavaScript.
    pub(super) output: PathBuf,
}

fn claims() -> Kind {
    Kind::Claims
}

impl Project {
    /// The plugin of a folder, or of a file.
    pub(crate) fn at(path: &Path) -> anyhow::Result<Self> {
        let meta = std::fs::metadata(path).with_context(|| format!("{} cannot be read", path.display()))?;
        if !meta.is_dir() {
            let folder = path.parent().unwrap_or(Path::new("")).to_owned();
            return Ok(Self { folder, source: ProjectSource::File(PluginFiles::at(path)?) });
        }
        let folder = path.to_owned();
        let source = match Build::read(&folder.join(BUILD_FILE))? {
            Some(build) => ProjectSource::Built(build),
            None => ProjectSource::File(only_plugin(&folder)?),
        };
        Ok(Self { folder, source })
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn name(&self) -> &str {
        match &self.source {
            ProjectSource::File(files) => files.name(),
            ProjectSource::Built(build) => &build.name,
        }
    }

    /// How it is built, if it is.
    pub(super) fn build(&self) -> Option<&Build> {
        match &self.source {
            ProjectSource::File(_) => None,
            ProjectSource::Built(build) => Some(build),
        }
    }

    /// The files that its build writes: they are no sources.
    pub(crate) fn outputs(&self) -> Vec<PathBuf> {
        self.build().map(Build::outputs).unwrap_or_default()
    }

    /// What is loaded and deployed. An error when it is still to be built.
    pub(crate) fn files(&self) -> anyhow::Result<PluginFiles> {
        let build = match &self.source {
            ProjectSource::File(files) => return Ok(files.clone()),
            ProjectSource::Built(build) => build,
        };
        let artifact = self.folder.join(build.artifact());
        if !artifact.is_file() {
            let text = format!("{} does not exist yet: run {} plugin build", artifact.display(), program());
            return Err(Usage::new(text).into());
        }
        Ok(PluginFiles::at(&artifact)?)
    }
}

impl Build {
    fn read(file: &Path) -> anyhow::Result<Option<Self>> {
        let text = match std::fs::read_to_string(file) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error).with_context(|| format!("{} cannot be read", file.display())),
        };
        let build: Self = toml::from_str(&text).with_context(|| file.display().to_string())?;
        check_plugin_name(&build.name).with_context(|| file.display().to_string())?;
        anyhow::ensure!(!build.command.is_empty(), "{}: `command` is empty", file.display());
        Ok(Some(build))
    }

    /// Whether what is built is JavaScript, and goes as it is.
    pub(super) fn is_script(&self) -> bool {
        self.output.extension().is_some_and(|extension| extension == "js" || extension == "mjs")
    }

    /// The files that it writes, below the folder: the output of the command, and the plugin that is made of it.
    pub(super) fn outputs(&self) -> Vec<PathBuf> {
        // Without the dot of `./out.wasm`.
        vec![
            PathBuf::from(self.artifact()),
            self.output.components().filter(|part| *part != Component::CurDir).collect(),
        ]
    }

    /// The file of the plugin: `NAME.wasm`, or `NAME.js`.
    pub(super) fn artifact(&self) -> String {
        format!("{}.{}", self.name, if self.is_script() { "js" } else { "wasm" })
    }
}

fn only_plugin(folder: &Path) -> anyhow::Result<PluginFiles> {
    let mut found = PluginFiles::scan(folder).with_context(|| format!("{} cannot be listed", folder.display()))?;
    match (found.pop(), found.len()) {
        (Some(files), 0) => Ok(files),
        (Some(last), _) => {
            let mut names: Vec<_> = found.iter().map(PluginFiles::name).collect();
            names.push(last.name());
            let text = format!("{} contains several plugins ({}): name the file", folder.display(), names.join(", "));
            Err(Usage::new(text).into())
        }
        (None, _) => {
            let text =
                format!("{} contains no plugin, and no {BUILD_FILE} that says how to build one", folder.display());
            Err(Usage::new(text).into())
        }
    }
}
