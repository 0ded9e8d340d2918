//! `claimsmith plugin pull`, and what `deploy oci://…` uploads: a plugin of a registry, with settings, golden cases, and
//! what was signed. Nothing is written before all of it has arrived.

use super::client::Repository;
use super::reference::{is_reference, parse, pinned};
use super::{artifact, digest_of, ending, signature};
use crate::registry_args::RegistryArgs;
use crate::remote::Usage;
use crate::remote::deploy::{Condition, DeployArgs, Labels, Language, Upload, UploadedFile};
use crate::terminal::{print_error, print_line, printable};
use anyhow::{Context as _, anyhow};
use claimsmith_runtime::{Manifest, check_plugin_name};
use serde_json::json;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(crate) struct PullArgs {
    /// Which plugin: `oci://HOST/REPOSITORY:TAG` or `oci://HOST/REPOSITORY@sha256:…`
    #[arg(value_name = "REFERENCE")]
    reference: String,
    /// The folder to write to
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    to: PathBuf,
    /// Its name, which its files get [default: as it was pushed]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Replace files that are there
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    registry: RegistryArgs,
}

/// A plugin as it came.
struct Pulled {
    name: String,
    language: Language,
    source: Vec<u8>,
    settings: Option<Vec<u8>>,
    cases: Option<Vec<u8>>,
    signature: Option<Vec<u8>>,
    /// Where it is, by its digest.
    place: String,
}

pub(crate) async fn pull(args: &PullArgs, as_json: bool) -> anyhow::Result<()> {
    let pulled = fetch(&args.reference, args.name.as_deref(), args.registry).await?;
    let files = pulled.files();
    let paths: Vec<PathBuf> = files.iter().map(|(name, _)| args.to.join(name)).collect();
    if let Some(path) = paths.iter().find(|path| path.exists()).filter(|_| !args.force) {
        return Err(Usage::new(format!("{} is there already: replace it with --force", path.display())).into());
    }
    std::fs::create_dir_all(&args.to).with_context(|| format!("{} cannot be made", args.to.display()))?;
    for ((_, bytes), path) in files.iter().zip(&paths) {
        write(path, bytes).with_context(|| format!("{} cannot be written", path.display()))?;
    }
    if as_json {
        let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        print_line(&json!({ "reference": pulled.place, "name": pulled.name, "files": names }).to_string());
        return Ok(());
    }
    print_line(&pulled.place);
    if let Some(warning) = pulled.warning() {
        print_error(&warning);
    }
    for path in paths {
        print_line(&format!("  {}", path.display()));
    }
    Ok(())
}

/// What `deploy oci://…` uploads; `None` if that is a file.
pub(crate) async fn upload(args: &DeployArgs) -> anyhow::Result<Option<Upload>> {
    let Some(text) = args.file.to_str().filter(|text| is_reference(text)) else { return Ok(None) };
    if args.names_files() {
        return Err(Usage::new("settings, golden cases and signature come from the registry as well").into());
    }
    if parse(text)?.digest().is_none() {
        let text = "deploy needs a digest (oci://HOST/REPOSITORY@sha256:…), since a tag may be moved: `plugin push` and \
                    `plugin pull` print it";
        return Err(Usage::new(text).into());
    }
    let pulled = fetch(text, args.name.as_deref(), args.registry).await?;
    print_error(&format!("from {}", pulled.place));
    let Pulled { name, language, source, settings, cases, signature, .. } = pulled;
    let file = |ending: &str, bytes: Vec<u8>| UploadedFile { file_name: format!("{name}.{ending}"), bytes };
    let upload = Upload {
        language,
        source: file(ending(language), source),
        manifest: settings.map(|bytes| file("toml", bytes)),
        cases: cases.map(|bytes| file("cases.json", bytes)),
        signature: signature.map(|bytes| file("registry.json", bytes)),
        activate: true,
        accept_cost: args.accept_cost,
        condition: Condition::Always,
        labels: Labels::default(),
        name: name.clone(),
    };
    Ok(Some(upload.with(args)))
}

