//! Edits the settings of a plugin as a form. The TOML text is authoritative: the form shows the keys that it knows, and
//! a changed field changes only its key.

use crate::form::Form;
use crate::plugins::toml_lines::{get, set, set_at, table_of};
use toml::{Table, Value};

/// The form control of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Control {
    Number,
    /// One text per line.
    Lines,
    /// One of several words.
    Choice,
    /// Any of several words.
    Checks,
    /// `NAME=value` per line.
    Pairs,
    /// `HOST NAME: value` per line.
    Headers,
}

struct Spec {
    table: &'static str,
    key: &'static str,
    label: &'static str,
    hint: &'static str,
    control: Control,
    /// The plugin kinds that have the setting; empty for all.
    kinds: &'static [&'static str],
}

const CLAIMS: &str = "claims";
const TRANSFORM: &str = "webhook-transform";
const MESSAGE: &str = "message";

const fn spec(
    (table, key): (&'static str, &'static str),
    control: Control,
    label: &'static str,
    hint: &'static str,
    kinds: &'static [&'static str],
) -> Spec {
    Spec { table, key, label, hint, control, kinds }
}

#[rustfmt::skip]
const SPECS: &[Spec] = &[
    spec(("", "enabled"), Control::Choice, "Called", "", &[]),
    spec(("", "order"), Control::Number, "Order", "Ascending, 0 when empty. A later plugin’s claims win.", &[]),
    spec(("", "on_error"), Control::Choice, "When it fails", "", &[]),
    spec(("", "token_kinds"), Control::Checks, "Tokens", "", &[CLAIMS]),
    spec(("", "grant_types"), Control::Lines, "Grant types", "One a line; all when empty.", &[CLAIMS]),
    spec(("", "applications"), Control::Lines, "Applications", "Client ids, one a line; all when empty.", &[CLAIMS]),
    spec(("", "resources"), Control::Lines, "API resources", "Indicators, one a line; all when empty.", &[CLAIMS]),
    spec(("", "events"), Control::Lines, "Events", "Names or families such as User.*; all when empty.", &[TRANSFORM]),
    spec(("", "hooks"), Control::Lines, "Webhooks", "Names or ids, one a line; all when empty.", &[TRANSFORM]),
    spec(("environment", ""), Control::Pairs, "Variables", "NAME=value, one a line: environmentVariables. No secrets.", &[]),
    spec(("limits", "deadline_ms"), Control::Number, "Time of a call (ms)", "The server’s when empty.", &[]),
    spec(("limits", "memory_mib"), Control::Number, "Memory of a call (MiB)", "The server’s when empty.", &[]),
    spec(("limits", "output_kib"), Control::Number, "Size of its answer (KiB)", "The server’s when empty.", &[]),
    spec(("limits", "instructions"), Control::Number, "Instructions of a golden case", "No limit if empty.", &[]),
    spec(("breaker", "enabled"), Control::Choice, "Circuit breaker", "Stops calling a version that keeps failing.", &[]),
    spec(("breaker", "failures"), Control::Number, "Circuit breaker: failures", "20 if empty. So many failures open it.", &[]),
    spec(("breaker", "window"), Control::Number, "Circuit breaker: window (seconds)", "60 if empty.", &[]),
    spec(("breaker", "on_open"), Control::Choice, "While the circuit breaker is open", "", &[]),
    spec(("recording", "keep"), Control::Lines, "Unredacted in recordings", "Members such as context.user.customData.plan, one per line.", &[CLAIMS, TRANSFORM]),
    spec(("capabilities.http", "hosts"), Control::Lines, "Servers it asks to reach", "Such as api.example.com, one a line. An administrator grants it.", &[CLAIMS, MESSAGE]),
    spec(("capabilities.http", "methods"), Control::Lines, "Methods", "One a line; GET when empty.", &[CLAIMS, MESSAGE]),
    spec(("capabilities.http", "calls"), Control::Number, "Requests in one call", "4 when empty.", &[CLAIMS]),
    spec(("capabilities.http", "kib"), Control::Number, "Bytes of them all (KiB)", "256 when empty.", &[CLAIMS]),
    spec(("capabilities.http", "ms"), Control::Number, "Time of a request (ms)", "500 when empty.", &[CLAIMS]),
    spec(("capabilities.http", "plain"), Control::Choice, "Requests over http", "Anyone on the way can read and change them. An administrator grants it.", &[CLAIMS, MESSAGE]),
    spec(("capabilities.http.headers", ""), Control::Headers, "Headers with secrets", "One per line: api.example.com authorization: Bearer {secret:API_KEY}. The plugin never sees the secret.", &[CLAIMS, MESSAGE]),
    spec(("capabilities.cache", "entries"), Control::Number, "Cache entries", "An administrator grants them.", &[CLAIMS]),
    spec(("capabilities.cache", "kib"), Control::Number, "Cache size (KiB)", "1024 if empty.", &[CLAIMS]),
    spec(("capabilities.cache", "everybody"), Control::Choice, "Shared cache entries", "Read by calls of all users. An administrator grants them.", &[CLAIMS]),
];

