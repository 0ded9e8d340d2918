//! The JSON body of a Management API request, parsed and validated before a transaction begins; errors name the field.

use super::body;
use crate::error::ApiError;
use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::header;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_runtime::json::{self, INCOMING, Reason, SENT};
use claimsmith_services::app::App;
use claimsmith_storage::UNREADABLE;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use serde_path_to_error::Segment;

/// The maximum bytes of a Management API request's body, and of the rest of a body beside a plugin's source.
const MAX_BODY_BYTES: usize = 1024 * 1024;

/// A body of type `T`. A missing body counts as `{}`; unknown keys are ignored.
pub struct JsonBody<T>(pub T);

/// The same, declared as JSON: what a form of another site posts cannot be.
pub struct DeclaredJson<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for DeclaredJson<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Self, ApiError> {
        if !is_json(&request) {
            let message = "The Content-Type of the body must be application/json.";
            return Err(ApiError::new(ApiCode::RequestUnsupportedMediaType, message));
        }
        read(request, MAX_BODY_BYTES).await.map(Self)
    }
}

fn is_json(request: &Request) -> bool {
    let declared = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = declared.and_then(|declared| declared.split(';').next()).map(str::trim);
    essence.is_some_and(|essence| essence.eq_ignore_ascii_case("application/json"))
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Self, ApiError> {
        read(request, MAX_BODY_BYTES).await.map(Self)
    }
}

/// A body that is a list of `T`.
pub struct ListBody<T>(pub Vec<T>);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for ListBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Self, ApiError> {
        let value = value_in(&read_bytes(request, MAX_BODY_BYTES).await?)?;
        if !value.is_array() {
            return Err(ApiError::invalid_input("body", "Error in the body: expected a list"));
        }
        deserialize(value).map(Self)
    }
}

/// The same for a body with a plugin's source, which may be as large as an upload.
pub struct SourceBody<T>(pub T);

impl<T: DeserializeOwned> FromRequest<App> for SourceBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<Self, ApiError> {
        // Base64, or a text of which every character has to be escaped by another one.
        let source = app.config.plugins.max_source.saturating_mul(2);
        read(request, source.saturating_add(MAX_BODY_BYTES)).await.map(Self)
    }
}

/// The members of a body.
pub(super) async fn members_of(request: Request) -> Result<Map<String, Value>, ApiError> {
    object_in(&read_bytes(request, MAX_BODY_BYTES).await?)
}

async fn read<T: DeserializeOwned>(request: Request, limit: usize) -> Result<T, ApiError> {
    parse(&read_bytes(request, limit).await?)
}

async fn read_bytes(request: Request, limit: usize) -> Result<Bytes, ApiError> {
    let bytes = body::read(request.into_body(), limit).await;
    bytes.ok_or_else(|| too_large(format!("The request body must not be larger than {limit} bytes.")))
}

fn too_large(message: String) -> ApiError {
    ApiError::new(ApiCode::RequestBodyTooLarge, message)
}

/// What a body says. serde would take an array for the fields in their order.
fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    deserialize(Value::Object(object_in(bytes)?))
}

/// The object in a text, checked as a body is.
pub fn object_in(text: &[u8]) -> Result<Map<String, Value>, ApiError> {
    match value_in(text)? {
        Value::Object(members) => Ok(members),
        _ => Err(ApiError::invalid_input("body", "Error in the body: expected an object")),
    }
}

/// The value of a body; one that would take far more memory than it has bytes is refused.
pub fn value_in(bytes: &[u8]) -> Result<Value, ApiError> {
    let text: &[u8] = if bytes.is_empty() { b"{}" } else { bytes };
    let invalid = |message| ApiError::new(ApiCode::RequestInvalidJson, message);
    json::check(text, SENT).map_err(|refused| match refused.reason {
        Reason::TooLarge(_) => too_large(format!("The request body has too many values: {refused}.")),
        Reason::InexactNumber => ApiError::invalid_input("body", format!("Error in the body: {refused}")),
        Reason::TooDeep(_) | Reason::PrivateName => invalid(refused.to_string()),
    })?;
    // Syntax first: a text that is not JSON has no field to name.
    let value: Value = json::read(text, INCOMING).map_err(|error| invalid(error.to_string()))?;
    if let Some(path) = path_of_nul(&value) {
        let details = format!("Error in key path \"{path}\": NUL characters are not accepted");
        return Err(ApiError::invalid_input("body", details));
    }
    if has_marker(&value) {
        let details = format!("Error in a name: {UNREADABLE} is reserved");
        return Err(ApiError::invalid_input("body", details));
    }
    Ok(value)
}

/// A value as a `T`; the error names the member that is wrong.
pub fn deserialize<T: DeserializeOwned>(value: Value) -> Result<T, ApiError> {
    read_value(value).map_err(|details| ApiError::invalid_input("body", details))
}

fn read_value<T: DeserializeOwned>(mut value: Value) -> Result<T, String> {
    let error = match serde_path_to_error::deserialize::<_, T>(&value) {
        Ok(read) => return Ok(read),
        Err(error) => error,
    };
    let (path, problem) = (error.path().to_string(), error.inner().to_string());
    let path = blamed::<T>(&mut value, error.path(), &problem).unwrap_or(path);
    Err(format!("Error in key path \"{path}\": {problem}"))
}

