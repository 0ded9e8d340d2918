//! Saves a draft as a new version, active or not, unless the plugin has changed since it was read.

use crate::caller::Caller;
use crate::failure::Failure;
use crate::plugins::api;
use crate::plugins::checks::Check;
use crate::plugins::draft::Draft;
use crate::plugins::model::Plugin;
use crate::refusal::ApiRefusal;
use axum::body::Body;
use axum::http::Method;
use data_encoding::HEXLOWER;
use serde_json::json;
use sha2::{Digest, Sha256};

/// The result of saving.
pub(super) enum Saved {
    Done,
    /// The server refused the draft, with the reasons.
    Refused {
        message: String,
        check: Check,
    },
    /// The plugin has changed since it was read; contains the current state.
    Outdated(Box<Draft>),
}

/// How a draft is saved.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SaveMode {
    /// As an inactive version.
    Version,
    /// As the active version.
    Active,
    /// In place of a plugin of the folder.
    TakeOver,
}

impl SaveMode {
    fn query(self) -> &'static str {
        match self {
            Self::Version => "?activate=false",
            Self::Active => "",
            Self::TakeOver => "?takeOver=true",
        }
    }
}

/// Saves a draft. A new plugin must have an unused name.
pub(super) async fn save(caller: &Caller, draft: &Draft, mode: SaveMode, is_new: bool) -> Result<Saved, Failure> {
    if is_new && caller.get_if_allowed::<Plugin>(&api(&draft.name)).await?.is_some() {
        let message = format!("There is a plugin “{}” already. Choose another name.", draft.name);
        return Ok(Saved::Refused { message, check: Check::default() });
    }
    let (kind, body) = form(draft);
    let mut headers = vec![("content-type", kind.as_str())];
    if !is_new && !draft.etag.is_empty() {
        headers.push(("if-match", &draft.etag));
    }
    let path = format!("{}{}", api(&draft.name), mode.query());
    let refusal = match caller.send(Method::PUT, &path, Some(Body::from(body)), &headers).await {
        Ok(_) => return Ok(Saved::Done),
        Err(failure) => match failure.outdated() {
            Ok(_) => return Ok(Saved::Outdated(Box::new(Draft::of_plugin(caller, &draft.name, None).await?))),
            Err(failure) => failure.into_part()?,
        },
    };
    Ok(refused(caller, draft, &refusal).await)
}

/// A refusal with all problems; a check adds the results of the golden cases.
async fn refused(caller: &Caller, draft: &Draft, refusal: &ApiRefusal) -> Saved {
    let found = Check::of_refusal(refusal);
    if found.diagnostics.is_empty() {
        return Saved::Refused { message: refusal.text(), check: found };
    }
    let checked = Check::of(caller, draft).await.ok().and_then(Result::ok);
    let check = checked.filter(|check| !check.diagnostics.is_empty()).unwrap_or(found);
    let message = "It was not saved, and nothing has changed: see what is wrong.".to_owned();
    Saved::Refused { message, check }
}

/// The content type and multipart body of an upload.
fn form(draft: &Draft) -> (String, String) {
    let Draft { name, source, settings, cases, .. } = draft;
    // A hash of the texts, so the boundary does not occur in them.
    let boundary = HEXLOWER.encode(&Sha256::digest(json!([source, settings, cases]).to_string()));
    let part = |part: &str, file: &str, text: &str| {
        format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"{part}\"; filename=\"{file}\"\r\n\r\n{text}\r\n"
        )
    };
    // The server validates names; here only header-safe characters are kept.
    let name: String =
        name.chars().filter(|character| character.is_ascii_alphanumeric() || "-_".contains(*character)).collect();
    let mut body = part("source", &format!("{name}.{}", draft.ending()), source);
    body.push_str(&part("manifest", &format!("{name}.toml"), settings));
    if !cases.trim().is_empty() {
        body.push_str(&part("cases", &format!("{name}.cases.json"), cases));
    }
    body.push_str(&["--", &boundary, "--\r\n"].concat());
    (format!("multipart/form-data; boundary={boundary}"), body)
}
