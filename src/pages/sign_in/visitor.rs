//! The visitor of an interaction page: the interaction of their browser, the frame of the page, and the token that
//! binds its form to the browser (CSRF).

use crate::error_page::{ErrorKind, ErrorPage};
use crate::failure::PageError;
use crate::frame::{Frame, PageContext};
use crate::no_interaction::no_interaction;
use crate::paths;
use axum::Extension;
use axum::body::Body;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::authorization::request::Device;
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_domain::user_code;
use claimsmith_identity::interaction::current::{CurrentInteraction, WhichInteraction};
use claimsmith_identity::interaction::refusal::InteractionRefusal;
use claimsmith_identity::interaction::submit::{Submitted, submit};
use claimsmith_services::app::App;
use claimsmith_services::tokens;
use claimsmith_web::cookies::submitted;
use claimsmith_web::error::{Failure, OAuthError, log_failure, seconds, status_of};
use claimsmith_web::extract::form::Form;
use claimsmith_web::extract::interaction::browser_of;
use claimsmith_web::interaction_cookies::{self, InteractionCookies, csrf_of};
use claimsmith_web::redirect::{see_other, with_cookie};
use claimsmith_web::same_origin;
use subtle::ConstantTimeEq;

/// The visitor of an interaction page.
pub(super) struct Visitor {
    pub current: CurrentInteraction,
    pub frame: Frame,
    /// The CSRF token of its form.
    pub csrf: String,
    /// The user code of the device authorization, if the interaction is for one.
    pub user_code: Option<String>,
}

/// A visitor who posted the form of a page.
pub(super) struct InteractionPost(pub Visitor, pub Form);

impl FromRequest<App> for Visitor {
    type Rejection = Response;

    async fn from_request(request: Request, app: &App) -> Result<Self, Response> {
        let (mut parts, _) = request.into_parts();
        let origin = Extension::<RequestOrigin>::from_request_parts(&mut parts, app).await;
        let origin = origin.map_err(IntoResponse::into_response)?.0;
        arrive(app, &parts.headers, origin, interaction_cookies::named(parts.uri.query())).await
    }
}

impl FromRequest<App> for InteractionPost {
    type Rejection = Response;

    async fn from_request(request: Request, app: &App) -> Result<Self, Response> {
        let (mut parts, body) = request.into_parts();
        let origin = Extension::<RequestOrigin>::from_request_parts(&mut parts, app).await;
        let origin = origin.map_err(IntoResponse::into_response)?.0;
        let cookies = InteractionCookies::read(app, &parts.headers);
        if cookies.is_empty() {
            return arrive(app, &parts.headers, origin, WhichInteraction::Newest)
                .await
                .map(|visitor| Self(visitor, Form::default()));
        }
        let frame = load(app, &PageContext::by(&parts.headers)).await.map_err(IntoResponse::into_response)?;
        let form = read_bare_form(app, &frame, &parts.headers, body).await?;
        // The CSRF token of a form identifies its interaction.
        let Some(cookie) = form.all("csrf").next().and_then(|csrf| cookies.of_form(csrf)) else {
            return Err(refuse_strange(&frame));
        };
        let which = WhichInteraction::OfCookie(cookie.hash.clone());
        Ok(Self(arrive(app, &parts.headers, origin, which).await?, form))
    }
}

/// Loads the interaction of a browser. If it is over, the browser restarts it, or continues with its session; if there
/// is none, it is sent to the URL that the operator configured, or gets an error page.
pub(super) async fn arrive(
    app: &App,
    headers: &HeaderMap,
    origin: RequestOrigin,
    which: WhichInteraction,
) -> Result<Visitor, Response> {
    let browser = browser_of(app, headers, origin, which);
    let request_id = browser.origin.request_id.clone();
    let current = match CurrentInteraction::load(app, browser).await {
        Ok(current) => current,
        Err(InteractionRefusal::Over(again)) => return Err(see_other(&again)),
        Err(refusal) => return Err(expired(app, headers, refusal, request_id.as_deref()).await),
    };
    let asked = PageContext {
        application: Some(&current.request.client_id),
        organization: current.request.organization_id.as_ref(),
        ui_locales: current.request.ui_locales.as_deref(),
        ..PageContext::by(headers)
    };
    let frame = load(app, &asked).await.map_err(IntoResponse::into_response)?.of_interaction(current.id());
    let cookies = InteractionCookies::read(app, headers);
    let secret = cookies.of_hash(current.hash()).map(|cookie| cookie.secret.as_str()).unwrap_or_default();
    let user_code = current.request.device.as_ref().and_then(|device| user_code(secret, device));
    Ok(Visitor { current, frame, csrf: csrf_of(secret), user_code })
}

