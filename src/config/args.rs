//! The command line flags that set configuration keys, generated from the table of keys. They are global: they may come
//! before or after a subcommand.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches};

use super::keys::{ConfigKey, KEYS, ValueType};

const FILE: &str = "config";
const HEADING: &str = "Configuration";

/// The configuration keys that flags set; flatten it into a command.
#[derive(Clone, Default)]
pub struct ConfigArgs {
    /// `--config`: the file to read.
    pub file: Option<PathBuf>,
    /// The values as text, by flag.
    texts: BTreeMap<&'static str, String>,
}

impl ConfigArgs {
    /// Each key that was set, with its flag and its value.
    pub(super) fn values(&self) -> impl Iterator<Item = (&'static ConfigKey, &'static str, &str)> {
        KEYS.iter().flat_map(|key| {
            let on = key.flag.and_then(|flag| Some((key, flag, self.texts.get(flag)?.as_str())));
            let off = match key.kind {
                ValueType::Switch { off } => self.texts.get(off).map(|text| (key, off, text.as_str())),
                _ => None,
            };
            on.into_iter().chain(off)
        })
    }
}

/// Shows the names of the flags, not their values: a value may contain a password.
impl fmt::Debug for ConfigArgs {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("ConfigArgs").field("file", &self.file).field("set", &self.texts.keys()).finish()
    }
}

impl clap::Args for ConfigArgs {
    fn augment_args(command: Command) -> Command {
        let file = global(FILE)
            .value_name("FILE")
            .value_parser(clap::value_parser!(PathBuf))
            .help("TOML file to read [environment: CLAIMSMITH_CONFIG; default: claimsmith.toml, if it is there]");
        command.arg(file).args(KEYS.iter().flat_map(flags_of))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for ConfigArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut args = Self::default();
        args.update_from_arg_matches(matches)?;
        Ok(args)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        if let Some(file) = matches.get_one::<PathBuf>(FILE) {
            self.file = Some(file.clone());
        }
        for key in KEYS {
            let Some(flag) = key.flag else { continue };
            if let ValueType::Switch { off } = key.kind {
                for (name, text) in [(flag, "true"), (off, "false")] {
                    if matches.get_flag(name) {
                        self.texts.insert(name, text.to_owned());
                    }
                }
            } else if let Some(text) = matches.get_one::<String>(flag) {
                self.texts.insert(flag, text.clone());
            }
        }
        Ok(())
    }
}

/// The flags that set `key`: none, one, or two for a switch.
fn flags_of(key: &'static ConfigKey) -> Vec<Arg> {
    let Some(flag) = key.flag else { return Vec::new() };
    let help = format!("{} [environment: {}]", key.about, key.env);
    let ValueType::Switch { off } = key.kind else {
        // The short help lists paths and addresses; tuning numbers are only in the long help.
        let tuning = matches!(key.kind, ValueType::Number { .. });
        let value_name = match key.kind {
            ValueType::Choice(_) => "WORD",
            ValueType::List(_) => "LIST",
            ValueType::Number { .. } => "NUMBER",
            _ => "VALUE",
        };
        return vec![global(flag).value_name(value_name).help(help).hide_short_help(tuning)];
    };
    let yes = global(flag).action(ArgAction::SetTrue).conflicts_with(off).help(help);
    vec![yes, global(off).action(ArgAction::SetTrue).help(format!("The opposite of --{flag}"))]
}

fn global(flag: &'static str) -> Arg {
    Arg::new(flag).long(flag).global(true).help_heading(HEADING)
}
