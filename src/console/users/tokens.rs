//! Personal access tokens of a user: made, shown once, deleted.

use super::secret::Secret;
use super::sessions::show_again;
use super::user::{Head, SESSIONS, operation, page};
use crate::caller::segment;
use crate::failure::Failure;
use crate::form::Posted;
use crate::frame::done;
use axum::extract::Path;
use axum::http::Method;
use axum::response::Response;
use chrono::NaiveDate;
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize)]
struct Made {
    value: String,
}

pub(super) async fn create_token(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let body = json!({ "name": form.text("name"), "expiresAt": end_of(form.text("expires")) });
    let made: Made = match caller.write(Method::POST, &operation(&id, "/personal-access-tokens"), body).await {
        Ok(made) => made,
        Err(failure) => return show_again(&caller, &id, failure).await,
    };
    let head = Head::load(&caller, &id, SESSIONS).await?;
    let about = "A program exchanges it for access tokens (grant_type token-exchange, with \
        subject_token_type urn:logto:token-type:personal_access_token).";
    let title = "The personal access token";
    Secret { title, about: about.to_owned(), values: vec![made.value], picture: None, then: "sessions" }
        .show(&caller, head)
}

pub(super) async fn delete_token(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let path = operation(&id, &format!("/personal-access-tokens/{}", segment(form.text("name"))));
    match caller.delete(&path).await {
        Ok(()) => Ok(done(&page(&id, "sessions"), "deleted")),
        Err(failure) => show_again(&caller, &id, failure).await,
    }
}

/// The last millisecond of a day in UTC; nothing if there is no day.
fn end_of(day: &str) -> Option<i64> {
    let day = NaiveDate::parse_from_str(day, "%Y-%m-%d").ok()?;
    Some(day.and_hms_milli_opt(23, 59, 59, 999)?.and_utc().timestamp_millis())
}

#[cfg(test)]
mod tests {
    use super::end_of;

    #[test]
    fn a_token_lasts_to_the_end_of_its_day() {
        assert_eq!(end_of("2026-11-24"), Some(1_795_564_799_999));
        assert_eq!(end_of(""), None);
        assert_eq!(end_of("tomorrow"), None);
    }
}
