//! Edits golden cases as forms. The JSON text is authoritative: a changed form rewrites only its own case in the text.

use crate::form::Form;
use data_encoding::HEXLOWER;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fmt;

/// Expectations of a case: member in the file, label, and the plugin kinds that support it.
pub(super) const EXPECTED: &[(&str, &str, &str)] = &[
    ("claims", "exactly these claims", "claims"),
    ("denied", "a denial with this text", "claims message"),
    ("failed", "a failure whose text contains", "claims webhook-transform message"),
    ("sent", "a delivery with", "webhook-transform"),
    ("dropped", "no delivery, for this reason", "webhook-transform"),
    ("request", "this request", "message"),
];

/// The members of an object in their original order and notation.
struct Members(Vec<(String, Box<RawValue>)>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Members;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Reader)
    }
}

impl Members {
    fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.get())
    }
}

/// The form of a case.
#[derive(Clone, Default)]
pub(super) struct CaseForm {
    pub name: String,
    /// The input, as JSON.
    pub input: String,
    /// The mocked responses of other servers, as JSON.
    pub http: String,
    /// The member of [`EXPECTED`]; empty if it is none of them.
    pub expects: String,
    /// The expected value: a text or JSON.
    pub expected: String,
    /// Fingerprint of the form when it was rendered.
    pub was: String,
}

impl CaseForm {
    /// Whether the expected value is a text.
    fn is_text(&self) -> bool {
        matches!(self.expects.as_str(), "denied" | "failed" | "dropped")
    }

    fn fingerprint(&self) -> String {
        let Self { name, input, http, expects, expected, was: _ } = self;
        let text = [name, input, http, expects, expected].map(|part| part.trim()).join("\0");
        HEXLOWER.encode(&Sha256::digest(text)[..8])
    }

    fn of(members: &Members) -> Self {
        let text = |raw: &str| claimsmith_json::read::<String>(raw, claimsmith_json::INCOMING).unwrap_or_default();
        let mut this = Self {
            name: members.get("name").map(text).unwrap_or_default(),
            input: members.get("input").map(dedented).unwrap_or_default(),
            http: members.get("http").map(dedented).unwrap_or_default(),
            ..Self::default()
        };
        let expected = members.get("expected").or_else(|| members.get("expect")).unwrap_or_default();
        match claimsmith_json::read::<Members>(expected, claimsmith_json::INCOMING)
            .ok()
            .as_ref()
            .map(|members| members.0.as_slice())
        {
            Some([(word, value)]) if EXPECTED.iter().any(|(known, ..)| known == word) => {
                this.expects.clone_from(word);
                this.expected = if this.is_text() { text(value.get()) } else { dedented(value.get()) };
            }
            _ => this.expected = dedented(expected),
        }
        this.was = this.fingerprint();
        this
    }

    fn posted(form: &Form, number: usize) -> Option<Self> {
        let field = |name: &str| form.raw(&format!("case.{number}.{name}")).replace("\r\n", "\n");
        let was = field("was");
        let posted = Self {
            name: field("name"),
            input: field("input"),
            http: field("http"),
            expects: field("expects"),
            expected: field("expected"),
            was,
        };
        (!posted.was.is_empty()).then_some(posted)
    }

    /// The JSON of the case; members that the form does not have are kept.
    fn written(&self, before: &Members) -> Result<String, String> {
        let name = &self.name;
        let json = |what: &str, text: &str| match claimsmith_json::read::<&RawValue>(text, claimsmith_json::INCOMING) {
            Ok(value) => Ok(value.get().to_owned()),
            Err(error) => Err(format!("The {what} of “{name}” is no JSON: {error}.")),
        };
        let expected = match (self.expects.as_str(), self.is_text()) {
            ("", _) => json("expected answer", &self.expected)?,
            (word, true) => json!({ word: self.expected.trim_end() }).to_string(),
            (word, false) => format!("{{ \"{word}\": {} }}", json("expected answer", &self.expected)?),
        };
        let mut members = vec![("name", Value::String(name.trim().to_owned()).to_string())];
        if !self.input.trim().is_empty() {
            members.push(("input", json("input", &self.input)?));
        }
        if !self.http.trim().is_empty() {
            members.push(("http", json("answers of other servers", &self.http)?));
        }
        members.push(("expected", expected));
        let known = ["name", "input", "http", "expected", "expect"];
        let others = before.0.iter().filter(|(name, _)| !known.contains(&name.as_str()));
        members.extend(others.map(|(name, value)| (name.as_str(), dedented(value.get()))));
        let members = members.iter().map(|(name, value)| format!("    {}: {}", json!(name), indented(value)));
        Ok(format!("{{\n{}\n  }}", members.collect::<Vec<_>>().join(",\n")))
    }
}

