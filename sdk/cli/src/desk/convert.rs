//! `claimsmith plugin convert`: converts a script of another identity system to a plugin. The script's text is not
//! changed; the adapter of `sdk/migrate` around it calls it as the other system did.

mod members;
mod pattern;
mod script;

use super::harness;
use crate::remote::Usage;
use crate::terminal::{print_line, printable, program};
use anyhow::Context as _;
use claimsmith_runtime::{PluginFiles, check_plugin_name};
use script::{ConversionRules, Script};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(crate) struct ConvertArgs {
    /// Where the script comes from
    #[arg(long, value_name = "SYSTEM")]
    from: System,
    /// The claim for the script's value; of a Keycloak mapper, its "Token Claim Name"
    #[arg(long, value_name = "NAME")]
    claim: Option<String>,
    /// The folder that it is written to, instead of one with the plugin's name
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The script
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// A system with scripts.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum System {
    Auth0,
    Logto,
    Keycloak,
    Zitadel,
    Fusionauth,
}

/// The adapter of a system, and what is looked for in its scripts.
macro_rules! files {
    ($system:literal) => {
        (
            include_str!(concat!("../../../migrate/", $system, ".js")),
            include_str!(concat!("../../../migrate/", $system, ".toml")),
        )
    };
}

/// Parts that several adapters share.
const SHARED_ADAPTERS: [(&str, &str); 2] = [
    ("{{common}}", include_str!("../../../migrate/common.js")),
    ("{{java}}", include_str!("../../../migrate/java.js")),
];
/// The placeholder for the script's text.
const SCRIPT_PLACEHOLDER: &str = "{{script}}";
/// The token kinds of a plugin whose settings name none.
const DEFAULT_KINDS: [&str; 2] = ["access-token", "client-credentials"];

pub(super) async fn run(args: &ConvertArgs) -> anyhow::Result<()> {
    let (adapter, rules) = args.from.files();
    let rules: ConversionRules = toml::from_str(rules)?;
    if rules.claim != args.claim.is_some() {
        let text = if rules.claim { "name the claim with --claim NAME" } else { "--claim is for Keycloak" };
        return Err(Usage::new(text).into());
    }
    let shown = args.file.display();
    let bytes = fs::read(&args.file).with_context(|| format!("{shown} cannot be read"))?;
    let text = String::from_utf8(bytes).with_context(|| format!("{shown} is not a script: it is not UTF-8"))?;
    let script = Script::read(text.trim_start_matches('\u{feff}'), &rules).with_context(|| shown.to_string())?;
    let name = plugin_name(&args.file)?;
    let out = args.out.clone().unwrap_or_else(|| PathBuf::from(&name));
    let (source, settings) = (format!("{name}.js"), format!("{name}.toml"));
    if let Some(there) = [&source, &settings].map(|file| out.join(file)).iter().find(|file| file.exists()) {
        return Err(Usage::new(format!("{} exists already", there.display())).into());
    }
    let claim = args.claim.as_deref().unwrap_or_default();
    let adapter = SHARED_ADAPTERS.iter().fold(adapter.to_owned(), |text, (mark, shared)| text.replace(mark, shared));
    let adapter = adapter.replace("{{name}}", &name).replace("{{function}}", &script.function);
    let adapter = adapter.replace("{{claim}}", &serde_json::to_string(claim)?);
    let (before, after) = adapter.split_once(SCRIPT_PLACEHOLDER).context("the adapter has no place for the script")?;
    let mut files = vec![(source, format!("{before}{}{after}", script.text()))];
    files.extend(settings_text(&script, &name)?.map(|text| (settings, text)));

    // It is loaded before anything is written, so that syntax errors are reported with the script's own lines.
    let trial = tempfile::tempdir()?;
    write(trial.path(), &files)?;
    let plugin = PluginFiles::at(&trial.path().join(&files[0].0))?;
    let loaded = harness(false).await?.open(&plugin).await;
    loaded.map_err(|error| {
        let lines = (before.matches('\n').count(), text.lines().count());
        anyhow::anyhow!("{shown} does not load: {}", map_to_script_lines(&error, &files[0].0, lines))
    })?;
    write(&out, &files)?;
    print_line(&report(&script, &rules.title, &out, &files));
    Ok(())
}

