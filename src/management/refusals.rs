//! Error responses that many operations share, for their OpenAPI descriptions.

use claimsmith_web::error::ApiErrorBody;
use utoipa::IntoResponses;

/// Of every operation.
#[derive(IntoResponses)]
pub enum AccessRefused {
    /// No valid access token.
    #[response(status = 401)]
    Unauthorized(ApiErrorBody),
    /// Without the scope that the operation needs.
    #[response(status = 403)]
    Forbidden(ApiErrorBody),
}

/// Of operations that read a body, beside [`AccessRefused`].
#[derive(IntoResponses)]
pub enum BodyRefused {
    /// The body is not what the operation takes.
    #[response(status = 400)]
    Invalid(ApiErrorBody),
    /// The body is too large.
    #[response(status = 413)]
    TooLarge(ApiErrorBody),
}

/// Of lists in pages.
#[derive(IntoResponses)]
pub enum NoSuchPage {
    /// No such page
    #[response(status = 400)]
    Invalid(ApiErrorBody),
}

/// Of lists in pages that can be searched.
#[derive(IntoResponses)]
pub enum NotSearchable {
    /// No such page, or nothing that can be searched for
    #[response(status = 400)]
    Invalid(ApiErrorBody),
}

/// Of operations that answer 422 when what the path names does not exist: 404 is only for malformed ids.
#[derive(IntoResponses)]
pub enum UnknownId {
    /// Nothing has an id like this
    #[response(status = 404)]
    Malformed(ApiErrorBody),
}

/// Of operations on a plugin.
#[derive(IntoResponses)]
pub enum NotThere {
    /// No such plugin, or none of what the path names beside it.
    #[response(status = 404)]
    Missing(ApiErrorBody),
}

/// Of operations on what need not exist yet, or is named by a word.
#[derive(IntoResponses)]
pub enum NoSuchId {
    /// Nothing can have this id: it is too long.
    #[response(status = 404)]
    TooLong(ApiErrorBody),
}

/// Of changes of an uploaded plugin, beside [`NotThere`].
#[derive(IntoResponses)]
pub enum NotChanged {
    /// The plugin is a file of the plugin folder, or what the path names is in use.
    #[response(status = 409)]
    Conflict(ApiErrorBody),
    /// The plugin is not as `If-Match` says.
    #[response(status = 412)]
    Changed(ApiErrorBody),
}

/// Of operations that take a plugin in.
#[derive(IntoResponses)]
pub enum NotAccepted {
    /// It is refused; `data.findings` says why.
    #[response(status = 422)]
    Refused(ApiErrorBody),
}

/// Of operations that compile a plugin.
#[derive(IntoResponses)]
pub enum NotCompiled {
    /// Too many plugins wait to be compiled (`plugin.busy`), or none can be compiled now, mostly since the disk of the
    /// cache is full (`plugin.compiler_unavailable`). Nothing was changed; `Retry-After` says when to come again.
    #[response(status = 503)]
    Unavailable(ApiErrorBody),
}