/// The cases of a draft, with the problems of their forms.
#[derive(Default)]
pub(super) struct Cases {
    pub text: String,
    pub forms: Vec<CaseForm>,
    pub problems: Vec<String>,
}

impl Cases {
    /// Parses the cases of a text.
    pub(super) fn of(text: &str) -> Self {
        let mut this = Self { text: text.to_owned(), ..Self::default() };
        match read(text) {
            Ok(cases) => {
                this.forms = cases.iter().filter_map(|raw| members(raw)).map(|case| CaseForm::of(&case)).collect();
            }
            // The server's check reports the position of the error.
            Err(_) => this.forms = Vec::new(),
        }
        this
    }

    /// Merges changed forms into the text. A form that cannot be written is shown as submitted.
    pub(super) fn merge(text: &str, form: &Form) -> Self {
        let Ok(mut cases) = read(text) else { return Self::of(text) };
        let (mut problems, mut kept) = (Vec::new(), Vec::new());
        for (number, case) in cases.iter_mut().enumerate() {
            let (Some(posted), Some(before)) = (CaseForm::posted(form, number), members(case)) else { continue };
            if posted.fingerprint() == posted.was {
                continue;
            }
            match posted.written(&before) {
                Ok(written) => *case = written,
                Err(problem) => {
                    problems.push(problem);
                    kept.push((number, posted));
                }
            }
        }
        let written = write(&cases);
        let mut this = Self::of(if read(text).is_ok_and(|before| before == cases) { text } else { &written });
        for (number, posted) in kept {
            if let Some(shown) = this.forms.get_mut(number) {
                *shown = posted;
            }
        }
        this.problems = problems;
        this
    }

    /// Adds a case under an unused name.
    pub(super) fn add(&mut self, name: &str, input: &Value, expected: &Value) {
        let Ok(mut cases) = read(&self.text) else {
            self.problems.push("The cases are no list in JSON; nothing was added.".to_owned());
            return;
        };
        let is_taken = |wanted: &str| self.forms.iter().any(|case| case.name == wanted);
        let numbers = (2..).map(|number| format!("{name} {number}"));
        let name = std::iter::once(name.to_owned()).chain(numbers).find(|name| !is_taken(name)).unwrap_or_default();
        let case = json!({ "name": name, "input": input, "expected": expected });
        cases.push(indented_by(&serde_json::to_string_pretty(&case).unwrap_or_default(), "  "));
        *self = Self { problems: std::mem::take(&mut self.problems), ..Self::of(&write(&cases)) };
    }

    /// Removes a case.
    pub(super) fn remove(&mut self, number: usize) {
        if let Ok(mut cases) = read(&self.text)
            && number < cases.len()
        {
            cases.remove(number);
            let text = if cases.is_empty() { String::new() } else { write(&cases) };
            *self = Self { problems: std::mem::take(&mut self.problems), ..Self::of(&text) };
        }
    }

    /// Sets the expected value of a case.
    pub(super) fn set_expected(&mut self, number: usize, expected: &Value) {
        let Ok(mut cases) = read(&self.text) else { return };
        let (Some(case), Some(form)) = (cases.get_mut(number), self.forms.get(number)) else { return };
        let expected = serde_json::to_string_pretty(expected).unwrap_or_default();
        let form = CaseForm { expects: String::new(), expected, ..form.clone() };
        if let Some(written) = members(case).and_then(|before| form.written(&before).ok()) {
            *case = written;
            *self = Self { problems: std::mem::take(&mut self.problems), ..Self::of(&write(&cases)) };
        }
    }
}

fn members(raw: &str) -> Option<Members> {
    claimsmith_json::read(raw, claimsmith_json::INCOMING).ok()
}