/// Beginning of an error about a member that is not there.
const MISSING: &str = "missing field";
/// Most members of an object, and most objects within each other, among which the wrong member is looked for.
const MAX_BLAMED: (usize, usize) = (64, 3);

/// The path of the wrong member where the known one ends at an object whose members are read together, such as those of
/// `#[serde(flatten)]`: the only member without which the problem is another one, or none.
fn blamed<T: DeserializeOwned>(value: &mut Value, known: &serde_path_to_error::Path, problem: &str) -> Option<String> {
    let mut pointer = String::new();
    for segment in known {
        match segment {
            Segment::Map { key } => pointer.push_str(&step(key)),
            Segment::Seq { index } => pointer.push_str(&step(&index.to_string())),
            Segment::Enum { .. } | Segment::Unknown => return None,
        }
    }
    let mut names = Vec::new();
    while !problem.starts_with(MISSING) && names.len() < MAX_BLAMED.1 {
        let Some(members) = value.pointer(&pointer).and_then(Value::as_object) else { break };
        if members.len() > MAX_BLAMED.0 {
            break;
        }
        let all: Vec<String> = members.keys().cloned().collect();
        let mut wrong = all.into_iter().filter(|name| is_to_blame::<T>(value, &pointer, name, problem));
        let (Some(name), None) = (wrong.next(), wrong.next()) else { break };
        drop(wrong);
        pointer.push_str(&step(&name));
        names.push(name);
    }
    let known = Some(known.to_string()).filter(|path| path != ".");
    let whole: Vec<String> = known.into_iter().chain(names.iter().cloned()).collect();
    (!names.is_empty()).then(|| whole.join("."))
}

/// A member as a part of a JSON pointer.
fn step(name: &str) -> String {
    format!("/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// Whether the problem is gone without a member of the object at `pointer`.
fn is_to_blame<T: DeserializeOwned>(value: &mut Value, pointer: &str, name: &str, problem: &str) -> bool {
    let take = |value: &mut Value| value.pointer_mut(pointer)?.as_object_mut()?.remove(name);
    let Some(member) = take(value) else { return false };
    let others = T::deserialize(&*value).map_err(|error| error.to_string());
    if let Some(members) = value.pointer_mut(pointer).and_then(Value::as_object_mut) {
        members.insert(name.to_owned(), member);
    }
    others.err().is_none_or(|other| other != problem && !other.starts_with(MISSING))
}

/// PostgreSQL cannot store NUL in a text, so neither database is asked to.
#[must_use]
pub fn has_nul(value: &Value) -> bool {
    path_of_nul(value).is_some()
}

/// The path of the first text or name with NUL, as `a.b[0]`; empty for the value itself.
fn path_of_nul(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => text.contains('\0').then(String::new),
        Value::Array(items) => {
            let mut items = items.iter().enumerate();
            items.find_map(|(index, item)| path_of_nul(item).map(|rest| below(&format!("[{index}]"), &rest)))
        }
        Value::Object(members) => members.iter().find_map(|(name, value)| {
            let shown = name.escape_debug().to_string();
            if name.contains('\0') { Some(shown) } else { path_of_nul(value).map(|rest| below(&shown, &rest)) }
        }),
        _ => None,
    }
}

fn below(member: &str, rest: &str) -> String {
    let joint = if rest.is_empty() || rest.starts_with('[') { "" } else { "." };
    format!("{member}{joint}{rest}")
}

/// Requests cannot set the marker of unreadable documents.
fn has_marker(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(has_marker),
        Value::Object(members) => members.iter().any(|(name, value)| name == UNREADABLE || has_marker(value)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use serde_json::json;

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "it is only read")]
    struct Outer {
        name: String,
        #[serde(flatten)]
        inner: Inner,
        apart: Option<Together>,
    }

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "it is only read")]
    struct Together {
        #[serde(flatten)]
        rules: Rules,
    }

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "it is only read")]
    struct Inner {
        count: Option<u8>,
        kind: String,
        rules: Option<Rules>,
    }

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "it is only read")]
    struct Rules {
        least: Option<u8>,
        most: Option<u8>,
    }

    #[test]
    fn the_wrong_member_of_what_is_read_together_is_named() {
        for (body, path) in [
            (json!({ "name": 1, "kind": "a" }), "name"),
            (json!({ "name": "a", "kind": "a", "count": "one" }), "count"),
            (json!({ "name": "a", "kind": "a", "rules": { "least": 1, "most": "ten" } }), "rules.most"),
            (json!({ "name": "a", "kind": "a", "apart": { "least": 1, "most": "ten" } }), "apart.most"),
            (json!({ "name": "a", "count": 1 }), "."),
        ] {
            let problem = read_value::<Outer>(body.clone()).err().unwrap_or_default();
            assert!(problem.starts_with(&format!("Error in key path \"{path}\": ")), "{body}: {problem}");
        }
    }
}
