//! The body of an upload: only a component or a source, or a form with manifest and golden cases.

use super::refusal::not_compiled;
use axum::extract::multipart::{Field, Multipart, MultipartError};
use axum::extract::{FromRequest, Request};
use axum::http::header;
use bytes::{Bytes, BytesMut};
use claimsmith_domain::api_code::ApiCode;
use claimsmith_runtime::{Language, MAX_SIGNATURE_BYTES};
use claimsmith_services::app::App;
use claimsmith_services::plugins::compile::QueuePlace;
use claimsmith_services::plugins::trust::GivenSignature;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::body;

/// Maximum bytes of manifest, cases and the form itself, beside the source.
const MAX_BYTES_BESIDE_SOURCE: usize = 1 << 20;

/// An upload that was not checked yet.
#[derive(Debug)]
pub(super) struct Upload {
    /// The upload's place in the queue, acquired before the body is read so that memory use is bounded.
    pub(super) place: QueuePlace,
    pub(super) language: Language,
    pub(super) source: Bytes,
    /// TOML.
    pub(super) manifest: Option<String>,
    /// JSON.
    pub(super) cases: Option<String>,
    /// What `cosign sign-blob --key` wrote for the source: of the form of a signature, and not verified.
    pub(super) signature: Option<String>,
}

impl FromRequest<App> for Upload {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<Self, ApiError> {
        let limit = app.config.plugins.max_source;
        let kind = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
        let is_form = essence(kind) == "multipart/form-data";
        let language = if is_form { None } else { Some(language_of(kind).ok_or_else(unsupported)?) };
        let place = app.plugins.compiler().place().map_err(not_compiled)?;
        let Some(language) = language else { return read_form(request, limit, place).await };
        let source = body::read(request.into_body(), limit).await.ok_or_else(|| too_large(limit))?;
        Ok(Self { place, language, source, manifest: None, cases: None, signature: None })
    }
}

async fn read_form(request: Request, limit: usize, place: QueuePlace) -> Result<Upload, ApiError> {
    // The size of the whole form is limited here, before its parts are parsed.
    let (parts, body) = request.into_parts();
    let bytes =
        body::read(body, limit.saturating_add(MAX_BYTES_BESIDE_SOURCE)).await.ok_or_else(|| too_large(limit))?;
    let request = Request::from_parts(parts, bytes.into());
    let mut form = Multipart::from_request(request, &()).await.map_err(|error| malformed(&error.body_text()))?;
    let (mut source, mut manifest, mut cases, mut signature) = (None, None, None, None);
    while let Some(field) = form.next_field().await.map_err(|error| bad_form(&error))? {
        let name = field.name().unwrap_or_default().to_owned();
        let again = match &*name {
            "source" => {
                let language = language_of_part(&field).ok_or_else(unsupported)?;
                source.replace((language, read_part(field).await.map_err(|error| bad_form(&error))?)).is_some()
            }
            "manifest" => manifest.replace(field.text().await.map_err(|error| bad_form(&error))?).is_some(),
            "cases" => cases.replace(field.text().await.map_err(|error| bad_form(&error))?).is_some(),
            "signature" => signature.replace(read_signature(field).await?).is_some(),
            _ => {
                let problem = format!("unknown part {name:?}: the parts are source, manifest, cases and signature");
                return Err(malformed(&problem));
            }
        };
        if again {
            return Err(malformed(&format!("the part {name:?} is given twice")));
        }
    }
    let (language, source) = source.ok_or_else(|| malformed("the part \"source\" is missing"))?;
    if source.len() > limit {
        return Err(too_large(limit));
    }
    Ok(Upload { place, language, source, manifest, cases, signature })
}

/// A part that has the form of a signature, whatever the server asks of signatures.
async fn read_signature(field: Field<'_>) -> Result<String, ApiError> {
    let bytes = read_part(field).await.map_err(|error| bad_form(&error))?;
    let wrong = |problem: &str| malformed(&format!("the part \"signature\": {problem}"));
    if bytes.len() > MAX_SIGNATURE_BYTES {
        return Err(wrong(&format!("at most {MAX_SIGNATURE_BYTES} bytes are accepted")));
    }
    let text = String::from_utf8(bytes.to_vec()).map_err(|_| wrong("it is not UTF-8"))?;
    GivenSignature::check_form(&text).map_err(|error| wrong(&error.to_string()))?;
    Ok(text)
}

/// The bytes of a part. The form is in memory as a whole, so they come in one piece, which is not copied.
async fn read_part(mut field: Field<'_>) -> Result<Bytes, MultipartError> {
    let first = field.chunk().await?.unwrap_or_default();
    let Some(second) = field.chunk().await? else { return Ok(first) };
    let mut bytes = BytesMut::from(first);
    bytes.extend_from_slice(&second);
    while let Some(next) = field.chunk().await? {
        bytes.extend_from_slice(&next);
    }
    Ok(bytes.freeze())
}

/// Taken from the file extension, or the part's content type.
fn language_of_part(field: &Field<'_>) -> Option<Language> {
    let ending = field.file_name().and_then(|file| file.rsplit_once('.')).map(|(_, ending)| ending);
    ending.and_then(Language::from_extension).or_else(|| field.content_type().and_then(language_of))
}

/// The language of a content type (RFC 9239 for JavaScript).
fn language_of(kind: &str) -> Option<Language> {
    match essence(kind).as_str() {
        "application/wasm" => Some(Language::Wasm),
        "text/javascript" | "application/javascript" => Some(Language::JavaScript),
        "application/typescript" | "text/typescript" => Some(Language::TypeScript),
        _ => None,
    }
}

/// A content type without its parameters.
fn essence(kind: &str) -> String {
    kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

fn bad_form(error: &MultipartError) -> ApiError {
    malformed(&error.body_text())
}

fn malformed(problem: &str) -> ApiError {
    ApiError::invalid_input("body", format!("Error in the form: {problem}"))
}

pub(super) fn too_large(limit: usize) -> ApiError {
    let message = format!("A plugin must not be larger than {limit} bytes.");
    ApiError::new(ApiCode::RequestBodyTooLarge, message)
}

fn unsupported() -> ApiError {
    let message = "A plugin is application/wasm, text/javascript or application/typescript, or a part \"source\" of \
                   multipart/form-data.";
    ApiError::new(ApiCode::RequestUnsupportedMediaType, message)
}