/// A setting in the form.
pub(super) struct SettingField {
    /// Suffix of its parameters after `set.` and `was.`.
    pub name: String,
    pub label: &'static str,
    pub hint: &'static str,
    pub control: Control,
    pub value: String,
    pub options: Vec<(&'static str, &'static str)>,
}

/// The settings form.
#[derive(Default)]
pub(super) struct SettingsForm {
    pub fields: Vec<SettingField>,
    /// Why the text cannot be shown as a form.
    pub problem: Option<String>,
}

impl SettingField {
    /// Whether a word is selected.
    pub(super) fn has(&self, word: &str) -> bool {
        self.value.lines().any(|line| line == word)
    }
}

impl SettingsForm {
    /// The form of a TOML text for a kind of plugin.
    pub(super) fn of(text: &str, kind: &str) -> Self {
        let table: Table = match toml::from_str(text) {
            Ok(table) => table,
            Err(error) => return Self { fields: Vec::new(), problem: Some(error.message().to_owned()) },
        };
        let specs = SPECS.iter().filter(|spec| spec.kinds.is_empty() || spec.kinds.contains(&kind));
        let fields = specs.map(|spec| SettingField {
            name: name_of(spec),
            label: spec.label,
            hint: spec.hint,
            control: spec.control,
            value: shown(&table, spec),
            options: options(spec, kind),
        });
        Self { fields: fields.collect(), problem: None }
    }
}

fn name_of(spec: &Spec) -> String {
    [spec.table, spec.key].iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join(".")
}

fn options(spec: &Spec, kind: &str) -> Vec<(&'static str, &'static str)> {
    match (spec.key, kind) {
        ("plain" | "everybody", _) => vec![("", "no"), ("true", "yes")],
        ("enabled", _) if spec.table == "breaker" => vec![("true", "yes"), ("false", "no: it is always called")],
        ("enabled", _) => vec![("true", "yes"), ("false", "no: it is disabled")],
        ("token_kinds", _) => vec![
            ("access-token", "Access tokens of people"),
            ("client-credentials", "Access tokens of applications"),
            ("id-token", "Id tokens"),
        ],
        ("on_error", TRANSFORM) => vec![
            ("", "the delivery is tried again later"),
            ("retry", "the delivery is tried again later (retry)"),
            ("original", "the delivery is sent unchanged (original)"),
            ("drop", "the delivery is not sent (drop)"),
        ],
        ("on_error", MESSAGE) => {
            vec![("", "the message is tried again"), ("retry", "the message is tried again (retry)")]
        }
        ("on_error", _) => vec![
            ("", "no token is issued"),
            ("deny", "no token is issued (deny)"),
            ("skip", "the token goes without its claims (skip)"),
        ],
        ("on_open", _) => vec![
            ("", "on_error applies"),
            ("on_error", "on_error applies (on_error)"),
            ("previous version", "the previous version answers, if it passes the golden cases"),
        ],
        _ => Vec::new(),
    }
}

