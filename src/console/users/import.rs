//! `/console/users/import`: streams an uploaded file to the API, and the API's response to the browser.

use super::importing;
use crate::Console;
use crate::answer::show_as;
use crate::api::Access;
use crate::caller::Caller;
use crate::failure::Failure;
use crate::frame::Frame;
use crate::posted::is_token;
use crate::section::Section;
use askama::Template;
use axum::body::Body;
use axum::extract::{FromRequest, FromRequestParts, Multipart, Request, State};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::stream;
use std::io;
use tokio::sync::{mpsc, oneshot};

/// Chunks of the file buffered at once; each is at most as large as one read from the connection.
const PIECES: usize = 4;
/// Maximum size of a form field before the file, in bytes.
const MAX_FIELD_BYTES: usize = 1024;

#[derive(Template)]
#[template(path = "users/import.html")]
struct ImportPage {
    frame: Frame,
    alert: String,
    /// Whether the operator must sign in again first.
    needs_sign_in: bool,
    limit_note: &'static str,
}

/// The form fields before the file.
#[derive(Default)]
struct Choices {
    csrf: String,
    format: String,
    is_check: bool,
    /// The file's name, if there is a file.
    file: Option<String>,
}

pub(super) async fn show_form(caller: Caller) -> Result<Response, Failure> {
    show_with(&caller, StatusCode::OK, String::new())
}

fn show_with(caller: &Caller, status: StatusCode, alert: String) -> Result<Response, Failure> {
    let access = caller.console().api.access(caller.operator(), &Method::POST, "/api/users/import");
    let frame = Frame::new(caller, Section::Users);
    let needs_sign_in = access == Access::AfterSignIn;
    let limit_note = "A line may be 256 KiB long; the file as long as you like.";
    show_as(caller, status, &ImportPage { frame, alert, needs_sign_in, limit_note })
}

pub(super) async fn import_users(State(console): State<Console>, request: Request) -> Response {
    let (mut parts, body) = request.into_parts();
    let caller = match Caller::from_request_parts(&mut parts, &console).await {
        Ok(caller) => caller,
        Err(status) => return status.into_response(),
    };
    match import(&caller, Request::from_parts(parts, body)).await {
        Ok(response) => response,
        Err(failure) => failure.into_response(),
    }
}

async fn import(caller: &Caller, request: Request) -> Result<Response, Failure> {
    let wrong = |alert: &str| show_with(caller, StatusCode::UNPROCESSABLE_ENTITY, alert.to_owned());
    let Ok(multipart) = Multipart::from_request(request, &()).await else {
        return wrong("Choose a file.");
    };
    let (tell_choices, choices) = oneshot::channel();
    let (sender, receiver) = mpsc::channel(PIECES);
    tokio::spawn(read(multipart, tell_choices, sender));
    let Ok(choices) = choices.await else {
        return wrong("The file did not arrive. Nothing was imported.");
    };
    if !is_token(caller, &choices.csrf) {
        return Err(Failure::outdated_form(caller));
    }
    let Some(name) = choices.file.filter(|name| !name.is_empty()) else {
        return wrong("Choose a file.");
    };
    let kind = match choices.format.as_str() {
        "csv" => "text/csv",
        "jsonl" => "application/jsonl",
        _ if name.to_ascii_lowercase().ends_with(".csv") => "text/csv",
        _ => "application/jsonl",
    };
    let file = stream::unfold(receiver, |mut receiver| async move {
        let piece: Option<io::Result<Bytes>> = receiver.recv().await;
        Some((piece?, receiver))
    });
    let path = format!("/api/users/import?dryRun={}", choices.is_check);
    let headers = [("content-type", kind)];
    match caller.send(Method::POST, &path, Some(Body::from_stream(file)), &headers).await {
        Ok(answer) => importing::show(caller, answer, name, choices.is_check),
        Err(failure) => {
            let refusal = failure.about_input()?;
            show_with(caller, StatusCode::UNPROCESSABLE_ENTITY, refusal.text())
        }
    }
}

/// Reads the form: reports the fields before the file first, then passes the file on in chunks. Reads to the end even
/// if the file is rejected, because a browser shows no response before it has sent the whole request.
async fn read(
    mut multipart: Multipart,
    tell_choices: oneshot::Sender<Choices>,
    sender: mpsc::Sender<io::Result<Bytes>>,
) {
    let mut choices = Choices::default();
    loop {
        let Ok(field) = multipart.next_field().await else { return };
        let Some(mut field) = field else {
            drop(tell_choices.send(choices));
            return;
        };
        if let Some(name) = field.file_name() {
            choices.file = Some(name.to_owned());
            drop(tell_choices.send(choices));
            loop {
                let piece = match field.chunk().await {
                    Ok(Some(piece)) => Ok(piece),
                    Ok(None) => return,
                    Err(error) => Err(io::Error::other(error)),
                };
                let is_broken = piece.is_err();
                drop(sender.send(piece).await);
                if is_broken {
                    return;
                }
            }
        }
        let name = field.name().unwrap_or_default().to_owned();
        let mut value = Vec::new();
        while let Ok(Some(piece)) = field.chunk().await {
            value.extend_from_slice(&piece);
            if value.len() > MAX_FIELD_BYTES {
                return;
            }
        }
        let value = String::from_utf8_lossy(&value).into_owned();
        match name.as_str() {
            "csrf" => choices.csrf = value,
            "format" => choices.format = value,
            "check" => choices.is_check = !value.is_empty(),
            _ => {}
        }
    }
}
