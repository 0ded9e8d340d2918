//! `/console/plugins/{name}` and `/console/plugins/new`: source, settings and golden cases in one form, with the
//! server's check. Every button submits the whole form; a script requests only the parts of the page that change.

use crate::answer::{done, show, show_as};
use crate::caller::Caller;
use crate::failure::Failure;
use crate::form::Form;
use crate::frame::Frame;
use crate::plugins::cases::Cases;
use crate::plugins::checks::{CaseResult, Check, Diagnostic};
use crate::plugins::diff::Diff;
use crate::plugins::draft::{Draft, PostedDraft};
use crate::plugins::gallery;
use crate::plugins::model::Plugin;
use crate::plugins::replay::Replay;
use crate::plugins::rollout_samples::{SampleCase, asked_case};
use crate::plugins::save::{SaveMode, Saved, save};
use crate::plugins::settings::SettingsForm;
use crate::plugins::trial::{Choices, Trial, TrialParameters};
use crate::plugins::{api, home, read};
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_api::plugin_examples::TypesFile;
use serde_json::{Value, json};

/// Request header with which a script asks for parts of the page.
const PARTS: &str = "x-console-parts";

/// The state of the workbench.
pub(super) struct Workbench {
    pub draft: Draft,
    pub settings: SettingsForm,
    pub cases: Cases,
    pub check: Option<Check>,
    /// Why there is no check.
    pub unchecked: String,
    pub parameters: TrialParameters,
    pub trial: Option<Trial>,
    /// The draft over recorded calls.
    pub replay: Replay,
    /// The name of a golden case that was added and is not saved; empty without one.
    pub added_case: String,
    /// `ETag` of a version that was saved after this draft was opened, if any.
    pub newer: Option<String>,
}

impl Workbench {
    fn of(draft: Draft) -> Self {
        let (settings, cases) = (SettingsForm::of(&draft.settings, draft.kind()), Cases::of(&draft.cases));
        let parameters = TrialParameters { input: first_input(&draft, &cases), ..TrialParameters::default() };
        let (check, unchecked, trial, replay, newer) = (None, String::new(), None, Replay::default(), None);
        let added_case = String::new();
        Self { draft, settings, cases, check, unchecked, parameters, trial, replay, added_case, newer }
    }

    /// The same with one more golden case.
    fn with_case(mut draft: Draft, case: &SampleCase) -> Self {
        let mut cases = Cases::of(&draft.cases);
        cases.add(&case.name, &case.input, &case.expected);
        // Nothing is added to a text that is not a list.
        let added_case = if cases.problems.is_empty() { case.name.clone() } else { String::new() };
        draft.cases = cases.text;
        Self { added_case, ..Self::of(draft) }
    }

    fn is_new(&self) -> bool {
        self.draft.etag.is_empty()
    }

    /// The form's `action`.
    fn action(&self) -> String {
        if self.is_new() { "/console/plugins/new".to_owned() } else { home(&self.draft.name) }
    }

    /// Whether the draft was accepted without problems.
    fn is_fine(&self) -> bool {
        self.check.as_ref().is_some_and(|check| check.accepted && check.diagnostics.is_empty())
    }

    /// The result of a golden case.
    fn result(&self, case: &str) -> Option<&CaseResult> {
        self.check.as_ref()?.case(case)
    }

    /// The command that uploads the plugin.
    fn command(&self, frame: &Frame) -> String {
        let (name, ending) = (if self.draft.name.is_empty() { "NAME" } else { &self.draft.name }, self.draft.ending());
        let base = frame.command("PUT", api(name), "");
        format!("{base} \\\n  -F source=@{name}.{ending} -F manifest=@{name}.toml -F cases=@{name}.cases.json")
    }

    fn diagnostics(&self) -> &[Diagnostic] {
        self.check.as_ref().map_or(&[], |check| &check.diagnostics)
    }

    /// Whether a part has problems.
    fn has_trouble(&self, part: &str) -> bool {
        self.diagnostics().iter().any(|found| found.part == part)
    }
}

/// The initial trial input of plugins that are not claims plugins: that of their first case.
fn first_input(draft: &Draft, cases: &Cases) -> String {
    let is_claims = draft.kind() == "claims";
    cases.forms.first().filter(|_| !is_claims).map(|case| case.input.clone()).unwrap_or_default()
}

#[derive(Template)]
#[template(path = "plugins/workbench.html")]
struct WorkbenchPage {
    frame: Frame,
    workbench: Workbench,
    plugin: Option<Plugin>,
    alert: String,
    /// The diff from the version saved meanwhile to this draft.
    theirs: Option<Diff>,
    choices: Choices,
    types: Vec<TypesFile>,
}