/// The form value of a setting.
fn shown(table: &Table, spec: &Spec) -> String {
    if spec.control == Control::Pairs {
        let pairs = table_of(table, spec.table).into_iter().flatten();
        // Multi-line values can only be edited in the text.
        let pairs = pairs.filter_map(|(name, value)| value.as_str().map(|value| (name, value)));
        let pairs = pairs.filter(|(name, value)| !name.contains(['=', '\n']) && !value.contains('\n'));
        return pairs.map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("\n");
    }
    if spec.control == Control::Headers {
        let hosts = table_of(table, spec.table).into_iter().flatten();
        let headers = hosts.filter_map(|(host, names)| Some((host, names.as_table()?)));
        let lines = headers.flat_map(|(host, names)| {
            let texts = names.iter().filter_map(|(name, value)| Some((name, value.as_str()?)));
            texts.map(move |(name, value)| format!("{host} {name}: {value}"))
        });
        return lines.collect::<Vec<_>>().join("\n");
    }
    match (get(table, spec.table, spec.key), spec.key) {
        (None, "enabled") => "true".to_owned(),
        (None, "token_kinds") => "access-token\nclient-credentials".to_owned(),
        (None, _) | (Some(Value::Boolean(false)), "plain" | "everybody") => String::new(),
        (Some(Value::String(text)), _) => text.clone(),
        (Some(Value::Array(list)), _) => list.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n"),
        (Some(value), _) => value.to_string(),
    }
}

/// Merges changed fields into the text. Also returns why fields could not be merged.
pub(super) fn merge(text: &str, form: &Form) -> (String, Vec<String>) {
    let (mut text, mut problems) = (text.to_owned(), Vec::new());
    for spec in SPECS {
        let name = name_of(spec);
        let Some(was) = values(form, &format!("was.{name}")) else { continue };
        let is = values(form, &format!("set.{name}")).unwrap_or_default();
        if was == is {
            continue;
        }
        match changed(&text, spec, &was, &is) {
            Ok(changed) => text = changed,
            Err(problem) => problems.push(format!("{}: {problem}", spec.label)),
        }
    }
    (text, problems)
}

/// The non-empty lines of a field; none if it was not sent.
fn values(form: &Form, name: &str) -> Option<Vec<String>> {
    let mut sent = form.fields().iter().filter(|(known, _)| known == name).peekable();
    sent.peek()?;
    let lines = sent.flat_map(|(_, value)| value.lines()).map(|line| line.trim().to_owned());
    Some(lines.filter(|line| !line.is_empty()).collect())
}

fn changed(text: &str, spec: &Spec, was: &[String], is: &[String]) -> Result<String, String> {
    let first = is.first().map_or("", String::as_str);
    let value = match spec.control {
        Control::Pairs => return with_pairs(text, spec.table, was, is),
        Control::Headers => return with_headers(text, was, is),
        Control::Lines | Control::Checks if is.is_empty() => None,
        Control::Lines | Control::Checks => Some(Value::Array(is.iter().cloned().map(Value::String).collect())),
        Control::Number | Control::Choice if first.is_empty() => None,
        Control::Number => Some(Value::Integer(first.parse().map_err(|_| "that is not a whole number.".to_owned())?)),
        Control::Choice if ["enabled", "plain", "everybody"].contains(&spec.key) => {
            Some(Value::Boolean(first == "true"))
        }
        Control::Choice => Some(Value::String(first.to_owned())),
    };
    set(text, spec.table, spec.key, value.as_ref())
}

fn with_pairs(text: &str, table: &str, was: &[String], is: &[String]) -> Result<String, String> {
    let mut text = text.to_owned();
    let name_of = |line: &str| line.split_once('=').map_or(line, |(name, _)| name).trim().to_owned();
    for gone in was.iter().map(|line| name_of(line)).filter(|name| !is.iter().any(|line| name_of(line) == *name)) {
        text = set(&text, table, &gone, None)?;
    }
    for line in is.iter().filter(|line| !was.contains(line)) {
        let (name, value) = line.split_once('=').ok_or_else(|| format!("“{line}” has no “=”."))?;
        text = set(&text, table, name.trim(), Some(&Value::String(value.trim().to_owned())))?;
    }
    Ok(text)
}

/// The host, the name and the value of a line such as `api.example.com authorization: Bearer {secret:API_KEY}`.
fn header_of(line: &str) -> Option<(&str, &str, &str)> {
    let (host, rest) = line.split_once(' ')?;
    let (name, value) = rest.split_once(':')?;
    Some((host.trim(), name.trim(), value.trim()))
}

