//! The first sign-in of an account that a link made or gave a new password: its digest, its session in this browser, and
//! what the page says where the account is refused.

use axum::http::HeaderMap;
use claimsmith_domain::id::UserId;
use claimsmith_domain::identifier::IdentifierType;
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_identity::accounts::{self, NewPassword};
use claimsmith_identity::interaction::session as sign_in;
use claimsmith_pages::failure::PageError;
use claimsmith_pages::form::FieldError;
use claimsmith_pages::frame::Frame;
use claimsmith_services::app::App;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::sessions::SessionDetails;
use claimsmith_storage::users;
use claimsmith_web::cookies::BrowserCookie;
use claimsmith_web::error::{Failure, log_failure};

/// Hashes a new password, within the limits of the client address.
pub(super) async fn digest(
    app: &App,
    origin: &RequestOrigin,
    password: &str,
) -> Result<accounts::PasswordDigest, accounts::AccountRefusal> {
    let ticket = accounts::admit_new_password(&app.passwords, origin.ip, app.clock.now_ms())?;
    accounts::digest(&app.passwords, &ticket, NewPassword::Plain(password.to_owned())).await
}

/// Begins the user's session at the server, in this browser.
pub(super) async fn begin_sign_in(
    app: &App,
    work: &mut UnitOfWork,
    origin: &RequestOrigin,
    headers: &HeaderMap,
    user_id: &UserId,
) -> Result<sign_in::BegunSession, PageError> {
    let now = work.now();
    users::signed_in(work, user_id, now).await?;
    let details = SessionDetails {
        amr: vec!["pwd".to_owned()],
        ip: origin.ip.map(|ip| ip.to_string()),
        user_agent: origin.user_agent.clone(),
        own_client: true,
        ..SessionDetails::default()
    };
    let (sessions, browser) = (&app.config.sessions, BrowserCookie::Session.hash(app, headers));
    Ok(sign_in::begin(work, &app.random, sessions, browser.as_deref(), user_id, details).await?)
}

/// The error of a refused account, at its field.
pub(super) fn error_of(frame: &Frame, refusal: accounts::AccountRefusal) -> Result<FieldError<'_>, PageError> {
    let texts = &frame.t.errors;
    Ok(match refusal {
        accounts::AccountRefusal::Taken(IdentifierType::Email) => {
            FieldError::at("identifier", texts.email_taken.as_str())
        }
        accounts::AccountRefusal::Taken(_) | accounts::AccountRefusal::Conflict => {
            FieldError::at("identifier", texts.username_taken.as_str())
        }
        accounts::AccountRefusal::PasswordsBusy => FieldError::of_form(texts.too_many_requests.as_str()),
        accounts::AccountRefusal::Failed(error) => return Err(PageError::logged(log_failure(&*error))),
        other => {
            tracing::error!(refusal = ?other, "an administrator could not be made");
            return Err(PageError::logged(Failure::Internal));
        }
    })
}