#[derive(Template)]
#[template(path = "plugins/parts.html")]
struct Parts {
    workbench: Workbench,
}

/// Read-only page for plugins of the folder, for components, and for operators who may not edit.
#[derive(Template)]
#[template(path = "plugins/reading.html")]
struct ReadingPage {
    frame: Frame,
    plugin: Plugin,
    draft: Draft,
}

/// `GET /console/plugins/{name}`, with `?version=` to open another version than the active one, and `?case=` to add a sample
/// of its rollout to the golden cases.
pub(super) async fn show_plugin(caller: Caller, Path(name): Path<String>) -> Result<Response, Failure> {
    let plugin = read(&caller, &name).await?;
    let draft = Draft::of_plugin(&caller, &name, caller.query("version")).await;
    // A file that cannot be read has no text, but still has a page.
    let draft = match draft {
        Err(failure) if failure.is_missing() && plugin.is_file() => Draft { name, ..Draft::default() },
        draft => draft?,
    };
    if plugin.is_file() || draft.language == "wasm" || !caller.may("PUT", "/api/plugins/{name}") {
        return show(&caller, &ReadingPage { frame: Frame::new(&caller, Section::Plugins), plugin, draft });
    }
    let workbench = match asked_case(&caller, &plugin.name).await? {
        Some(case) => Workbench::with_case(draft, &case),
        None => Workbench::of(draft),
    };
    show_workbench(&caller, StatusCode::OK, workbench, Some(plugin), String::new(), None).await
}

/// `GET /console/plugins/new`, with `?example=`, or `?template=` and `?language=`.
pub(super) async fn show_new(caller: Caller) -> Result<Response, Failure> {
    let draft = gallery::beginning(&caller).await?;
    show_workbench(&caller, StatusCode::OK, Workbench::of(draft), None, String::new(), None).await
}

async fn show_workbench(
    caller: &Caller,
    status: StatusCode,
    workbench: Workbench,
    plugin: Option<Plugin>,
    alert: String,
    theirs: Option<Diff>,
) -> Result<Response, Failure> {
    let frame = Frame::new(caller, Section::Plugins);
    if caller.headers().contains_key(PARTS) && alert.is_empty() && theirs.is_none() {
        return show(caller, &Parts { workbench });
    }
    let (choices, types) = (Choices::read(caller).await?, gallery::types(caller).await?);
    show_as(caller, status, &WorkbenchPage { frame, workbench, plugin, alert, theirs, choices, types })
}

/// `POST /console/plugins/{name}`.
pub(super) async fn work_on_plugin(Path(name): Path<String>, posted: Posted) -> Result<Response, Failure> {
    let Posted { caller, form } = posted;
    let mut sent = PostedDraft::of(&form);
    sent.draft.name = name;
    work(&caller, &form, sent, false).await
}

/// `POST /console/plugins/new`.
pub(super) async fn work_on_new(posted: Posted) -> Result<Response, Failure> {
    let Posted { caller, form } = posted;
    let mut sent = PostedDraft::of(&form);
    sent.draft.etag.clear();
    work(&caller, &form, sent, true).await
}

