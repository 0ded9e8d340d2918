//! `/console/plugins/{name}/population-runs`: a version, run over all users: started, followed, canceled, downloaded and
//! deleted. The server works on it; the page only shows how far it is.

use crate::answer::{done, show_as};
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::form::Form;
use crate::frame::Frame;
use crate::plugins::model::Plugin;
use crate::plugins::rollout::{class_title, milliseconds};
use crate::plugins::{api, json_lines, page, read};
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use claimsmith_api::plugins::VersionView;
use claimsmith_api::population_runs::{PopulationClaim, PopulationClass, PopulationRunState, PopulationRunView};
use claimsmith_domain::documents::rollout::DifferenceClass;
use serde_json::{Map, Value, json};

#[derive(Template)]
#[template(path = "plugins/population_runs.html")]
struct PopulationRunsPage {
    frame: Frame,
    plugin: Plugin,
    runs: Vec<ShownRun>,
    versions: Vec<VersionView>,
    /// The submitted form, after an error.
    sent: Form,
    alert: String,
}

impl PopulationRunsPage {
    fn api(&self) -> String {
        runs(&self.plugin.name)
    }

    /// Whether one of them goes on.
    fn goes_on(&self) -> bool {
        self.runs.iter().any(|run| run.goes_on)
    }

    /// The path of the download of a run's differences.
    fn file(&self, run: &ShownRun) -> String {
        page(&self.plugin.name, &format!("population-runs/{}/differences", segment(&run.id)))
    }
}

/// A run in words and numbers.
struct ShownRun {
    id: String,
    version: String,
    /// What it is compared with.
    against: String,
    application: String,
    state: &'static str,
    /// The CSS class of the badge of its state.
    class: &'static str,
    goes_on: bool,
    /// Users that it has passed, of all.
    visited: i64,
    total: i64,
    /// How far it is, in words.
    progress: String,
    problem: String,
    created_at: i64,
    expires_at: i64,
    /// Counts that are seldom above zero; empty where none is.
    also: String,
    /// The versions: title, p50, p99.
    durations: Vec<[String; 3]>,
    /// Answers by class: title, count, share.
    answers: Vec<[String; 3]>,
    /// Claims that differ: name, added, removed, changed, noise.
    claims: Vec<[String; 5]>,
    differences: i64,
}

impl ShownRun {
    fn of(run: PopulationRunView) -> Self {
        let (state, class) = match run.state {
            PopulationRunState::Running => ("running", "good"),
            PopulationRunState::Complete => ("complete", ""),
            PopulationRunState::Canceled => ("canceled", "warn"),
            PopulationRunState::Failed => ("failed", "bad"),
        };
        let against = match &run.against {
            Some(version) => format!("Version {version}"),
            None => "No plugin".to_owned(),
        };
        let results = run.results.unwrap_or_default();
        let candidate = (format!("Version {}", run.version), results.candidate);
        let compared = run.against.as_ref().map(|_| (against.clone(), results.against));
        let durations = compared.into_iter().chain([candidate]);
        let durations = durations.map(|(title, times)| [title, milliseconds(times.p50_us), milliseconds(times.p99_us)]);
        let [noisy, other_claims] =
            [results.noisy, results.other_claims].map(|count| i64::try_from(count).unwrap_or(i64::MAX));
        let mut also = Vec::new();
        for (count, what) in [
            (noisy, "users with noise"),
            (other_claims, "differences of further claims"),
            (run.skipped, "users without such a token"),
            (run.http_refused, "HTTP requests refused"),
            (run.http_sent, "HTTP requests sent"),
            (run.dropped, "differences not kept"),
        ] {
            if count > 0 {
                also.push(format!("{count} {what}"));
            }
        }
        Self {
            progress: format!("{} of {} users compared", run.compared, run.users),
            id: run.id,
            version: run.version,
            against,
            application: run.application,
            state,
            class,
            goes_on: run.state == PopulationRunState::Running,
            visited: run.visited,
            total: run.total.max(1),
            problem: run.problem.unwrap_or_default(),
            created_at: run.created_at,
            expires_at: run.expires_at,
            also: also.join(", "),
            durations: durations.collect(),
            answers: results.classes.iter().map(answer).collect(),
            claims: results.claims.iter().map(claim).collect(),
            differences: run.differences,
        }
    }
}

