//! A trial run of a draft: with a real user's token, a recently issued token, or a given input; shows the token's
//! content before and after.

use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::form::Form;
use crate::list::Paging;
use crate::plugins::api;
use crate::plugins::checks::LogLine;
use crate::plugins::diff::Diff;
use crate::plugins::draft::Draft;
use crate::resources::obtainable::{Recipient, obtainable};
use axum::http::Method;
use claimsmith_api::resources::ResourceWithScopes;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// Maximum number of issued tokens to choose from.
const ISSUANCES: u64 = 10;
/// Maximum number of applications to choose from.
const APPLICATIONS: u64 = 100;

/// The fields of the form, whose names on the page begin with `try.`.
const FIELDS: [&str; 8] = ["user", "application", "issuance", "kind", "resource", "scope", "said", "input"];

/// The parameters of a trial.
#[derive(Clone, Debug, Default)]
pub(super) struct TrialParameters {
    pub user: String,
    pub application: String,
    pub issuance: String,
    pub token_kind: String,
    pub resource: String,
    pub scope: String,
    /// Subject token context that a backend supplied, as JSON.
    pub said: String,
    /// The input, as JSON.
    pub input: String,
}

impl TrialParameters {
    /// Reads the parameters from a form.
    pub(super) fn of(form: &Form) -> Self {
        let text = |name: &str| form.text(&format!("try.{name}")).to_owned();
        Self {
            user: text("user"),
            application: text("application"),
            issuance: text("issuance"),
            token_kind: text("kind"),
            resource: text("resource"),
            scope: text("scope"),
            said: text("said"),
            input: text("input"),
        }
    }
}

/// The options of the form.
#[derive(Default)]
pub(super) struct Choices {
    pub issuances: Vec<Issuance>,
    pub applications: Vec<TrialSubject>,
    pub resources: Vec<ResourceWithScopes>,
}

/// An issued token.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Issuance {
    pub id: String,
    pub user_id: Option<String>,
    pub application_id: Option<String>,
    pub resource: Option<String>,
    pub grant_type: Option<String>,
    pub issued_at: i64,
}

impl Issuance {
    /// The last segment of its grant type.
    pub(super) fn grant(&self) -> &str {
        let grant = self.grant_type.as_deref().unwrap_or("token");
        grant.rsplit(':').next().unwrap_or(grant)
    }
}

/// An application or a user.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct TrialSubject {
    pub id: String,
    pub name: Option<String>,
}

impl Choices {
    /// Reads the options that the operator may see.
    pub(super) async fn read(caller: &Caller) -> Result<Self, Failure> {
        let path = |path: &str, size| Paging::first(size).of(path);
        let issuances = caller.get_if_allowed(&path("/api/issuances", ISSUANCES)).await?.unwrap_or_default();
        let applications = caller.get_if_allowed(&path("/api/applications", APPLICATIONS)).await?.unwrap_or_default();
        let resources = obtainable(caller, Recipient::AnyWithPlugins).await?;
        Ok(Self { issuances, applications, resources })
    }

    /// The name of an application, or its id.
    pub(super) fn application(&self, id: Option<&String>) -> String {
        let id = id.map_or("", String::as_str);
        let found = self.applications.iter().find(|application| application.id == id);
        found.and_then(|found| found.name.clone()).unwrap_or_else(|| id.to_owned())
    }
}

/// The result of a trial as the API returns it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct TrialResult {
    pub outcome: String,
    pub claims: Option<Value>,
    pub message: Option<String>,
    pub dropped: Vec<String>,
    pub logs: Vec<LogLine>,
    pub duration_ms: f64,
    pub peak_memory: u64,
    pub instructions: Option<u64>,
    pub body: Option<String>,
    pub headers: Option<Value>,
    pub path: Option<String>,
    pub drop_reason: Option<String>,
    pub method: Option<String>,
    pub url: Option<String>,
    pub token: Option<TokenComparison>,
    pub input: Option<Value>,
    pub not_kept: Vec<String>,
}

/// A token's content before and after the plugin.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct TokenComparison {
    pub before: Value,
    pub after: Option<Value>,
}

/// A trial as shown on the page.
#[derive(Default)]
pub(super) struct Trial {
    pub outcome: TrialResult,
    /// The diff of the token's content.
    pub diff: Diff,
    /// Why the trial did not run.
    pub refusal: String,
    /// The field that this is about; empty if it is about none.
    pub field: String,
}

impl Trial {
    fn refused((field, refusal): (&str, String)) -> Self {
        let field = if field.is_empty() { String::new() } else { format!("try.{field}") };
        Self { refusal, field, ..Self::default() }
    }

    /// Runs a draft; with `stored`, the stored plugin with its secrets instead.
    pub(super) async fn of(
        caller: &Caller,
        draft: &Draft,
        parameters: &TrialParameters,
        stored: bool,
    ) -> Result<Self, Failure> {
        let given = match given(caller, draft, parameters).await? {
            Ok(given) => given,
            Err(refusal) => return Ok(Self::refused(refusal)),
        };
        let mut body = Map::from_iter([given]);
        let path = if stored {
            format!("{}/test", api(&draft.name))
        } else {
            body.insert("language".to_owned(), json!(draft.language));
            body.insert("source".to_owned(), json!(draft.source));
            body.insert("settings".to_owned(), json!(draft.settings));
            "/api/plugins/test".to_owned()
        };
        match caller.write::<TrialResult>(Method::POST, &path, Value::Object(body)).await {
            Ok(outcome) => Ok(Self::shown(outcome)),
            Err(failure) => {
                let refusal = failure.into_part()?;
                let field = refusal.problems_of_fields(|name| FIELDS.contains(&name)).into_iter().next();
                Ok(Self::refused((field.as_ref().map_or("", |(field, _)| field.as_str()), refusal.text())))
            }
        }
    }

