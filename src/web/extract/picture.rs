//! A picture that is uploaded: the part `file` of a `multipart/form-data` body, read up to the limit of the
//! configuration.

use super::body;
use crate::error::ApiError;
use axum::body::{Body, Bytes};
use axum::extract::multipart::Multipart;
use axum::extract::{FromRequest, Request};
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_domain::outsider_rows::RowKind;
use claimsmith_identity::interaction::rows::{self, RowCaller};
use claimsmith_services::app::App;
use claimsmith_services::pictures::{ACCEPTED, Picture, PictureRejection};

/// Bytes that the form itself may have beside the file.
const MAX_BYTES_BESIDE_FILE: usize = 16 << 10;
/// After how many seconds a client may try again, when too many pictures wait.
const RETRY_AFTER_SECONDS: u16 = 1;

/// A form with a picture.
#[derive(Default)]
pub struct PictureForm {
    /// The token that ties it to a browser; empty when there is none.
    pub csrf: String,
    /// The file; empty when there is none.
    pub file: Bytes,
}

/// Why there is no such form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadForm {
    /// The file is too large, or broke off.
    TooLarge,
    /// It is no form, or has other parts.
    Malformed,
}

impl PictureForm {
    /// Reads the form of a request; its file has at most `limit` bytes.
    pub async fn read(request: Request, limit: usize) -> Result<Self, BadForm> {
        let (parts, body) = request.into_parts();
        let bytes = body::read(body, limit.saturating_add(MAX_BYTES_BESIDE_FILE)).await.ok_or(BadForm::TooLarge)?;
        let request = Request::from_parts(parts, Body::from(bytes));
        let mut form = Multipart::from_request(request, &()).await.map_err(|_| BadForm::Malformed)?;
        let mut read = Self::default();
        while let Some(field) = form.next_field().await.map_err(|_| BadForm::Malformed)? {
            let name = field.name().unwrap_or_default().to_owned();
            let content = field.bytes().await.map_err(|_| BadForm::Malformed)?;
            match name.as_str() {
                "file" if read.file.is_empty() => read.file = content,
                "csrf" if read.csrf.is_empty() => read.csrf = String::from_utf8_lossy(&content).into_owned(),
                _ => return Err(BadForm::Malformed),
            }
        }
        if read.file.len() > limit { Err(BadForm::TooLarge) } else { Ok(read) }
    }
}

/// The file of a request of an API.
pub struct PictureFile(Bytes);

impl FromRequest<App> for PictureFile {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<Self, ApiError> {
        let limit = app.config.avatars.max_size;
        let origin = request.extensions().get::<RequestOrigin>().cloned().unwrap_or_default();
        rows::check(app, RowKind::PictureWork, &origin, RowCaller::default())?;
        match PictureForm::read(request, limit).await {
            Ok(form) if !form.file.is_empty() => Ok(Self(form.file)),
            Err(BadForm::TooLarge) => Err(too_large(&format!("A picture must not be larger than {limit} bytes."))),
            Ok(_) | Err(BadForm::Malformed) => {
                let details = "Error in the form: expected multipart/form-data with a part \"file\" alone";
                Err(ApiError::invalid_input("body", details))
            }
        }
    }
}

impl PictureFile {
    /// The picture in it.
    pub async fn decode(self, app: &App, origin: &RequestOrigin) -> Result<Picture, ApiError> {
        rows::take(app, RowKind::PictureWork, origin, RowCaller::default(), self.0.len())?;
        app.pictures.read(self.0).await.map_err(|rejected| match rejected {
            PictureRejection::NotAPicture => {
                let message = format!("The file is no picture, or damaged: send {}.", ACCEPTED.join(", "));
                ApiError::new(ApiCode::GuardMimeTypeNotAllowed, message)
            }
            PictureRejection::TooManyPixels => too_large("The picture has too many pixels."),
            PictureRejection::Busy => {
                let message = "Too many pictures are waiting to be decoded; try again later.";
                ApiError::unavailable(ApiCode::RequestTooMany, message, RETRY_AFTER_SECONDS)
            }
        })
    }
}

fn too_large(message: &str) -> ApiError {
    ApiError::new(ApiCode::GuardFileSizeExceeded, message)
}