/// The user code of a device: stored only at the end of the interaction's cookie.
fn user_code(cookie: &str, device: &Device) -> Option<String> {
    let at = cookie.len().checked_sub(user_code::LENGTH)?;
    let code = cookie.get(at..)?;
    (tokens::hash(code) == device.user_code_hash).then(|| code.to_owned())
}

async fn load(app: &App, asked: &PageContext<'_>) -> Result<Frame, PageError> {
    Ok(Frame::load(app, &mut app.db.read().await?, asked).await?)
}

/// Reads a form that comes from a page of this server with the token of this browser, `expected`.
pub(crate) async fn read_form(
    app: &App,
    frame: &Frame,
    expected: Option<&str>,
    headers: &HeaderMap,
    body: Body,
) -> Result<Form, Response> {
    let form = read_bare_form(app, frame, headers, body).await?;
    let shown = form.all("csrf").next().unwrap_or_default();
    if !has_token(expected, shown) {
        return Err(refuse(frame, "csrf_token_mismatch"));
    }
    Ok(form)
}

/// Reads a form that comes from a page of this server, whose proof is a secret in the form.
pub(super) async fn read_bare_form(
    app: &App,
    frame: &Frame,
    headers: &HeaderMap,
    body: Body,
) -> Result<Form, Response> {
    if same_origin::check(app, headers).is_err() {
        return Err(refuse(frame, "cross_site_request"));
    }
    let form = Form::read(headers, body).await.map_err(|error| refuse(frame, error.error))?;
    // Repeated parameters are ambiguous and refused, except `organization`, which can have several values.
    form.refuse_repeated("organization").map_err(|refusal| refuse(frame, OAuthError::from(refusal).error))?;
    Ok(form)
}

/// Whether the token of a form is that of this browser.
pub(crate) fn has_token(expected: Option<&str>, shown: &str) -> bool {
    expected.is_some_and(|expected| bool::from(shown.as_bytes().ct_eq(expected.as_bytes())))
}

/// The error page for a form that does not come from a page of this browser.
pub(crate) fn refuse(frame: &Frame, code: &str) -> Response {
    ErrorPage { kind: ErrorKind::Expired, code: Some(code), ..ErrorPage::new(frame) }.answer(StatusCode::FORBIDDEN)
}

/// The error page for a form of no interaction of this browser, with a link to the current one.
fn refuse_strange(frame: &Frame) -> Response {
    let sign_in = frame.path(paths::SIGN_IN);
    let onward = Some((sign_in.as_str(), frame.t.forgot_password.back.as_str()));
    let code = Some("csrf_token_mismatch");
    ErrorPage { kind: ErrorKind::Expired, code, onward, ..ErrorPage::new(frame) }.answer(StatusCode::FORBIDDEN)
}

async fn expired(app: &App, headers: &HeaderMap, refusal: InteractionRefusal, request_id: Option<&str>) -> Response {
    let frame = match load(app, &PageContext::by(headers)).await {
        Ok(frame) => frame,
        Err(error) => return error.into_response(),
    };
    if !matches!(refusal, InteractionRefusal::NoInteraction) {
        return failed(&frame, &refusal, request_id);
    }
    let elsewhere = frame.settings.unknown_session_redirect_url.clone().map(String::from);
    if let Some(url) = elsewhere.filter(|url| !url.is_empty()) {
        return see_other(&url);
    }
    no_interaction(app, &frame, refusal.code().text(), request_id).await
}

