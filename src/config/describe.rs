//! Prints a configuration, and the reference of all keys. Fields mask their secrets when they serialize, so no secret
//! can appear here.

use std::fmt::Write as _;

use toml::{Table, Value};

use super::keys::{KEYS, Key, Kind};
use super::{Config, Source};

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

    /// Where the value of the key with this dotted path comes from.
    #[must_use]
    pub fn source(&self, path: &str) -> Source {
        self.sources.get(path).cloned().unwrap_or(Source::Default)
    }

    fn values(&self) -> Table {
        Table::try_from(self).unwrap_or_default()
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
            // These take no value.
            (Some(on), Kind::Switch { off }) => format!("`--{on}`, `--{off}`"),
            (Some(flag), _) => format!("`--{flag}`"),
            (None, _) => String::new(),
        };
        let (path, env, about, accepted) = (key.path, key.env, key.about, key.kind.accepted());
        let _ = writeln!(text, "| `{path}` | `{env}` | {flag} | {default} | {about} ({accepted}) |");
    }
    text
}

fn value_of<'a>(values: &'a Table, key: &Key) -> Option<&'a Value> {
    match key.place() {
        (None, name) => values.get(name),
        (Some(section), name) => values.get(section)?.get(name),
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
