//! Scripts of other systems: not parsed, but searched for the patterns of `sdk/migrate/SYSTEM.toml`. Their text is not
//! changed.

use super::members::KnownObject;
use super::pattern::{Expression, PatternMatch, line_at};
use anyhow::Context as _;
use regex::Regex;
use serde::Deserialize;
use std::collections::BTreeSet;

/// What is looked for in the scripts of one system; `sdk/migrate/auth0.toml` says what each means.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ConversionRules {
    pub(super) title: String,
    entry: Vec<Expression>,
    expects: String,
    /// Whether a script answers one value, whose claim is to be named.
    #[serde(default)]
    pub(super) claim: bool,
    #[serde(default)]
    variables: Vec<String>,
    #[serde(default)]
    variable: Vec<Rule>,
    #[serde(default)]
    prefix: Vec<Rule>,
    #[serde(default)]
    token_kind: Vec<Rule>,
    #[serde(default)]
    refuse: Vec<Rule>,
    #[serde(default)]
    object: Vec<KnownObject>,
    #[serde(default)]
    warn: Vec<Rule>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rule {
    find: Expression,
    #[serde(default)]
    except: Vec<String>,
    says: String,
}

/// A script, and what was found in it.
pub(super) struct Script<'a> {
    text: &'a str,
    /// The text without its comments.
    code: String,
    rules: &'a ConversionRules,
    /// The function that the adapter calls, where that is not always the same one.
    pub(super) function: String,
}

impl<'a> Script<'a> {
    /// Refuses a text that is not a script of this system, and one that cannot be converted.
    pub(super) fn read(text: &'a str, rules: &'a ConversionRules) -> anyhow::Result<Self> {
        let code = without_comments(text);
        let entry = rules.entry.iter().find_map(|entry| entry.0.captures(&code));
        let entry =
            entry.with_context(|| format!("this is not a script of {}: it has no {}", rules.title, rules.expects))?;
        let function = entry.name("function").map_or_else(String::new, |name| name.as_str().to_owned());
        let script = Self { text, code, rules, function };
        let mut refused = script.matches(&rules.refuse);
        for object in &rules.object {
            refused.extend(object.refused_members(&script.code)?);
        }
        refused.sort_by_key(|one| one.line);
        refused.dedup();
        if !refused.is_empty() {
            let lines =
                refused.iter().map(|PatternMatch { line, found, says }| format!("line {line}: {found}: {says}"));
            anyhow::bail!(lines.collect::<Vec<_>>().join("\n  "));
        }
        Ok(script)
    }

    /// Its text in the plugin.
    pub(super) fn text(&self) -> String {
        let prefix = self.says(&self.rules.prefix).next().unwrap_or_default();
        format!("{prefix}{}", self.text.trim_end())
    }

    /// What behaves differently after the conversion, by lines.
    pub(super) fn warnings(&self) -> Vec<PatternMatch<'_>> {
        self.matches(&self.rules.warn)
    }

    /// The kinds of tokens that it is for; empty where the script does not show it.
    pub(super) fn token_kinds(&self) -> Vec<&str> {
        self.says(&self.rules.token_kind).collect()
    }

    /// The names of the settings that it reads and has no default for.
    pub(super) fn variables(&self) -> anyhow::Result<BTreeSet<String>> {
        let mut names: BTreeSet<String> = self.says(&self.rules.variable).map(str::to_owned).collect();
        for object in &self.rules.variables {
            let member = format!(r#"{object}(?:\??\.(\w+)|\[["'](\w+)["']\])(\s*(?:\?\?|\|\|))?"#);
            for found in Regex::new(&member)?.captures_iter(&self.code).filter(|found| found.get(3).is_none()) {
                names.extend(found.get(1).or(found.get(2)).map(|name| name.as_str().to_owned()));
            }
            let destructured = format!(r"\{{([^{{}}]*)\}}\s*=\s*{object}\b");
            for found in Regex::new(&destructured)?.captures_iter(&self.code) {
                let parts = found.get(1).map_or("", |parts| parts.as_str()).split(',');
                let needed = parts.filter(|part| !part.contains(['=', '.']) && !part.trim().is_empty());
                names.extend(needed.filter_map(|part| part.split(':').next()).map(|name| name.trim().to_owned()));
            }
        }
        Ok(names)
    }

    fn says<'s>(&'s self, rules: &'s [Rule]) -> impl Iterator<Item = &'s str> {
        rules.iter().filter(|rule| rule.find.0.is_match(&self.code)).map(|rule| rule.says.as_str())
    }

    fn matches<'s>(&'s self, rules: &'s [Rule]) -> Vec<PatternMatch<'s>> {
        let mut matches = Vec::new();
        for Rule { find, except, says } in rules {
            for found in find.0.captures_iter(&self.code) {
                if found.get(1).is_some_and(|inner| except.iter().any(|other| other == inner.as_str())) {
                    continue;
                }
                let Some(whole) = found.get(0) else { continue };
                let start = whole.start() + whole.len() - whole.as_str().trim_start().len();
                matches.push(PatternMatch { line: line_at(&self.code, start), found: shown(whole.as_str()), says });
            }
        }
        matches.sort_by_key(|remark| remark.line);
        matches.dedup();
        matches
    }
}

/// What was found, as it is shown.
fn shown(found: &str) -> &str {
    found.trim().trim_end_matches(['(', ' '])
}

/// Comments become spaces. A text in quotes holds none, and ends where its line does, unless it is a template.
fn without_comments(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut quote = None;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match (quote, c, rest.peek()) {
            (None, '/', Some('/')) => while rest.next_if(|c| *c != '\n').is_some() {},
            (None, '/', Some('*')) => {
                let mut last = ' ';
                for c in rest.by_ref().skip(1) {
                    if c == '\n' {
                        code.push(c);
                    }
                    if (last, c) == ('*', '/') {
                        break;
                    }
                    last = c;
                }
            }
            (Some(_), '\\', _) => {
                code.push(c);
                code.extend(rest.next());
            }
            _ => {
                code.push(c);
                quote = match quote {
                    None if matches!(c, '"' | '\'' | '`') => Some(c),
                    Some(open) if c == open || (c == '\n' && open != '`') => None,
                    quote => quote,
                };
            }
        }
    }
    code
}
