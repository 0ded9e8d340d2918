//! Hands a token over to an application: a page whose form the operator's browser posts to it. The token is in the form
//! alone, never in a URL (`docs/decisions/people-who-administer.md`).

use crate::answer::show;
use crate::caller::Caller;
use crate::failure::Failure;
use crate::frame::Frame;
use crate::section::Section;
use askama::Template;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use url::Url;

/// What is handed over.
pub(crate) struct HandOver {
    /// The heading of the page.
    pub(crate) title: String,
    /// What to do if scripts do not run.
    pub(crate) note: &'static str,
    /// The name of the application.
    pub(crate) application: String,
    /// Where the form is posted to.
    pub(crate) address: String,
    /// Hidden form fields: names and values.
    pub(crate) fields: Vec<(&'static str, String)>,
}

#[derive(Template)]
#[template(path = "impersonations/hand_over.html")]
struct HandOverPage {
    frame: Frame,
    handed: HandOver,
}

/// The page that posts the form.
pub(crate) fn respond(caller: &Caller, section: Section, handed: HandOver) -> Result<Response, Failure> {
    let policy = policy(caller, &handed.address)?;
    let mut response = show(caller, &HandOverPage { frame: Frame::new(caller, section), handed })?;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // The application sees in `Origin` that the console sent the form; the referrer contains only the origin.
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("strict-origin"));
    Ok(response)
}

/// CSP of the page that posts the token: `form-action` allows the application and this server only. The server is
/// needed because browsers apply the policy to redirects as well, and an application redirects here to sign in.
fn policy(caller: &Caller, address: &str) -> Result<HeaderValue, Failure> {
    let origin = Url::parse(address).map(|url| url.origin().ascii_serialization());
    let origin = origin.map_err(|error| Failure::broken(caller, &error))?;
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
         base-uri 'none'; frame-ancestors 'none'; form-action 'self' {origin}"
    );
    HeaderValue::try_from(policy).map_err(|error| Failure::broken(caller, &error))
}
