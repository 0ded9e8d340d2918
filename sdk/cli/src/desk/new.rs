//! `claimsmith plugin new`: creates the folder of a new plugin, which builds, passes its golden cases and can be
//! deployed.

use super::templates::{self, Example, Lang};
use crate::remote::Usage;
use crate::terminal::print_line;
use anyhow::Context as _;
use claimsmith_runtime::check_plugin_name;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(crate) struct NewArgs {
    /// The language
    #[arg(long, value_name = "LANG")]
    lang: Lang,
    /// What it does at first
    #[arg(long, value_name = "EXAMPLE", default_value = "user")]
    example: Example,
    /// The plugin: a folder of this name is made
    #[arg(value_name = "NAME")]
    path: PathBuf,
}

pub(super) fn run(args: &NewArgs) -> anyhow::Result<()> {
    let name = args.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    check_plugin_name(&name).map_err(|error| Usage::new(error.to_string()))?;
    if args.path.exists() {
        return Err(Usage::new(format!("{} exists already", args.path.display())).into());
    }
    for (file, text) in templates::files(args.lang, args.example, &name)? {
        write(&args.path.join(&file), &text)?;
    }
    print_line(&format!(
        "{}: a plugin in {}\n{}",
        args.path.display(),
        args.lang.title(),
        templates::next_steps(&args.path)
    ));
    Ok(())
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    let write = || {
        fs::create_dir_all(path.parent().unwrap_or(Path::new("")))?;
        fs::write(path, text)
    };
    write().with_context(|| format!("{} cannot be written", path.display()))
}