async fn work(caller: &Caller, form: &Form, sent: PostedDraft, is_new: bool) -> Result<Response, Failure> {
    let (act, number) = form.text("act").split_once(':').unwrap_or((form.text("act"), ""));
    let number = number.parse::<usize>().ok();
    let PostedDraft { mut draft, mut cases, problems } = sent;
    let plugin = if is_new { None } else { Some(read(caller, &draft.name).await?) };
    let mode = match act {
        "save" => Some(SaveMode::Version),
        "activate" => Some(SaveMode::Active),
        _ => None,
    };
    if let Some(mode) = mode.filter(|_| problems.is_empty()) {
        return save_draft(caller, form, draft, plugin, mode, is_new).await;
    }
    match (act, number) {
        ("add-case", _) => cases.add("new case", &example_input(draft.kind()), &example_answer(draft.kind())),
        ("remove-case", Some(number)) => cases.remove(number),
        ("keep-case", _) => {
            let json = |name: &str| {
                claimsmith_json::read::<Value>(form.raw(name), claimsmith_json::INCOMING).unwrap_or_default()
            };
            cases.add("as tried", &json("kept.input"), &json("kept.expected"));
        }
        ("expect-answer", Some(number)) => {
            let check = Check::of(caller, &draft).await?.ok();
            let case = cases.forms.get(number).map(|case| case.name.clone()).unwrap_or_default();
            if let Some(got) = check.as_ref().and_then(|check| check.case(&case)?.got.as_ref()) {
                cases.set_expected(number, got);
            }
        }
        _ => {}
    }
    draft.cases.clone_from(&cases.text);
    let parameters = TrialParameters::of(form);
    let trial = match act {
        "try" => Some(Trial::of(caller, &draft, &parameters, false).await?),
        "try-stored" => Some(Trial::of(caller, &draft, &parameters, true).await?),
        _ => None,
    };
    if let Some(trial) = trial.as_ref().filter(|trial| !trial.field.is_empty()) {
        form.refuse(&trial.field, trial.refusal.clone());
    }
    let replay = match (act, &plugin) {
        ("replay", Some(_)) => Replay::of(caller, &draft).await?,
        ("replay-record", Some(_)) => Replay::record(caller, &draft.name).await?,
        _ => Replay::default(),
    };
    let (mut check, unchecked) = match Check::of(caller, &draft).await? {
        Ok(check) => (check, String::new()),
        Err(why) => (Check::default(), why),
    };
    let found = problems.into_iter().map(|(part, message)| Diagnostic::of_form(part, message));
    check.diagnostics.splice(0..0, found);
    let newer = plugin.as_ref().map(|plugin| plugin.etag.clone()).filter(|etag| *etag != draft.etag);
    let settings = SettingsForm::of(&draft.settings, draft.kind());
    let (check, added_case) = (Some(check), String::new());
    let workbench =
        Workbench { draft, settings, cases, check, unchecked, parameters, trial, replay, added_case, newer };
    // A draft with problems in its forms is not saved.
    let alert = if mode.is_some() { "It was not saved: see what is wrong.".to_owned() } else { String::new() };
    let status = if alert.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    show_workbench(caller, status, workbench, plugin, alert, None).await
}

async fn save_draft(
    caller: &Caller,
    form: &Form,
    mut draft: Draft,
    plugin: Option<Plugin>,
    mode: SaveMode,
    is_new: bool,
) -> Result<Response, Failure> {
    if draft.name.is_empty() {
        let workbench = Workbench { parameters: TrialParameters::of(form), ..Workbench::of(draft) };
        let alert = form.refuse("name", "Give the plugin a name.");
        return show_workbench(caller, StatusCode::UNPROCESSABLE_ENTITY, workbench, plugin, alert, None).await;
    }
    match save(caller, &draft, mode, is_new).await? {
        Saved::Done => {
            // The plugin's page shows the active version; a newer inactive one is opened by `?version=`.
            let saved = read(caller, &draft.name).await?;
            let latest = saved.view.deployment.as_ref().and_then(|deployment| deployment.latest_version.as_deref());
            let resting = latest.filter(|latest| saved.active_version().is_some_and(|active| active != *latest));
            // A version that costs much more than the active one is saved, and waits for somebody to activate it.
            let word = if mode == SaveMode::Active && resting.is_none() { "activated" } else { "saved" };
            let home = match resting {
                Some(latest) => format!("{}?version={latest}", home(&draft.name)),
                None => home(&draft.name),
            };
            Ok(done(&home, word))
        }
        Saved::Refused { message, check } => {
            let workbench =
                Workbench { check: Some(check), parameters: TrialParameters::of(form), ..Workbench::of(draft) };
            show_workbench(caller, StatusCode::UNPROCESSABLE_ENTITY, workbench, plugin, message, None).await
        }
        Saved::Outdated(theirs) => {
            let whole = |draft: &Draft| {
                let Draft { source, settings, cases, .. } = draft;
                format!("{source}\n// Settings\n{settings}\n// Golden cases\n{cases}")
            };
            let diff = Diff::of(&whole(&theirs), &whole(&draft));
            // Saving again overwrites the other version.
            draft.etag.clone_from(&theirs.etag);
            let workbench = Workbench { parameters: TrialParameters::of(form), ..Workbench::of(draft) };
            show_workbench(caller, StatusCode::PRECONDITION_FAILED, workbench, plugin, String::new(), Some(diff)).await
        }
    }
}

/// The input of a new golden case.
fn example_input(kind: &str) -> Value {
    match kind {
        "webhook-transform" => json!({ "event": { "event": "User.Created", "data": { "id": "u1" } } }),
        "message" => json!({}),
        _ => json!({ "context": { "user": { "id": "u1" } } }),
    }
}

fn example_answer(kind: &str) -> Value {
    match kind {
        "webhook-transform" => json!({ "sent": {} }),
        "message" => json!({ "request": {} }),
        _ => json!({ "claims": {} }),
    }
}