impl System {
    fn files(self) -> (&'static str, &'static str) {
        match self {
            Self::Auth0 => files!("auth0"),
            Self::Logto => files!("logto"),
            Self::Keycloak => files!("keycloak"),
            Self::Zitadel => files!("zitadel"),
            Self::Fusionauth => files!("fusionauth"),
        }
    }
}

/// The plugin's name: the file's, in lowercase and without invalid characters.
fn plugin_name(file: &Path) -> anyhow::Result<String> {
    let stem = file.file_stem().map(|stem| stem.to_string_lossy().to_lowercase()).unwrap_or_default();
    let fitting = stem.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' });
    let name = fitting.collect::<String>().trim_matches(['-', '_']).to_owned();
    check_plugin_name(&name).map_err(|error| Usage::new(format!("{error}: rename {}", file.display())))?;
    Ok(name)
}

/// The text of the settings; none where the defaults are enough.
fn settings_text(script: &Script<'_>, name: &str) -> anyhow::Result<Option<String>> {
    let mut text = String::new();
    let kinds = script.token_kinds();
    if !kinds.is_empty() && kinds != DEFAULT_KINDS {
        writeln!(text, "token_kinds = [\"{}\"]", kinds.join("\", \""))?;
    }
    let variables = script.variables()?;
    if !variables.is_empty() {
        writeln!(text, "\n# Do not write secrets here; set them with: claimsmith plugin secret set {name} NAME")?;
        writeln!(text, "[environment]")?;
    }
    for variable in variables {
        writeln!(text, "{variable} = \"\"")?;
    }
    if script.warnings().iter().any(|warning| warning.says.contains("[capabilities.http]")) {
        text.push_str(
            "\n# The servers that it sends requests to.\n# [capabilities.http]\n# hosts = [\"api.example.com\"]\n",
        );
    }
    Ok((!text.is_empty()).then(|| text.trim_start().to_owned()))
}

fn write(folder: &Path, files: &[(String, String)]) -> anyhow::Result<()> {
    for (file, text) in files {
        let path = folder.join(file);
        let written = fs::create_dir_all(folder).and_then(|()| fs::write(&path, text));
        written.with_context(|| format!("{} cannot be written", path.display()))?;
    }
    Ok(())
}

/// The place `NAME.js:LINE` of an error, as a line of the script: it begins after `before` lines, and has `lines`.
fn map_to_script_lines(error: &str, file: &str, (before, lines): (usize, usize)) -> String {
    let Some((said, rest)) = error.split_once(&format!("{file}:")) else { return error.to_owned() };
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let line = rest[..digits].parse::<usize>().map_or(1, |line| line.saturating_sub(before).clamp(1, lines.max(1)));
    format!("{said}line {line}{}", &rest[digits..])
}

/// Prints the files, the warnings, and the next steps.
fn report(script: &Script<'_>, title: &str, out: &Path, files: &[(String, String)]) -> String {
    let holds = [format!("a plugin around a script of {title}"), "its settings".to_owned()];
    let mut lines: Vec<String> =
        files.iter().zip(holds).map(|((file, _), holds)| format!("{}: {holds}", out.join(file).display())).collect();
    let rendered = script.warnings().into_iter();
    lines.extend(
        rendered.map(|rendered| format!("  line {}: {}: {}", rendered.line, printable(rendered.found), rendered.says)),
    );
    let source = &files[0].0;
    let stem = source.trim_end_matches(".js");
    lines.push(format!(
        "\n  cd {}\n  {program} plugin test      # once {stem}.cases.json has golden cases\n  \
         {program} plugin check     # the server's checks, run here\n  \
         {program} plugin deploy {source}",
        out.display(),
        program = program()
    ));
    lines.join("\n")
}
