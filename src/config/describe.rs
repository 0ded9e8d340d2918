//! Prints a configuration, and the reference of all keys. Fields mask their secrets when they serialize, so no secret
//! can appear here.

use std::fmt::Write as _;

use toml::{Table, Value};

use super::keys::{ConfigKey, KEYS, ValueType};
use super::{Config, ValueSource};

impl Config {
    /// The effective configuration as TOML, secrets masked, with the source of each value as a comment.
    #[must_use]
    pub fn describe(&self) -> String {
        let values = self.values();
        let mut text = String::new();
        let mut open = None;
        for key in KEYS {
            let (section, name) = key.place();
            if section != open {
                let _ = writeln!(text, "\n[{}]", section.unwrap_or_default());
                open = section;
            }
            let source = self.source(key.path);
            let _ = match value_of(&values, key) {
                Some(value) => writeln!(text, "{name} = {value}  # {source}"),
                None => writeln!(text, "# {name} is not set"),
            };
        }
        text
    }

    /// Every key with its effective value, in the order of the reference; secrets are masked.
    #[must_use]
    pub fn settings(&self) -> Vec<Setting> {
        let (values, defaults) = (self.values(), Self::default().values());
        let setting = |key: &ConfigKey| Setting {
            key: key.path,
            value: value_of(&values, key).map(shown),
            default: key.default.map(str::to_owned).or_else(|| value_of(&defaults, key).map(shown)),
            source: self.source(key.path),
            environment: key.env,
            flag: key.flag,
            about: key.about,
            accepts: key.kind.accepted(),
            is_secret: key.kind.is_secret(),
        };
        KEYS.iter().map(setting).collect()
    }

    /// Where the value of the key with this dotted path comes from.
    #[must_use]
    pub fn source(&self, path: &str) -> ValueSource {
        self.sources.get(path).cloned().unwrap_or(ValueSource::Default)
    }

    fn values(&self) -> Table {
        Table::try_from(self).unwrap_or_default()
    }
}

/// One configuration key with its effective value.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Its dotted path in the file.
    pub key: &'static str,
    /// Its value; `None` if it is not set. Secrets are masked.
    pub value: Option<String>,
    /// Its default, in words where that is not a constant.
    pub default: Option<String>,
    /// Where the value comes from.
    pub source: ValueSource,
    /// The variable that sets it.
    pub environment: &'static str,
    /// The flag that sets it, without dashes.
    pub flag: Option<&'static str>,
    /// What it is for.
    pub about: &'static str,
    /// What it accepts.
    pub accepts: String,
    /// Whether it is a secret.
    pub is_secret: bool,
}

/// A value as it is written in an environment variable or a flag.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(shown).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

/// Every key as a Markdown table: place in the file, variable, flag, default, meaning.
#[must_use]
pub fn reference() -> String {
    let defaults = Config::default().values();
    let mut text = String::from(
        "| Key in the file | Environment | Flag | Default | Meaning |\n\
         |---|---|---|---|---|\n",
    );
    for key in KEYS {
        let default = match (key.default, value_of(&defaults, key)) {
            (Some(words), _) => words.to_owned(),
            (None, Some(value)) => format!("`{value}`"),
            (None, None) => "none".to_owned(),
        };
        let flag = match (key.flag, &key.kind) {
            // Switches take no value.
            (Some(on), ValueType::Switch { off }) => format!("`--{on}`, `--{off}`"),
            (Some(flag), _) => format!("`--{flag}`"),
            (None, _) => String::new(),
        };
        let (path, env, about, accepted) = (key.path, key.env, key.about, key.kind.accepted());
        let _ = writeln!(text, "| `{path}` | `{env}` | {flag} | {default} | {about} ({accepted}) |");
    }
    text
}

fn value_of<'a>(values: &'a Table, key: &ConfigKey) -> Option<&'a Value> {
    match key.place() {
        (None, name) => values.get(name),
        (Some(section), name) => {
            section.split('.').try_fold(values, |table, part| table.get(part).and_then(Value::as_table))?.get(name)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{KEYS, reference};

    #[test]
    fn the_reference_has_a_row_for_every_key() {
        let text = reference();
        for key in KEYS {
            assert!(text.contains(&format!("\n| `{}` | `{}` |", key.path, key.env)), "{}", key.path);
        }
        assert!(text.contains("| `--subject-token-ttl` | `600` |"));
    }
}
