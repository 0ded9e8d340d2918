//! `bootstrap.json` in the data folder: what the first start created, for the operator of the server. Mode 0600,
//! written atomically. Its secrets never reach a log or `Debug`.

use claimsmith_config::folder;
use claimsmith_domain::id::{ApplicationId, UserId};
use claimsmith_runtime::json;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// The data created at the first start.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BootstrapReport {
    /// The public base URL.
    pub base_url: String,
    /// The listen address of the last start.
    pub listen: String,
    /// Access to the Management API.
    pub management_api: Option<ManagementReport>,
    /// The demo data, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub demo: Option<DemoReport>,
}

/// A machine-to-machine application with the scope `all`.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ManagementReport {
    /// The resource indicator of the Management API.
    pub resource: String,
    /// The application.
    pub client_id: ApplicationId,
    /// Its secret.
    pub client_secret: String,
}

/// The demo data.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DemoReport {
    /// The API's resource indicator.
    pub resource: String,
    /// Its scopes.
    pub scopes: Vec<String>,
    /// The user to be impersonated.
    pub customer_user_id: UserId,
    /// The actor.
    pub engineer_user_id: UserId,
    /// The customer's password; demo data of older versions have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub customer_password: Option<String>,
    /// The engineer's password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engineer_password: Option<String>,
    /// A public application.
    pub spa_client_id: ApplicationId,
    /// A confidential application.
    pub web_client_id: ApplicationId,
    /// Its secret.
    pub web_client_secret: String,
}

impl fmt::Debug for BootstrapReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("BootstrapReport").field("base_url", &self.base_url).finish_non_exhaustive()
    }
}

impl fmt::Debug for ManagementReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ManagementReport").field("client_id", &self.client_id).finish_non_exhaustive()
    }
}

impl fmt::Debug for DemoReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("DemoReport").field("resource", &self.resource).finish_non_exhaustive()
    }
}

/// The path of the report in a data folder.
#[must_use]
pub fn path(data_dir: &Path) -> PathBuf {
    data_dir.join("bootstrap.json")
}

/// Reads the report; `None` if it is missing or unreadable.
#[must_use]
pub fn read(path: &Path) -> Option<BootstrapReport> {
    json::read(&fs::read(path).ok()?, json::INCOMING).ok()
}

/// Replaces the report.
pub(super) fn write(path: &Path, report: &BootstrapReport) -> std::io::Result<()> {
    if let Some(parent) = path.parent() {
        folder::create_private(parent)?;
    }
    let draft = path.with_extension(format!("json.{}", std::process::id()));
    // A leftover temporary file would keep its mode, so it is created again.
    let _ = fs::remove_file(&draft);
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&draft)?;
    let mut text = serde_json::to_string_pretty(report)?;
    text.push('\n');
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&draft, path)
}
