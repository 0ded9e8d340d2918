//! Takes over a plugin from the folder: its texts become an uploaded plugin of the same name, and the file is inactive
//! until that plugin is deleted.

use crate::answer::{done, show_as};
use crate::caller::Caller;
use crate::failure::Failure;
use crate::frame::Frame;
use crate::plugins::checks::{Check, Diagnostic};
use crate::plugins::draft::Draft;
use crate::plugins::model::Plugin;
use crate::plugins::save::{SaveMode, Saved, save};
use crate::plugins::{home, read};
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;

#[derive(Template)]
#[template(path = "plugins/take_over.html")]
struct TakeOverPage {
    frame: Frame,
    plugin: Plugin,
    /// Why the takeover failed.
    alert: String,
    diagnostics: Vec<Diagnostic>,
}

async fn show_page(caller: &Caller, name: &str, alert: String, check: Check) -> Result<Response, Failure> {
    let plugin = read(caller, name).await?;
    let status = if alert.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    let frame = Frame::new(caller, Section::Plugins);
    show_as(caller, status, &TakeOverPage { frame, plugin, alert, diagnostics: check.diagnostics })
}

pub(super) async fn show_take_over(caller: Caller, Path(name): Path<String>) -> Result<Response, Failure> {
    show_page(&caller, &name, String::new(), Check::default()).await
}

pub(super) async fn take_over(Path(name): Path<String>, posted: Posted) -> Result<Response, Failure> {
    let caller = posted.caller;
    let mut draft = Draft::of_plugin(&caller, &name, None).await?;
    draft.settings = without_secrets(&draft.settings);
    match save(&caller, &draft, SaveMode::TakeOver, false).await? {
        Saved::Done => Ok(done(&home(&name), "saved")),
        Saved::Refused { message, check } => show_page(&caller, &name, message, check).await,
        Saved::Outdated(_) => {
            let alert = "The file changed a moment ago. Look at it again before you take it over.".to_owned();
            show_page(&caller, &name, alert, Check::default()).await
        }
    }
}

/// Removes `[secrets]` tables from the settings: they name files and variables of the server, which uploads must not.
fn without_secrets(settings: &str) -> String {
    let mut is_secret = false;
    let kept = settings.split_inclusive('\n').filter(|line| {
        if line.trim_start().starts_with('[') {
            is_secret = line.trim_start().starts_with("[secrets");
        }
        !is_secret
    });
    kept.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_stay_with_the_server() {
        let settings = "order = 1\n[secrets]\nKEY = { env = \"K\" }\n[limits]\ndeadline_ms = 5\n";
        assert_eq!(without_secrets(settings), "order = 1\n[limits]\ndeadline_ms = 5\n");
    }
}