/// The JSON of each case, as written in the text.
fn read(text: &str) -> Result<Vec<String>, serde_json::Error> {
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    let cases: Vec<Box<RawValue>> = claimsmith_json::read(text, claimsmith_json::INCOMING)?;
    Ok(cases.iter().map(|case| case.get().to_owned()).collect())
}

fn write(cases: &[String]) -> String {
    format!("[\n  {}\n]\n", cases.join(",\n  "))
}

/// Removes the indentation that all lines but the first share. Safe, because a JSON string cannot span lines.
fn dedented(raw: &str) -> String {
    let depth =
        raw.lines().skip(1).filter(|line| !line.trim().is_empty()).map(|line| line.len() - line.trim_start().len());
    let depth = depth.min().unwrap_or(0);
    let lines = raw.lines().enumerate();
    let lines = lines.map(|(number, line)| if number == 0 { line } else { line.get(depth..).unwrap_or("") });
    lines.collect::<Vec<_>>().join("\n")
}

/// Indents JSON as the value of a member of a case.
fn indented(text: &str) -> String {
    indented_by(text.trim(), "    ")
}

fn indented_by(text: &str, space: &str) -> String {
    text.lines().collect::<Vec<_>>().join(&format!("\n{space}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"[
  {
    "name": "one",
    "input": {
      "context": { "user": { "id": "u1" } }
    },
    "expected": { "claims": { "a": 1 } }
  },
  { "name": "two", "expected": { "denied": "No." }, "why": "a member of its own" }
]
"#;

    fn posted(forms: &[CaseForm]) -> Form {
        let fields = forms.iter().enumerate().flat_map(|(number, form)| {
            let CaseForm { name, input, http, expects, expected, was } = form.clone();
            let named =
                [("name", name), ("input", input), ("http", http), ("expects", expects), ("expected", expected)];
            let named = named.into_iter().chain([("was", was)]);
            named.map(move |(name, value)| (format!("case.{number}.{name}"), value)).collect::<Vec<_>>()
        });
        Form::of(fields.collect())
    }

    #[test]
    fn a_case_is_shown_in_parts() {
        let cases = Cases::of(TEXT);
        let one = &cases.forms[0];
        assert_eq!(one.input, "{\n  \"context\": { \"user\": { \"id\": \"u1\" } }\n}");
        assert_eq!((one.expects.as_str(), one.expected.as_str()), ("claims", "{ \"a\": 1 }"));
        assert_eq!((cases.forms[1].expects.as_str(), cases.forms[1].expected.as_str()), ("denied", "No."));
        assert_eq!(Cases::merge(TEXT, &posted(&cases.forms)).text, TEXT, "nothing was changed");
    }

    #[test]
    fn a_changed_form_rewrites_its_case_alone() {
        let mut forms = Cases::of(TEXT).forms;
        forms[1].expected = "Never.".to_owned();
        let merged = Cases::merge(TEXT, &posted(&forms));
        let (before, after) = TEXT.split_once("  { \"name\": \"two\"").unwrap_or_default();
        assert!(merged.text.starts_with(before) && !after.is_empty(), "{}", merged.text);
        let parsed: Value = claimsmith_json::read(&merged.text, claimsmith_json::INCOMING).unwrap_or_default();
        assert_eq!(
            parsed[1],
            json!({ "name": "two", "expected": { "denied": "Never." }, "why": "a member of its own" })
        );
        forms[0].input = "{".to_owned();
        let broken = Cases::merge(TEXT, &posted(&forms));
        assert_eq!((broken.problems.len(), broken.forms[0].input.as_str()), (1, "{"), "what was typed stays");
    }

    #[test]
    fn cases_come_and_go() {
        let mut cases = Cases::of("");
        cases.add("new case", &json!({}), &json!({ "claims": {} }));
        cases.add("new case", &json!({}), &json!({ "claims": {} }));
        assert_eq!(cases.forms.iter().map(|case| case.name.as_str()).collect::<Vec<_>>(), ["new case", "new case 2"]);
        cases.set_expected(1, &json!({ "denied": "No." }));
        assert_eq!(cases.forms[1].expects, "denied");
        cases.remove(0);
        cases.remove(0);
        assert_eq!(cases.text, "");
    }
}