fn answer(one: &PopulationClass) -> [String; 3] {
    let title: &str = match DifferenceClass::ALL.into_iter().find(|class| class.as_str() == one.class) {
        Some(class) => class_title(class),
        None => &one.class,
    };
    [title.to_owned(), one.count.to_string(), format!("{} %", one.share)]
}

fn claim(one: &PopulationClaim) -> [String; 5] {
    let [added, removed, changed, noise] =
        [one.added, one.removed, one.changed, one.noise].map(|count| count.to_string());
    [one.name.clone(), added, removed, changed, noise]
}

/// The API path of a plugin's runs.
fn runs(name: &str) -> String {
    format!("{}/population-runs", api(name))
}

async fn show_page(caller: &Caller, name: &str, sent: Form, alert: String) -> Result<Response, Failure> {
    let plugin = read(caller, name).await?;
    let found: Vec<PopulationRunView> = caller.get(&runs(name)).await?;
    let runs = found.into_iter().map(ShownRun::of).collect();
    let versions = caller.get_if_allowed(&format!("{}/versions", api(name))).await?.unwrap_or_default();
    let status = if alert.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    let frame = Frame::new(caller, Section::Plugins);
    show_as(caller, status, &PopulationRunsPage { frame, plugin, runs, versions, sent, alert })
}

pub(super) async fn show_runs(caller: Caller, Path(name): Path<String>) -> Result<Response, Failure> {
    show_page(&caller, &name, Form::default(), String::new()).await
}

pub(super) async fn change_runs(Path(name): Path<String>, posted: Posted) -> Result<Response, Failure> {
    let Posted { caller, form } = posted;
    let one = format!("{}/{}", runs(&name), segment(form.text("run")));
    let (word, changed) = match form.text("act") {
        "cancel" => ("ended", caller.change(Method::POST, &format!("{one}/cancel"), json!({})).await),
        "delete" => ("deleted", caller.delete(&one).await),
        _ => match asked(&form) {
            Ok(body) => ("created", caller.change(Method::POST, &runs(&name), body).await),
            Err(alert) => return show_page(&caller, &name, form, alert).await,
        },
    };
    match changed {
        Ok(()) => Ok(done(&page(&name, "population-runs"), word)),
        Err(failure) => {
            let alert = failure.into_part()?.text();
            show_page(&caller, &name, form, alert).await
        }
    }
}

/// The run of the form.
fn asked(form: &Form) -> Result<Value, String> {
    let number = |name: &str| match form.filled(name) {
        Some(text) => {
            text.parse::<i64>().map(Some).map_err(|_| form.refuse(name, format!("“{text}” is not a whole number.")))
        }
        None => Ok(None),
    };
    let mut body = Map::new();
    for name in ["version", "against", "application", "grantType", "resource", "scope"] {
        if let Some(text) = form.filled(name) {
            body.insert(name.to_owned(), json!(text));
        }
    }
    if let Some(sample) = number("sample")? {
        body.insert("sample".to_owned(), json!(sample));
    }
    if let Some(per_second) = number("perSecond")? {
        body.insert("http".to_owned(), json!({ "perSecond": per_second }));
    }
    Ok(Value::Object(body))
}

/// All differences of a run, as a file of JSON lines.
pub(super) async fn download(caller: Caller, Path((name, id)): Path<(String, String)>) -> Result<Response, Failure> {
    let path = format!("{}/{}/differences", runs(&name), segment(&id));
    json_lines::download(&caller, &path, "attachment; filename=\"differences.jsonl\"").await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_a_run() {
        let form = |fields: &[(&str, &str)]| {
            Form::of(fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect())
        };
        let filled = form(&[
            ("version", "3"),
            ("against", "active"),
            ("application", " web "),
            ("sample", "100"),
            ("perSecond", "5"),
            ("scope", ""),
        ]);
        let expected = json!({
            "version": "3", "against": "active", "application": "web", "sample": 100, "http": { "perSecond": 5 }
        });
        assert_eq!(asked(&filled), Ok(expected));
        let wrong = form(&[("version", "3"), ("sample", "many")]);
        assert!(asked(&wrong).is_err() && wrong.is_wrong("sample"));
    }
}
