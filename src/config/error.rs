//! Errors of the configuration. No message repeats a secret.

use std::fmt;

use super::ValueSource;

/// All problems of a configuration, one line each.
#[derive(Debug, thiserror::Error)]
pub struct ConfigError {
    pub(super) problems: Vec<ConfigProblem>,
}

impl ConfigError {
    /// The problems in the order in which they were found: file, environment, flags, values.
    #[must_use]
    pub fn problems(&self) -> &[ConfigProblem] {
        &self.problems
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("the configuration is refused:")?;
        self.problems.iter().try_for_each(|problem| write!(out, "\n  {problem}"))
    }
}

/// One problem.
#[derive(Debug, thiserror::Error)]
pub enum ConfigProblem {
    /// A key or variable that does not exist.
    #[error("{source_name}: unknown key {name}; the nearest known one is {nearest}")]
    Unknown {
        /// The unknown name: a dotted path or a variable.
        name: String,
        /// Where it was set.
        source_name: String,
        /// The known key of the same layer with the most similar name.
        nearest: String,
    },
    /// A value that its key does not accept.
    #[error("{from}: {key} {}; accepted: {accepted}", refusal(shown.as_deref(), reason.as_deref()))]
    Refused {
        /// Dotted path of the key.
        key: &'static str,
        /// The source of the value.
        from: ValueSource,
        /// The value, unless it is a secret.
        shown: Option<String>,
        /// The reason, if `accepted` does not say it all.
        reason: Option<String>,
        /// The accepted values, in words.
        accepted: String,
    },
    /// A value that differs from that of the server whose data is opened.
    #[error(
        "{from}: {key} is {own}, and the server of this data was last started with {server}: leave it out, or start the \
         server with it first"
    )]
    OtherServer {
        /// Dotted path of the key.
        key: &'static str,
        /// The source of the value.
        from: ValueSource,
        /// The value.
        own: String,
        /// The server's value.
        server: String,
    },
    /// A section that is not a table.
    #[error("file {file}: {name} is a section and must be a table")]
    NotASection {
        /// The file.
        file: String,
        /// The section's name.
        name: &'static str,
    },
    /// A file that is not TOML.
    #[error("file {file}, line {line}: {message}")]
    Syntax {
        /// The file.
        file: String,
        /// The line number, counted from 1.
        line: usize,
        /// The message of the parser; it does not quote the file.
        message: String,
    },
    /// A file that cannot be read.
    #[error("file {file}: {error}")]
    Unreadable {
        /// The file.
        file: String,
        /// The error of the operating system.
        error: std::io::Error,
    },
    /// A variable whose value is not UTF-8.
    #[error("environment: {name} is not UTF-8")]
    NotUnicode {
        /// The variable.
        name: String,
    },
    /// A value that matches no key; it only happens if a field and its row in the table disagree.
    #[error("{0}")]
    Unplaced(String),
}

fn refusal(shown: Option<&str>, reason: Option<&str>) -> String {
    let shown = shown.map(|value| format!(" = {value}")).unwrap_or_default();
    match reason {
        Some(reason) => format!("{shown} is refused: {reason}").trim_start().to_owned(),
        None => format!("{shown} is refused").trim_start().to_owned(),
    }
}