    fn shown(outcome: TrialResult) -> Self {
        let pretty = |value: &Value| serde_json::to_string_pretty(value).unwrap_or_default();
        let diff = outcome.token.as_ref().and_then(|token| {
            let after = token.after.as_ref()?;
            Some(Diff::of(&pretty(&token.before), &pretty(after)))
        });
        Self { diff: diff.unwrap_or_default(), outcome, ..Self::default() }
    }

    /// The claims, or else the other parts of the result, as JSON.
    pub(super) fn answer(&self) -> String {
        let TrialResult { claims, body, headers, path, method, url, .. } = &self.outcome;
        let mut answer = Map::new();
        let text = |text: &Option<String>| text.clone().map(Value::String);
        let parsed = body
            .as_ref()
            .map(|body| claimsmith_json::read(body, claimsmith_json::INCOMING).unwrap_or_else(|_| json!(body)));
        let members = [
            ("method", text(method)),
            ("url", text(url)),
            ("path", text(path)),
            ("headers", headers.clone()),
            ("body", parsed),
        ];
        for (name, value) in members {
            if let Some(value) = value {
                answer.insert(name.to_owned(), value);
            }
        }
        let shown = claims.clone().or_else(|| (!answer.is_empty()).then_some(Value::Object(answer)));
        shown.map(|value| serde_json::to_string_pretty(&value).unwrap_or_default()).unwrap_or_default()
    }

    /// The input as JSON, for a new golden case.
    pub(super) fn input(&self) -> String {
        self.outcome
            .input
            .as_ref()
            .map(|input| serde_json::to_string_pretty(input).unwrap_or_default())
            .unwrap_or_default()
    }

    /// The expectation of a golden case with this result, as JSON.
    pub(super) fn expected(&self) -> String {
        let TrialResult { outcome, claims, message, .. } = &self.outcome;
        match (outcome.as_str(), claims) {
            ("ok", Some(claims)) => json!({ "claims": claims }).to_string(),
            ("denied", _) => json!({ "denied": message }).to_string(),
            (_, None) if outcome != "ok" => json!({ "failed": message }).to_string(),
            _ => String::new(),
        }
    }

    /// Why a replay of an issued token may differ, as texts for display.
    pub(super) fn not_kept(&self) -> Vec<&'static str> {
        let explain = |word: &String| match word.as_str() {
            "interaction" => "how the person signed in is not kept",
            _ => "user, application and organization are as they are now",
        };
        let mut told: Vec<_> = self.outcome.not_kept.iter().map(explain).collect();
        told.dedup();
        told
    }

    pub(super) fn is_ok(&self) -> bool {
        self.outcome.outcome == "ok"
    }

    /// Peak memory in KiB.
    pub(super) fn memory(&self) -> u64 {
        self.outcome.peak_memory / 1024
    }
}

/// The member of the request body with the trial's parameters; or a field, and what is wrong with it.
async fn given(
    caller: &Caller,
    draft: &Draft,
    parameters: &TrialParameters,
) -> Result<Result<(String, Value), (&'static str, String)>, Failure> {
    let parsed = |field: &'static str, what: &str, text: &str| {
        claimsmith_json::read::<Value>(text, claimsmith_json::INCOMING)
            .map_err(|error| (field, format!("{what} is not valid JSON: {error}.")))
    };
    if draft.kind() != "claims" || !parameters.input.is_empty() {
        if parameters.input.is_empty() {
            return Ok(Err(("input", "Enter an input to try it with.".to_owned())));
        }
        return Ok(parsed("input", "The input", &parameters.input).map(|input| ("input".to_owned(), input)));
    }
    if !parameters.issuance.is_empty() {
        return Ok(Ok(("issuanceId".to_owned(), json!(parameters.issuance))));
    }
    if parameters.application.is_empty() {
        let problem = "Choose a token that was issued, or an application and a user.".to_owned();
        return Ok(Err(("application", problem)));
    }
    let mut request = Map::from_iter([("applicationId".to_owned(), json!(parameters.application))]);
    if !parameters.user.is_empty() {
        match user(caller, &parameters.user).await? {
            Ok(id) => request.insert("userId".to_owned(), json!(id)),
            Err(problem) => return Ok(Err(("user", problem))),
        };
    }
    if !parameters.said.is_empty() {
        match parsed("said", "The subject token context", &parameters.said) {
            Ok(said) => request.insert("subjectTokenContext".to_owned(), said),
            Err(problem) => return Ok(Err(problem)),
        };
    }
    for (name, value) in
        [("tokenKind", &parameters.token_kind), ("resource", &parameters.resource), ("scope", &parameters.scope)]
    {
        if !value.is_empty() {
            request.insert(name.to_owned(), json!(value));
        }
    }
    Ok(Ok(("request".to_owned(), Value::Object(request))))
}

/// Finds the id of a user by id, username, email or phone number.
async fn user(caller: &Caller, text: &str) -> Result<Result<String, String>, Failure> {
    let path = format!("/api/users?search={}&mode=exact", segment(text));
    let found: Vec<TrialSubject> = caller.get(&path).await?;
    Ok(match found.as_slice() {
        [one] => Ok(one.id.clone()),
        [] => Err(format!("There is no user “{text}”: give an id, a user name, an e-mail address or a phone number.")),
        _ => Err(format!("Several users are called “{text}”: give an id.")),
    })
}
