//! `GET /api/users/export`: all users as JSON lines or CSV, read page by page while they are sent. No password hash and
//! no secret of a user is included.

use super::columns::{self, ADDRESS, CUSTOM_DATA, PROFILE};
use super::formulas::guard;
use super::{Excluded, filter_of};
use crate::parameters::SearchParameters;
use crate::refusals::AccessRefused;
use axum::body::{Body, Bytes};
use axum::extract::RawQuery;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::management::{ByAdmins, Recent, UsersRead};
use claimsmith_services::app::App;
use claimsmith_storage::users::User;
use claimsmith_storage::users::list::{self, Filter, PositionedUser};
use claimsmith_storage::{self as storage, roles};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::filters::Filters;
use claimsmith_web::extract::management::Management;
use futures_util::stream::{self, Stream, StreamExt as _};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// Users per page.
const USERS_PER_PAGE: i64 = 500;

/// How users are written.
#[derive(Clone, Copy, Default, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
enum Format {
    #[default]
    Jsonl,
    Csv,
}

/// What is wanted.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct ExportQuery {
    /// `jsonl` or `csv`; `jsonl` when not given.
    #[serde(default)]
    #[param(value_type = Option<String>)]
    format: Format,
}

/// Writes all users, or those that a search finds, the first one first: what `GET /api/users` shows of each, and the
/// names of their roles and of the connectors that they are linked at.
///
/// In CSV, an apostrophe stands before what a spreadsheet would take for a formula: `=`, `+`, `-`, `@`, their wide
/// forms, a tab or a carriage return at the beginning of a field, or in it after a semicolon, a tab or the end of a
/// line, where some spreadsheets begin another field. An import takes it away. A failure of the server breaks the
/// answer off.
#[utoipa::path(
    get, path = "/api/users/export", tag = "Users",
    params(
        ExportQuery, SearchParameters,
        ("excludeRoleId" = Option<String>, Query, description = "Without those who hold this role"),
        ("excludeOrganizationId" = Option<String>, Query, description = "Without members of this organization"),
        ("isSuspended" = Option<bool>, Query, description = "Those who are suspended, or those who are not"),
    ),
    responses(
        (
            status = 200,
            description = "The users; in CSV, an apostrophe stands before what a spreadsheet would take for a formula",
            content((String = "application/jsonl"), (String = "text/csv"))
        ),
        (status = 400, description = "Nothing that can be searched for", body = ApiErrorBody),
        AccessRefused,
    ),
)]
pub(super) async fn export_users(
    management: Management<Recent<ByAdmins<UsersRead>>>,
    Filters(query): Filters<ExportQuery>,
    RawQuery(search): RawQuery,
    Filters(excluded): Filters<Excluded>,
) -> Result<Response, ApiError> {
    let filter = filter_of(search.as_deref(), excluded)?;
    let mut export = Export { app: management.app.clone(), filter, format: query.format, after: 0, is_over: false };
    // Errors of the search are reported before the response begins.
    let first = export.page().await.map_err(ApiError::from_search)?;
    let mut tx = management.begin().await?;
    let format = query.format.extension();
    tx.audit(AuditKey::ManagementUserExport, json!({ "format": format, "isFiltered": export.filter.is_narrow() }))
        .await?;
    tx.commit().await?;
    let file = HeaderValue::try_from(format!("attachment; filename=\"users.{format}\""))?;
    let headers = [(header::CONTENT_TYPE, query.format.media_type()), (header::CONTENT_DISPOSITION, file)];
    Ok((headers, Body::from_stream(pages(first, export))).into_response())
}

impl Format {
    fn extension(self) -> &'static str {
        match self {
            Self::Jsonl => "jsonl",
            Self::Csv => "csv",
        }
    }

    fn media_type(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Jsonl => "application/jsonl; charset=utf-8",
            Self::Csv => "text/csv; charset=utf-8",
        })
    }
}

/// An export in progress.
struct Export {
    app: App,
    filter: Filter,
    format: Format,
    /// The position of the last user that was read.
    after: i64,
    is_over: bool,
}

