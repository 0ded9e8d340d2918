//! `/console/plugins/{name}/recordings`: recordings of a plugin's calls: started, stopped, downloaded and deleted.

use crate::answer::{done, show_as};
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::form::Form;
use crate::frame::Frame;
use crate::plugins::model::Plugin;
use crate::plugins::{api, json_lines, page, read};
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use claimsmith_api::recordings::{RecordingView, StartRecording};
use claimsmith_domain::documents::plugin::RecordingState;
use serde_json::json;

/// Calls of a recording that somebody starts without saying how many.
pub(super) const USUAL_CALLS: i64 = 50;

/// What screens say of a recording.
trait RecordingFacts {
    /// The label of its state, and the CSS class of its badge.
    fn badge(&self) -> (&'static str, &'static str);
    /// Whether it goes on.
    fn goes_on(&self) -> bool;
    /// When it ended, or ends by itself.
    fn end(&self) -> i64;
}

impl RecordingFacts for RecordingView {
    fn badge(&self) -> (&'static str, &'static str) {
        match self.state {
            RecordingState::Recording => ("recording", "good"),
            RecordingState::Complete => ("complete", ""),
            RecordingState::Ended => ("ended", ""),
            RecordingState::Full => ("full", "warn"),
            RecordingState::Stopped => ("stopped", ""),
        }
    }

    fn goes_on(&self) -> bool {
        self.state == RecordingState::Recording
    }

    fn end(&self) -> i64 {
        self.ended_at.unwrap_or(self.until)
    }
}

#[derive(Template)]
#[template(path = "plugins/recordings.html")]
struct RecordingsPage {
    frame: Frame,
    plugin: Plugin,
    recordings: Vec<RecordingView>,
    /// The submitted form, after an error.
    sent: Form,
    alert: String,
}

impl RecordingsPage {
    fn count(&self) -> String {
        self.sent.filled("count").map_or_else(|| USUAL_CALLS.to_string(), str::to_owned)
    }

    fn api(&self) -> String {
        recordings(&self.plugin.name)
    }

    /// The path of a recording's download.
    fn file(&self, recording: &RecordingView) -> String {
        page(&self.plugin.name, &format!("recordings/{}/samples", segment(&recording.id)))
    }
}

/// The API path of a plugin's recordings.
pub(super) fn recordings(name: &str) -> String {
    format!("{}/recordings", api(name))
}

/// The body of a recording of the usual number of calls.
pub(super) fn usual() -> StartRecording {
    StartRecording { count: USUAL_CALLS, ..StartRecording::default() }
}

async fn show_page(caller: &Caller, name: &str, sent: Form, alert: String) -> Result<Response, Failure> {
    let plugin = read(caller, name).await?;
    let recordings = caller.get(&recordings(name)).await?;
    let status = if alert.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    let frame = Frame::new(caller, Section::Plugins);
    show_as(caller, status, &RecordingsPage { frame, plugin, recordings, sent, alert })
}

pub(super) async fn show_recordings(caller: Caller, Path(name): Path<String>) -> Result<Response, Failure> {
    show_page(&caller, &name, Form::default(), String::new()).await
}

pub(super) async fn change_recordings(Path(name): Path<String>, posted: Posted) -> Result<Response, Failure> {
    let Posted { caller, form } = posted;
    let one = format!("{}/{}", recordings(&name), segment(form.text("recording")));
    let (word, changed) = match form.text("act") {
        "stop" => ("ended", caller.change(Method::POST, &format!("{one}/stop"), json!({})).await),
        "delete" => ("deleted", caller.delete(&one).await),
        _ => match asked(&form) {
            Ok(body) => ("created", caller.change(Method::POST, &recordings(&name), body).await),
            Err(alert) => return show_page(&caller, &name, form, alert).await,
        },
    };
    match changed {
        Ok(()) => Ok(done(&page(&name, "recordings"), word)),
        Err(failure) => {
            let alert = failure.into_part()?.text();
            show_page(&caller, &name, form, alert).await
        }
    }
}

/// The recording of the form.
fn asked(form: &Form) -> Result<StartRecording, String> {
    let number = |name: &str| match form.filled(name) {
        Some(text) => {
            text.parse::<i64>().map(Some).map_err(|_| form.refuse(name, format!("“{text}” is not a whole number.")))
        }
        None => Ok(None),
    };
    let lines = |name: &str| {
        let lines: Vec<String> = form.lines(name).into_iter().map(str::to_owned).collect();
        (!lines.is_empty()).then_some(lines)
    };
    Ok(StartRecording {
        count: number("count")?.unwrap_or(USUAL_CALLS),
        until: form.filled("until").map(|until| json!(until)),
        applications: lines("applications"),
        users: lines("users"),
        outcomes: None,
        keep_http: form.is_ticked("keepHttp"),
        keep: lines("keep").unwrap_or_default(),
        expires_in_days: number("expiresInDays")?,
    })
}

/// All samples of a recording, as a file of JSON lines.
pub(super) async fn download(caller: Caller, Path((name, id)): Path<(String, String)>) -> Result<Response, Failure> {
    let path = format!("{}/{}/samples", recordings(&name), segment(&id));
    json_lines::download(&caller, &path, "attachment; filename=\"samples.jsonl\"").await
}
