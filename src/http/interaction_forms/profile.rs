//! `/profile`: what everybody must have, and this person lacks.

use super::messages::field_error;
use super::visitor::{Posted, Visitor, finish};
use crate::domain::sign_in_experience::mandatory::Missing;
use crate::http::extract::form::Form;
use crate::http::pages::form::FieldError;
use crate::http::pages::profile::ProfilePage;
use crate::interaction::identify::identify;
use crate::interaction::profile::{add_password, add_username, missing};
use crate::interaction::refusal::Refusal;
use axum::response::Response;

pub(super) async fn show(visitor: Visitor) -> Response {
    match missing(&visitor.current).await {
        Ok(lacks) => page(&visitor, &lacks, "", None),
        Err(refusal) => visitor.fail(&refusal),
    }
}

pub(super) async fn submit(Posted(mut visitor, form): Posted) -> Response {
    let username = form.all("username").next().unwrap_or_default().trim().to_owned();
    let lacks = match missing(&visitor.current).await {
        Ok(lacks) => lacks,
        Err(refusal) => return visitor.fail(&refusal),
    };
    match complete(&mut visitor, &lacks, &username, &form).await {
        Ok(()) => finish(visitor).await,
        Err(refusal) => match field_error(&visitor.frame, &refusal) {
            Some(error) => page(&visitor, &lacks, &username, Some(error)),
            None => visitor.next(&refusal),
        },
    }
}

/// Stages what was entered of what is missing. Whoever registers is known by their profile afterwards.
async fn complete(visitor: &mut Visitor, lacks: &[Missing], username: &str, form: &Form) -> Result<(), Refusal> {
    let current = &mut visitor.current;
    if lacks.contains(&Missing::Username) {
        add_username(current, username).await?;
    }
    if lacks.contains(&Missing::Password) {
        add_password(current, form.all("password").next().unwrap_or_default()).await?;
    }
    if current.progress.user_id.is_none() {
        identify(current, None).await?;
    }
    Ok(())
}

fn page(visitor: &Visitor, lacks: &[Missing], username: &str, error: Option<FieldError<'_>>) -> Response {
    let username = lacks.contains(&Missing::Username).then_some(username);
    let asks_password = lacks.contains(&Missing::Password);
    if username.is_none() && !asks_password {
        // Nothing that can be given here.
        return visitor.fail(&Refusal::MissingProfile(lacks.to_vec()));
    }
    ProfilePage { frame: &visitor.frame, csrf: &visitor.csrf, error, username, asks_password }.answer()
}
