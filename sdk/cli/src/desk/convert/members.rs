//! Members of objects that are not known here. The adapter refuses them when the script runs; those that can be seen in its
//! text are refused at the conversion.

use super::pattern::{Expression, PatternMatch, line_at, regex};
use serde::Deserialize;

/// What is said of members that are not known.
const UNKNOWN: &str = "it is not known here; remove what depends on it, or let it depend on other data";
/// What is said of known members that are written.
const WRITTEN: &str = "a plugin cannot change it, so what the script demands would be skipped";
/// A name of JavaScript.
const NAME: &str = r"[A-Za-z_$][\w$]*";

/// An object of which the adapter knows some members.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KnownObject {
    /// The object, as a part of a regular expression.
    find: String,
    /// Where this is not found, the name is that of something else.
    when: Option<Expression>,
    known: Vec<String>,
    /// Those of them that a script may write.
    #[serde(default)]
    writable: Vec<String>,
}

impl KnownObject {
    /// Members that the code reads, asks for with `in`, takes out or writes, and that it cannot have here.
    pub(super) fn refused_members<'c>(&self, code: &'c str) -> anyhow::Result<Vec<PatternMatch<'c>>> {
        if self.when.as_ref().is_some_and(|when| !when.0.is_match(code)) {
            return Ok(Vec::new());
        }
        let mut refused = Vec::new();
        let mut refuse = |own: regex::Match<'c>, says| {
            let found = own.as_str().trim();
            refused.push(PatternMatch { line: line_at(code, own.start()), found, says });
        };
        let find = &self.find;
        // Not a member of something else, such as `api.user` for `user`, and no part of a URL.
        let of = |rest: &str| format!(r#"(?:^|[^\w$./:@'"`-])(?P<own>{find}{rest})"#);
        for read in [of(&format!(r"\??\.\s*(?P<name>{NAME})")), of(r#"(?:\?\.)?\[\s*["'`](?P<name>[\w$]+)["'`]\s*\]"#)]
        {
            for captures in regex(&read)?.captures_iter(code) {
                let (Some(own), Some(name)) = (captures.name("own"), captures.name("name")) else { continue };
                if !self.knows(name.as_str()) {
                    refuse(own, UNKNOWN);
                }
            }
        }
        // `"plan" in event.user.app_metadata` and `{ plan } = event.user.app_metadata` are about another object.
        let is_another = |end: usize| code[end..].trim_start().starts_with(['.', '[', '?', '(']);
        let asked = format!(r#"(?P<own>["'`](?P<name>[\w$]+)["'`]\s+in\s+{find}\b)"#);
        for captures in regex(&asked)?.captures_iter(code) {
            let (Some(own), Some(name)) = (captures.name("own"), captures.name("name")) else { continue };
            if !is_another(own.end()) && !self.knows(name.as_str()) {
                refuse(own, UNKNOWN);
            }
        }
        let taken = format!(r"(?P<own>\{{(?P<names>[^{{}}]*)\}}\s*=\s*{find}\b)");
        for captures in regex(&taken)?.captures_iter(code) {
            let (Some(own), Some(names)) = (captures.name("own"), captures.name("names")) else { continue };
            let mut names = names.as_str().split(',').filter_map(|part| part.split([':', '=']).next()).map(str::trim);
            if !is_another(own.end()) && names.any(|name| !name.is_empty() && !self.knows(name)) {
                refuse(own, UNKNOWN);
            }
        }
        let written = of(&format!(r"\.(?P<name>{NAME})")) + r"\s*(?:\|\||&&|\?\?|[-+*/%|&^])?=(?:[^=>]|$)";
        for captures in regex(&written)?.captures_iter(code) {
            let (Some(own), Some(name)) = (captures.name("own"), captures.name("name")) else { continue };
            if self.knows(name.as_str()) && !self.writable.iter().any(|writable| writable == name.as_str()) {
                refuse(own, WRITTEN);
            }
        }
        Ok(refused)
    }

    fn knows(&self, name: &str) -> bool {
        self.known.iter().any(|known| known == name)
    }
}
