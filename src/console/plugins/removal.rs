//! Deletes a plugin or a version, and disables or enables a plugin.

use crate::answer::{done, show, show_as};
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::frame::Frame;
use crate::plugins::model::{Plugin, VersionFacts};
use crate::plugins::{api, home, page, read};
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use claimsmith_api::plugins::{VersionView, VersionWithSource};
use serde_json::json;

#[derive(Template)]
#[template(path = "plugins/delete.html")]
struct DeletePage {
    frame: Frame,
    plugin: Plugin,
    /// The version to delete; none deletes the plugin.
    version: Option<VersionView>,
    alert: String,
}

impl DeletePage {
    fn action(&self) -> String {
        match &self.version {
            Some(version) => format!("{}/delete", version.href(&self.plugin.name)),
            None => page(&self.plugin.name, "delete"),
        }
    }
}

/// `POST …/enabled`.
pub(super) async fn save_enabled(Path(name): Path<String>, posted: Posted) -> Result<Response, Failure> {
    let Posted { caller, form } = posted;
    let body = json!({ "enabled": form.text("enabled") == "true" });
    caller.write_if(Method::PATCH, &api(&name), body, form.filled("etag")).await?;
    Ok(done(&home(&name), "saved"))
}

async fn show_page(caller: &Caller, name: &str, alert: &str) -> Result<Response, Failure> {
    let plugin = read(caller, name).await?;
    let status = if alert.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    let frame = Frame::new(caller, Section::Plugins);
    show_as(caller, status, &DeletePage { frame, plugin, version: None, alert: alert.to_owned() })
}

pub(super) async fn show_delete(caller: Caller, Path(name): Path<String>) -> Result<Response, Failure> {
    show_page(&caller, &name, "").await
}

pub(super) async fn delete_plugin(Path(name): Path<String>, posted: Posted) -> Result<Response, Failure> {
    let Posted { caller, form } = posted;
    if form.text("typed") != name {
        return show_page(&caller, &name, &form.refuse("typed", "That is not the plugin’s name.")).await;
    }
    match caller.delete_if(&api(&name), form.filled("etag")).await {
        Ok(()) => Ok(done("/console/plugins", "deleted")),
        Err(failure) => show_page(&caller, &name, &failure.about_input()?.text()).await,
    }
}

pub(super) async fn show_delete_version(
    caller: Caller,
    Path((name, id)): Path<(String, String)>,
) -> Result<Response, Failure> {
    let plugin = read(&caller, &name).await?;
    let VersionWithSource { version, .. } = caller.get(&format!("{}/versions/{}", api(&name), segment(&id))).await?;
    let frame = Frame::new(&caller, Section::Plugins);
    show(&caller, &DeletePage { frame, plugin, version: Some(version), alert: String::new() })
}

pub(super) async fn delete_version(
    Path((name, id)): Path<(String, String)>,
    posted: Posted,
) -> Result<Response, Failure> {
    posted.caller.delete(&format!("{}/versions/{}", api(&name), segment(&id))).await?;
    Ok(done(&page(&name, "versions"), "deleted"))
}
