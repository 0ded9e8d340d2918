//! `GET /api/configs/server`: the server's startup configuration, which is changed at its source.

use crate::refusals::AccessRefused;
use axum::Json;
use claimsmith_config::{Setting, ValueSource};
use claimsmith_domain::management::ConfigsRead;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::management::Management;
use serde::Serialize;

/// One key of the configuration.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "key": "server.request_timeout", "value": "30", "defaultValue": "30",
    "source": { "kind": "default", "name": null }, "environment": "CLAIMSMITH_REQUEST_TIMEOUT",
    "flag": "--request-timeout", "description": "time that a request may take",
    "accepts": "a whole number of seconds from 1 to 600", "isSecret": false
}))]
pub(super) struct ServerSetting {
    /// Its dotted path in the configuration file.
    key: &'static str,
    /// As text, a list with commas; null when it is not set, `***` where it is secret.
    value: Option<String>,
    /// Its default, in words where that is not a constant.
    default_value: Option<String>,
    source: SettingSource,
    /// The environment variable that sets it.
    environment: &'static str,
    /// The flag that sets it, if there is one.
    flag: Option<String>,
    /// What it is for.
    description: &'static str,
    /// What it accepts, in words.
    accepts: String,
    is_secret: bool,
}

/// Where a value came from.
#[derive(Serialize, utoipa::ToSchema)]
struct SettingSource {
    /// `default`, `follows`, `file`, `environment` or `flag`.
    kind: &'static str,
    /// The key that it follows, the file, the variable, or the flag.
    name: Option<String>,
}

/// Lists every key of the server's configuration with its value and where that came from.
#[utoipa::path(
    get, path = "/api/configs/server", tag = "Configs", summary = "Show the server's own settings",
    responses((status = 200, description = "Every key", body = Vec<ServerSetting>), AccessRefused),
)]
pub(super) async fn show_server_settings(
    management: Management<ConfigsRead>,
) -> Result<Json<Vec<ServerSetting>>, ApiError> {
    Ok(Json(management.app.config.settings().into_iter().map(ServerSetting::from).collect()))
}

impl From<Setting> for ServerSetting {
    fn from(setting: Setting) -> Self {
        Self {
            key: setting.key,
            value: setting.value,
            default_value: setting.default,
            source: setting.source.into(),
            environment: setting.environment,
            flag: setting.flag.map(|flag| format!("--{flag}")),
            description: setting.about,
            accepts: setting.accepts,
            is_secret: setting.is_secret,
        }
    }
}

impl From<ValueSource> for SettingSource {
    fn from(source: ValueSource) -> Self {
        let (kind, name) = match source {
            ValueSource::Default => ("default", None),
            ValueSource::Follows(key) => ("follows", Some(key.to_owned())),
            ValueSource::File(name) => ("file", Some(name)),
            ValueSource::Environment(name) => ("environment", Some(name.to_owned())),
            ValueSource::Flag(name) => ("flag", Some(format!("--{name}"))),
        };
        Self { kind, name }
    }
}