fn pages(first: Vec<u8>, export: Export) -> impl Stream<Item = storage::Result<Bytes>> {
    let header = match export.format {
        Format::Jsonl => Vec::new(),
        Format::Csv => record(&columns::of_export()),
    };
    stream::unfold((Some([header, first].concat()), export), async |(ready, mut export)| {
        if let Some(ready) = ready {
            return Some((Ok(ready.into()), (None, export)));
        }
        if export.is_over || export.app.stopping.is_cancelled() {
            return None;
        }
        let page = export.page().await;
        if let Err(error) = &page {
            tracing::warn!(%error, "an export of users broke off");
            export.is_over = true;
        }
        Some((page.map(Into::into), (None, export)))
    })
    // The compression layer polls once more after the end.
    .fuse()
}

impl Export {
    /// The next users, serialized.
    async fn page(&mut self) -> storage::Result<Vec<u8>> {
        let mut tx = self.app.db.read().await?;
        let users = list::after(&mut tx, &self.filter, self.after, USERS_PER_PAGE).await?;
        self.is_over = (users.len() as u64) < USERS_PER_PAGE.unsigned_abs();
        self.after = users.last().map_or(self.after, |last| last.place);
        let ids: Vec<_> = users.iter().map(|one| &one.user.id).collect();
        let mut names: HashMap<_, Vec<String>> = HashMap::new();
        for held in roles::names_of_users(&mut self.app.db.read().await?, &ids).await? {
            names.entry(held.user_id).or_default().push(held.name);
        }
        let mut page = Vec::new();
        for PositionedUser { user, .. } in users {
            let roles = names.remove(&user.id).unwrap_or_default();
            let shown = shown(&user, &roles);
            match self.format {
                Format::Jsonl => {
                    page.extend_from_slice(Value::Object(shown).to_string().as_bytes());
                    page.push(b'\n');
                }
                Format::Csv => page.extend(record(&fields(&shown))),
            }
        }
        Ok(page)
    }
}

/// The exported members of a user.
fn shown(user: &User, roles: &[String]) -> Map<String, Value> {
    let targets: Vec<&String> = user.identities.as_object().into_iter().flatten().map(|(target, _)| target).collect();
    let shown = json!({
        "id": user.id,
        "username": user.username,
        "primaryEmail": user.primary_email,
        "primaryPhone": user.primary_phone,
        "name": user.name,
        "avatar": user.avatar,
        "isSuspended": user.is_suspended,
        "customData": user.custom_data.0,
        "profile": user.profile.0,
        "identities": targets,
        "roles": roles,
        "applicationId": user.application_id,
        "lastSignInAt": user.last_sign_in_at,
        "createdAt": user.created_at,
        "updatedAt": user.updated_at,
        "hasPassword": user.password_digest.is_some(),
    });
    match shown {
        Value::Object(shown) => shown,
        _ => Map::new(),
    }
}

/// The same as CSV fields, in the order of the columns.
fn fields(shown: &Map<String, Value>) -> Vec<String> {
    let profile = shown.get("profile");
    let field = |column: String| {
        let value = if let Some(member) = column.strip_prefix(ADDRESS) {
            profile.and_then(|profile| profile.get("address")?.get(member))
        } else if let Some(member) = column.strip_prefix(PROFILE) {
            profile.and_then(|profile| profile.get(member))
        } else {
            shown.get(&column)
        };
        match value {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) if column != CUSTOM_DATA => text.clone(),
            Some(other) => other.to_string(),
        }
    };
    columns::of_export().into_iter().map(|column| guard(&field(column))).collect()
}

/// A CSV record (RFC 4180). Separators that other programs use are quoted as well.
fn record(fields: &[String]) -> Vec<u8> {
    let quoted = |field: &String| {
        if field.contains(['"', ',', ';', '|', '\t', '\n', '\r']) {
            format!("\"{}\"", field.replace('"', "\"\""))
        } else {
            field.clone()
        }
    };
    let mut line = fields.iter().map(quoted).collect::<Vec<_>>().join(",");
    line.push_str("\r\n");
    line.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_quoted_where_it_must_be() {
        let fields = ["plain", "a,b", "say \"x\"", "two\nlines", "", "a;b", "a\tb", "'=1"].map(str::to_owned);
        let written = "plain,\"a,b\",\"say \"\"x\"\"\",\"two\nlines\",,\"a;b\",\"a\tb\",'=1\r\n";
        assert_eq!(String::from_utf8_lossy(&record(&fields)), written);
    }
}