/// The error page for a refusal that belongs to no field.
pub(crate) fn failed(frame: &Frame, refusal: &InteractionRefusal, request_id: Option<&str>) -> Response {
    let code = match refusal {
        InteractionRefusal::Failed(error) if log_failure(&**error) == Failure::Overload => ApiCode::ServerOverloaded,
        _ => refusal.code(),
    };
    let kind = match refusal {
        InteractionRefusal::NoInteraction
        | InteractionRefusal::Over(_)
        | InteractionRefusal::Superseded
        | InteractionRefusal::NotAwaited(_)
        | InteractionRefusal::StateMismatch => ErrorKind::Expired,
        InteractionRefusal::Suspended => ErrorKind::Suspended,
        _ => ErrorKind::Unexpected,
    };
    let page = ErrorPage { kind, code: Some(code.text()), request_id, ..ErrorPage::new(frame) };
    let mut response = page.answer(status_of(code));
    if let InteractionRefusal::TooMany(wait_ms) = refusal {
        response.headers_mut().insert(header::RETRY_AFTER, seconds(*wait_ms).into());
    }
    response
}

impl Visitor {
    /// The error page for a refusal that belongs to no field.
    pub(super) fn fail(&self, refusal: &InteractionRefusal) -> Response {
        failed(&self.frame, refusal, self.current.browser.origin.request_id.as_deref())
    }

    /// Redirects to the path of a page.
    pub(super) fn at(&self, path: &str) -> Response {
        see_other(&self.url(path))
    }

    fn url(&self, path: &str) -> String {
        format!("{}{}", self.current.app.config.server.base_url, paths::of_interaction(path, self.current.id()))
    }

    /// The page that resolves a refusal; the error page if there is none.
    pub(super) fn next(&self, refusal: &InteractionRefusal) -> Response {
        match page_of(refusal) {
            Some(path) => self.at(path),
            None => self.fail(refusal),
        }
    }

    /// Whether the terms were agreed to, where that is required.
    pub(super) fn has_agreed(&self, form: &Form, is_registration: bool) -> bool {
        !self.frame.asks_to_agree(is_registration) || has_ticked(form)
    }
}

/// The captcha answer of a form, if any.
pub(super) fn captcha_answer(form: &Form) -> Option<&str> {
    form.all("captcha_token").next()
}

/// Whether the box of the terms was ticked.
pub(super) fn has_ticked(form: &Form) -> bool {
    form.all("agree").next() == Some("true")
}

/// The path of the page that resolves a refusal.
fn page_of(refusal: &InteractionRefusal) -> Option<&'static str> {
    match refusal {
        InteractionRefusal::MissingProfile(_) => Some(paths::PROFILE),
        InteractionRefusal::FactorRequired(..) => Some(paths::SECOND_FACTOR),
        InteractionRefusal::FactorSuggested(_)
        | InteractionRefusal::FurtherFactorSuggested(..)
        | InteractionRefusal::FactorMissing(..) => Some(paths::SET_UP_FACTOR),
        InteractionRefusal::PasskeySuggested => Some(paths::SET_UP_PASSKEY),
        InteractionRefusal::BackupCodesRequired => Some(paths::NEW_BACKUP_CODES),
        // The page that has the captcha.
        InteractionRefusal::CaptchaRequired => Some(paths::SIGN_IN),
        _ => None,
    }
}

/// Submits the interaction, and redirects the browser to the application, or to the page of a missing step.
pub(super) async fn finish(visitor: Visitor) -> Response {
    let Visitor { current, frame, .. } = visitor;
    let (app, request_id) = (current.app.clone(), current.browser.origin.request_id.clone());
    let id = current.id().clone();
    let at = |path: &str| format!("{}{}", app.config.server.base_url, paths::of_interaction(path, &id));
    match submit(current).await {
        Ok(Submitted { cookies, redirect_to }) => {
            // After a password reset, the user signs in with the new password.
            let new_password = || at(&format!("{}?password=new", paths::SIGN_IN));
            let response = see_other(&redirect_to.unwrap_or_else(new_password));
            cookies.map_or_else(Vec::new, |cookies| submitted(&app, cookies)).iter().fold(response, with_cookie)
        }
        Err(refusal) => match page_of(&refusal) {
            Some(path) => see_other(&at(path)),
            None => failed(&frame, &refusal, request_id.as_deref()),
        },
    }
}