fn with_headers(text: &str, was: &[String], is: &[String]) -> Result<String, String> {
    let mut text = text.to_owned();
    let path = |host| ["capabilities", "http", "headers", host];
    let is_there = |host: &str, name: &str| {
        is.iter().filter_map(|line| header_of(line)).any(|(other, again, _)| (other, again) == (host, name))
    };
    for (host, name, _) in was.iter().filter_map(|line| header_of(line)).filter(|(host, name, _)| !is_there(host, name))
    {
        text = set_at(&text, &path(host), name, None)?;
    }
    for line in is.iter().filter(|line| !was.contains(line)) {
        let header =
            header_of(line).ok_or_else(|| format!("“{line}” is not like “api.example.com authorization: …”."))?;
        let (host, name, value) = header;
        text = set_at(&text, &path(host), name, Some(&Value::String(value.to_owned())))?;
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(fields: &[(&str, &str)]) -> Form {
        Form::of(fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect())
    }

    #[test]
    fn only_what_was_changed_in_the_form_changes_the_text() {
        let text = "# Mine.\norder = 1\nunknown = true\n[environment]\nA = \"x\"\nB = \"y\"\n";
        let untouched = form(&[("was.order", "3"), ("set.order", "3")]);
        assert_eq!(merge(text, &untouched), (text.to_owned(), Vec::new()));
        let (merged, problems) = merge(
            text,
            &form(&[
                ("was.order", "1"),
                ("set.order", "7"),
                ("was.token_kinds", "access-token\nclient-credentials"),
                ("set.token_kinds", "id-token"),
                ("was.environment", "A=x\nB=y"),
                ("set.environment", "A=x\r\nC=a=b"),
            ]),
        );
        let wanted =
            "# Mine.\norder = 7\nunknown = true\ntoken_kinds = [\"id-token\"]\n[environment]\nA = \"x\"\nC = \"a=b\"\n";
        assert_eq!((merged.as_str(), problems.len()), (wanted, 0));
        let (merged, problems) = merge(text, &form(&[("was.order", "1"), ("set.order", "early")]));
        assert_eq!((merged.as_str(), problems.len()), (text, 1));
    }

    #[test]
    fn headers_with_secrets_are_lines() {
        let text = "[capabilities.http]\nhosts = [\"a.test\", \"b.test\"]\nplain = false\n\n\
                    [capabilities.http.headers.\"a.test\"]\nauthorization = \"Bearer {secret:KEY}\"\n";
        let shown = SettingsForm::of(text, CLAIMS).fields;
        let value = |name: &str| shown.iter().find(|field| field.name == name).map(|field| field.value.as_str());
        let line = "a.test authorization: Bearer {secret:KEY}";
        assert_eq!((value("capabilities.http.headers"), value("capabilities.http.plain")), (Some(line), Some("")));
        let merged = |is: &str| {
            let fields = [("was.capabilities.http.headers", line), ("set.capabilities.http.headers", is)];
            merge(text, &form(&fields))
        };
        assert_eq!(merged(line), (text.to_owned(), Vec::new()));
        let (added, problems) = merged(&format!("{line}\r\nb.test x-key: {{secret:OTHER}}"));
        let more = "\n[capabilities.http.headers.\"b.test\"]\nx-key = \"{secret:OTHER}\"\n";
        assert_eq!((added, problems.len()), (format!("{text}{more}"), 0));
        let (removed, _) = merged("");
        assert!(!removed.contains("headers") && removed.contains("hosts = "), "{removed}");
        assert_eq!(merged("a.test").1.len(), 1, "a line without a name is refused");
    }

    #[test]
    fn switches_are_true_or_false() {
        let change = |name: &str, was: &str, is: &str| {
            let (was_name, set_name) = (format!("was.{name}"), format!("set.{name}"));
            merge("", &form(&[(was_name.as_str(), was), (set_name.as_str(), is)])).0
        };
        assert_eq!(change("capabilities.http.plain", "", "true"), "[capabilities.http]\nplain = true\n");
        assert_eq!(change("capabilities.cache.everybody", "", "true"), "[capabilities.cache]\neverybody = true\n");
        assert_eq!(change("breaker.enabled", "true", "false"), "[breaker]\nenabled = false\n");
    }

    #[test]
    fn a_kind_has_its_own_fields() {
        let names = |kind| SettingsForm::of("order = 4", kind).fields.into_iter().map(|field| field.name);
        assert!(names(CLAIMS).any(|name| name == "token_kinds") && !names(TRANSFORM).any(|name| name == "token_kinds"));
        assert!(names(TRANSFORM).any(|name| name == "hooks"));
        assert!(SettingsForm::of("order =", CLAIMS).problem.is_some());
    }
}
