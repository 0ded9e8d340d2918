//! The form of the picture, which uploads a file.

use super::overview;
use super::proof::settle;
use super::visitor::{AccountVisitor, arrive};
use crate::form::FieldError;
use crate::paths;
use crate::sign_in::visitor::{has_token, refuse};
use axum::extract::{Request, State};
use axum::response::Response;
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_domain::outsider_rows::RowKind;
use claimsmith_identity::interaction::rows::{self, RowCaller};
use claimsmith_identity::own_account::avatar;
use claimsmith_identity::own_account::refusal::OwnAccountRefusal;
use claimsmith_services::app::App;
use claimsmith_services::pictures::PictureRejection;
use claimsmith_web::extract::form::Form;
use claimsmith_web::extract::picture::{BadForm, PictureForm};
use claimsmith_web::same_origin;

/// Stores the picture.
pub(super) async fn upload(State(app): State<App>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let origin = parts.extensions.get::<RequestOrigin>().cloned().unwrap_or_default();
    let person = match arrive(&app, &parts.method, &parts.headers, origin).await {
        Ok(person) => person,
        Err(elsewhere) => return elsewhere,
    };
    if same_origin::check(&app, &parts.headers).is_err() {
        return refuse(&person.frame, "cross_site_request");
    }
    let texts = &person.frame.t.errors;
    let caller = RowCaller { user_id: Some(&person.owner.user_id), ..RowCaller::default() };
    if rows::check(&app, RowKind::PictureWork, &person.owner.origin, caller).is_err() {
        return wrong(&person, &texts.too_many_requests).await;
    }
    let form = PictureForm::read(Request::from_parts(parts, body), app.config.avatars.max_size).await;
    let form = match form {
        Ok(form) if has_token(Some(&person.csrf), &form.csrf) => form,
        // A body that is not such a form has no token.
        Ok(_) | Err(BadForm::Malformed) => return refuse(&person.frame, "csrf_token_mismatch"),
        Err(BadForm::TooLarge) => return wrong(&person, &texts.picture_too_large).await,
    };
    if form.file.is_empty() {
        return wrong(&person, &texts.required).await;
    }
    if rows::take(&app, RowKind::PictureWork, &person.owner.origin, caller, form.file.len()).is_err() {
        return wrong(&person, &texts.too_many_requests).await;
    }
    let outcome = match app.pictures.read(form.file).await {
        Ok(picture) => avatar::set(&person.owner, picture).await,
        Err(PictureRejection::NotAPicture) => return wrong(&person, &texts.not_a_picture).await,
        Err(PictureRejection::TooManyPixels) => return wrong(&person, &texts.picture_too_large).await,
        Err(PictureRejection::Busy) => return wrong(&person, &texts.too_many_requests).await,
    };
    finish(&person, outcome).await
}

async fn finish(person: &AccountVisitor, outcome: Result<(), OwnAccountRefusal>) -> Response {
    settle(person, &Form::default(), paths::ACCOUNT_PICTURE, outcome).await
}

/// The page again, with an error about the file.
async fn wrong(person: &AccountVisitor, message: &str) -> Response {
    overview::page(person, None, Some(FieldError::at("file", message)), false).await
}
