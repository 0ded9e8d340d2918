//! `claimsmith plugin push`: uploads a plugin, with its settings and golden cases, to a registry.

use super::artifact;
use super::client::Repository;
use super::reference::{parse, pinned};
use crate::desk::built_files;
use crate::registry_args::RegistryArgs;
use crate::remote::Usage;
use crate::remote::deploy::{Upload, UploadedFile};
use crate::terminal::{print_error, print_line};
use serde_json::json;
use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct PushArgs {
    /// Where to: `oci://HOST/REPOSITORY:TAG`
    #[arg(value_name = "REFERENCE")]
    reference: String,
    /// The plugin: its folder or its file
    #[arg(default_value = ".", value_name = "PATH")]
    path: PathBuf,
    /// Leave settings and golden cases out: a component is then exactly what `wkg oci push` makes of it
    #[arg(long)]
    bare: bool,
    #[command(flatten)]
    registry: RegistryArgs,
}

pub(crate) async fn push(args: &PushArgs, as_json: bool) -> anyhow::Result<()> {
    let reference = parse(&args.reference)?;
    if reference.tag().is_none() || reference.digest().is_some() {
        return Err(Usage::new("push to a tag (oci://HOST/REPOSITORY:TAG): a digest is what comes of it").into());
    }
    let files = built_files(&args.path)?;
    let upload = Upload::of(files.source()?.0)?;
    let Upload { language, source, manifest, cases, .. } = upload;
    if source.bytes.is_empty() {
        return Err(Usage::new(format!("{} is empty", source.file_name)).into());
    }
    let companion = |file: Option<UploadedFile>| file.filter(|_| !args.bare);
    let (settings, cases) = (companion(manifest), companion(cases));
    for sent in [&settings, &cases].into_iter().flatten() {
        print_error(&format!("with {}", sent.file_name));
    }
    let part = |file: UploadedFile| (file.file_name, file.bytes);
    let (settings, cases) = (settings.map(part), cases.map(part));
    let named = |part: &Option<(String, Vec<u8>)>| part.as_ref().map(|(name, _)| name.clone());
    let (settings_name, cases_name) = (named(&settings), named(&cases));
    let pushed = artifact::build(
        language,
        (source.file_name.as_str(), source.bytes),
        settings_name.as_deref().zip(settings.map(|(_, bytes)| bytes)),
        cases_name.as_deref().zip(cases.map(|(_, bytes)| bytes)),
    )?;
    let repository = Repository::open(reference.clone(), args.registry).await?;
    let digest = repository.push(pushed).await?;
    let place = pinned(&reference, &digest);
    let line = if as_json { json!({ "reference": place, "digest": digest }).to_string() } else { place };
    print_line(&line);
    Ok(())
}