async fn fetch(text: &str, name: Option<&str>, args: RegistryArgs) -> anyhow::Result<Pulled> {
    let reference = parse(text)?;
    let repository = Repository::open(reference.clone(), args).await?;
    let manifest = repository.manifest(&reference).await?;
    let manifest = manifest.ok_or_else(|| anyhow!("{}: there is no {text}", reference.registry()))?;
    let found = artifact::parse(&manifest).map_err(|error| anyhow!("{text}: {error}"))?;
    let name = name.map_or_else(|| default_name(found.title.as_deref(), reference.repository()), str::to_owned);
    check_plugin_name(&name).with_context(|| format!("{text}: name it with --name"))?;
    let source = repository.blob(&found.source).await?;
    let mut companions = [None, None];
    for (layer, companion) in [&found.settings, &found.cases].into_iter().zip(&mut companions) {
        if let Some(layer) = layer {
            *companion = Some(repository.blob(layer).await?);
        }
    }
    let [settings, cases] = companions;
    let signature = signature::fetch(&repository, &manifest).await?;
    let place = pinned(&reference, &digest_of(&manifest));
    Ok(Pulled { name, language: found.language, source, settings, cases, signature, place })
}

/// The name of the pushed file without its ending, or else the last part of the repository's.
fn default_name(title: Option<&str>, repository: &str) -> String {
    let stem = title.and_then(|title| Path::new(title).file_stem()?.to_str());
    let last = repository.rsplit('/').next().unwrap_or(repository);
    stem.filter(|stem| check_plugin_name(stem).is_ok()).unwrap_or(last).to_owned()
}

impl Pulled {
    /// What its settings would have in the plugin folder of a server, where nobody has to grant it. A server verifies who
    /// signed the source, and not the settings.
    fn warning(&self) -> Option<String> {
        let (file, text) = (format!("{}.toml", self.name), std::str::from_utf8(self.settings.as_deref()?).ok()?);
        let manifest = Manifest::parse(&file, text).ok()?;
        let secrets: Vec<&str> = manifest.secrets.keys().map(String::as_str).collect();
        let hosts: Vec<String> =
            manifest.capabilities.http.iter().flat_map(|http| &http.hosts).map(ToString::to_string).collect();
        let mut asked = Vec::new();
        if !secrets.is_empty() {
            asked.push(format!("reads secrets of its machine ({})", secrets.join(", ")));
        }
        if !hosts.is_empty() {
            asked.push(format!("sends requests to {}", hosts.join(", ")));
        }
        let asked = printable(&asked.join(" and "));
        (!asked.is_empty())
            .then(|| format!("{file} {asked}: in the plugin folder of a server, all of it is granted. Read it first."))
    }

    /// Names and contents of its files.
    fn files(&self) -> Vec<(String, &[u8])> {
        let (name, ending) = (&self.name, ending(self.language));
        let companions = [
            (format!("{name}.toml"), &self.settings),
            (format!("{name}.cases.json"), &self.cases),
            (format!("{name}.{ending}.registry.json"), &self.signature),
        ];
        let mut files = vec![(format!("{name}.{ending}"), self.source.as_slice())];
        files.extend(companions.into_iter().filter_map(|(name, bytes)| Some((name, bytes.as_deref()?))));
        files
    }
}

/// Writes a file as a whole, or not at all.
fn write(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let mut half = tempfile::NamedTempFile::new_in(folder)?;
    std::io::Write::write_all(&mut half, bytes)?;
    half.persist(path).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Language, Pulled, default_name};

    #[test]
    fn what_settings_reach_is_said() {
        let pulled = |settings: &str| Pulled {
            name: "plans".to_owned(),
            language: Language::JavaScript,
            source: Vec::new(),
            settings: Some(settings.as_bytes().to_vec()),
            cases: None,
            signature: None,
            place: String::new(),
        };
        let asks = "[secrets]\nKEY = { env = \"DATABASE_URL\" }\n[capabilities.http]\nhosts = [\"evil.example.com\"]\n";
        let warning = pulled(asks).warning().unwrap_or_default();
        assert!(warning.contains("(KEY)") && warning.contains("evil.example.com"), "{warning}");
        assert_eq!(pulled("order = 3\n").warning(), None);
    }

    #[test]
    fn a_plugin_is_called_as_its_file_was() {
        assert_eq!(default_name(Some("plans.js"), "team/other"), "plans");
        assert_eq!(default_name(None, "team/plans"), "plans");
        assert_eq!(default_name(Some("../../etc/passwd"), "team/plans"), "passwd", "never a path");
        assert_eq!(default_name(Some("No Name.js"), "team/plans"), "plans");
    }
}
