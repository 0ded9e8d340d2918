//! Merges file, environment and flags, and records which layer each value came from.

use std::collections::BTreeMap;
use std::fmt;

use toml::{Table, Value};

use super::ConfigArgs;
use super::client;
use super::error::ConfigProblem;
use super::keys::{ConfigKey, KEYS};

/// The variable that names the configuration file; it has no key in the file.
pub(super) const FILE_VARIABLE: &str = "CLAIMSMITH_CONFIG";

const PREFIX: &str = "CLAIMSMITH_";

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueSource {
    /// The default: no layer set it.
    Default,
    /// No layer set it; it is derived from this key.
    Follows(&'static str),
    /// The file with this name.
    File(String),
    /// This environment variable.
    Environment(&'static str),
    /// The flag with this name.
    Flag(&'static str),
}

impl fmt::Display for ValueSource {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => out.write_str("default"),
            Self::Follows(key) => write!(out, "follows {key}"),
            Self::File(name) => write!(out, "file {name}"),
            Self::Environment(name) => write!(out, "environment {name}"),
            Self::Flag(name) => write!(out, "flag --{name}"),
        }
    }
}

/// The layers so far: for each key the value of the latest layer that set it.
#[derive(Default)]
pub(super) struct Layers {
    pub(super) table: Table,
    pub(super) sources: BTreeMap<&'static str, ValueSource>,
    pub(super) problems: Vec<ConfigProblem>,
}

impl Layers {
    /// Adds the file `name` with this `text`.
    pub(super) fn add_file(&mut self, name: &str, text: &str) {
        let table = match text.parse::<Table>() {
            Ok(table) => table,
            Err(error) => {
                let start = error.span().map_or(0, |span| span.start);
                let line = text.bytes().take(start).filter(|byte| *byte == b'\n').count() + 1;
                let message = error.message().to_owned();
                return self.problems.push(ConfigProblem::Syntax { file: name.to_owned(), line, message });
            }
        };
        for (outer, value) in table {
            let Some(section) = sections().find(|section| *section == outer) else {
                self.set_from_file(name, outer, value);
                continue;
            };
            self.set_section(name, section, value);
        }
    }

    /// Sets the keys of a section, and of the sections within it.
    fn set_section(&mut self, file: &str, section: &'static str, value: Value) {
        let Value::Table(keys) = value else {
            return self.problems.push(ConfigProblem::NotASection { file: file.to_owned(), name: section });
        };
        for (key, value) in keys {
            let path = format!("{section}.{key}");
            match sections().find(|section| *section == path) {
                Some(inner) => self.set_section(file, inner, value),
                None => self.set_from_file(file, path, value),
            }
        }
    }

    fn set_from_file(&mut self, file: &str, path: String, value: Value) {
        if let Some(key) = KEYS.iter().find(|key| key.path == path) {
            return self.set(key, Some(value), ValueSource::File(file.to_owned()), None);
        }
        let nearest = if value.is_table() && !path.contains('.') {
            nearest(&path, sections())
        } else {
            nearest(&path, KEYS.iter().map(|key| key.path))
        };
        self.problems.push(ConfigProblem::Unknown { name: path, source_name: format!("file {file}"), nearest });
    }

    /// Adds the variables whose names begin with `CLAIMSMITH_`.
    pub(super) fn add_environment(&mut self, variables: impl IntoIterator<Item = (String, String)>) {
        let is_key = |name: &str| name != FILE_VARIABLE && !client::VARIABLES.contains(&name);
        let ours = variables.into_iter().filter(|(name, _)| name.starts_with(PREFIX) && is_key(name));
        for (name, text) in ours.collect::<BTreeMap<_, _>>() {
            if let Some(key) = KEYS.iter().find(|key| key.env == name) {
                self.set(key, key.kind.read(&text), ValueSource::Environment(key.env), Some(&text));
            } else if !is_service_link(&name, &text) {
                let nearest = nearest(
                    &name,
                    KEYS.iter().map(|key| key.env).chain([FILE_VARIABLE]).chain(client::VARIABLES.iter().copied()),
                );
                self.problems.push(ConfigProblem::Unknown { name, source_name: "environment".to_owned(), nearest });
            }
        }
    }

    /// Adds the flags.
    pub(super) fn add_flags(&mut self, args: &ConfigArgs) {
        for (key, flag, text) in args.values() {
            self.set(key, key.kind.read(text), ValueSource::Flag(flag), Some(text));
        }
    }

    /// Sets `key` if its type accepts the value; `text` is the original text of the environment variable or flag.
    fn set(&mut self, key: &'static ConfigKey, value: Option<Value>, source: ValueSource, text: Option<&str>) {
        let Some(value) = value.filter(|value| key.kind.accepts(value)) else {
            return self.refuse(key, source, text.map(|text| Value::String(text.to_owned())), None);
        };
        let (section, name) = key.place();
        let table = match section {
            None => Some(&mut self.table),
            Some(section) => section.split('.').try_fold(&mut self.table, |table, part| {
                table.entry(part).or_insert_with(|| Value::Table(Table::new())).as_table_mut()
            }),
        };
        if let Some(table) = table {
            table.insert(name.to_owned(), value);
            self.sources.insert(key.path, source);
        }
    }

    /// Removes the value of `key` and reports it as refused, with the `reason` of its field's type.
    pub(super) fn take_back(&mut self, key: &'static ConfigKey, reason: String) {
        let (section, name) = key.place();
        let table = match section {
            None => Some(&mut self.table),
            Some(section) => section
                .split('.')
                .try_fold(&mut self.table, |table, part| table.get_mut(part).and_then(Value::as_table_mut)),
        };
        let value = table.and_then(|table| table.remove(name));
        let source = self.sources.remove(key.path).unwrap_or(ValueSource::Default);
        self.refuse(key, source, value, Some(reason));
    }

    fn refuse(&mut self, key: &'static ConfigKey, from: ValueSource, value: Option<Value>, reason: Option<String>) {
        let shown = value.filter(|_| key.kind.may_be_quoted()).map(|value| value.to_string());
        self.problems.push(ConfigProblem::Refused {
            key: key.path,
            from,
            shown,
            reason,
            accepted: key.kind.accepted(),
        });
    }
}

/// The names of the file's sections.
fn sections() -> impl Iterator<Item = &'static str> {
    KEYS.iter().filter_map(|key| key.place().0)
}

/// The candidate most similar to `name`; a name without a section is also compared with names within sections.
fn nearest(name: &str, candidates: impl Iterator<Item = &'static str>) -> String {
    let likeness = |candidate: &str| {
        let inner = candidate.rsplit('.').next().filter(|_| !name.contains('.')).unwrap_or(candidate);
        strsim::normalized_damerau_levenshtein(candidate, name).max(strsim::normalized_damerau_levenshtein(inner, name))
    };
    candidates.max_by(|a, b| likeness(a).total_cmp(&likeness(b))).unwrap_or_default().to_owned()
}

/// Whether Kubernetes set this variable for a service whose name begins with `claimsmith`. It sets them automatically
/// in every pod next to that service, so they are not misspelled keys.
fn is_service_link(name: &str, text: &str) -> bool {
    let address = text.starts_with("tcp://") || text.starts_with("udp://") || text.starts_with("sctp://");
    let of_port = name.rsplit_once("_PORT_").is_some_and(|(_, rest)| {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        digits > 0 && rest[digits..].starts_with('_')
    });
    let of_service = name.ends_with("_SERVICE_HOST") || name.contains("_SERVICE_PORT");
    of_service || of_port || (name.ends_with("_PORT") && address)
}
