//! Connecting a device (RFC 8628): `POST /device` with `user_code`, then `POST /device/confirm` with `decision=allow`
//! or `decision=deny`, and `organization` for each organization that was chosen.

use super::consent::{OrganizationView, ResourceView, answer, organization_views, resource_views};
use super::messages::field_error;
use super::visitor::{InteractionPost, Visitor, failed, read_form};
use crate::failure::PageError;
use crate::form::{FieldError, FormPage};
use crate::frame::{Frame, PageContext};
use crate::headers::Forms;
use crate::texts::tree;
use crate::{page, paths};
use askama::Template;
use axum::Extension;
use axum::body::Body;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_domain::{client_address, user_code};
use claimsmith_identity::interaction::consent::{self, ConsentRequest};
use claimsmith_identity::interaction::device::{self, AcceptedUserCode, DeviceBrowser};
use claimsmith_identity::interaction::refusal::InteractionRefusal;
use claimsmith_services::app::App;
use claimsmith_services::tokens;
use claimsmith_web::cookies::BrowserCookie;
use claimsmith_web::extract::form::Form;
use claimsmith_web::interaction_cookies::{self, csrf_of};
use claimsmith_web::redirect::{see_other, with_cookie};

/// Maximum characters of a code that are shown again.
const MAX_SHOWN_CHARS: usize = 32;

/// Asks for the code that the device shows.
#[derive(Debug, Template)]
#[template(path = "device_code.html")]
pub(crate) struct DeviceCodePage<'a> {
    /// What every page has.
    pub(crate) frame: &'a Frame,
    /// Ties the form to the browser.
    pub(crate) csrf: &'a str,
    /// What was wrong.
    pub(crate) error: Option<FieldError<'a>>,
    /// What was entered.
    pub(crate) user_code: &'a str,
}

/// Asks the user to confirm that the device is theirs.
#[derive(Debug, Template)]
#[template(path = "device_confirm.html")]
pub(crate) struct DeviceConfirmPage<'a> {
    /// What every page has; its application is the one on the device.
    pub(crate) frame: &'a Frame,
    /// Ties the form to the browser.
    pub(crate) csrf: &'a str,
    /// The code that the device should show.
    pub(crate) user_code: &'a str,
    /// The name of the signed-in user.
    pub(crate) user: &'a str,
    /// The address of their picture.
    pub(crate) avatar: Option<&'a str>,
    /// The scopes of the user's own data that it asks for, such as `profile`.
    pub(crate) scopes: Vec<&'a str>,
    /// The scopes of APIs that it requests.
    pub(crate) resources: Vec<ResourceView<'a>>,
    /// The organizations to choose from.
    pub(crate) organizations: Vec<OrganizationView<'a>>,
    /// The IP address of the device, if it is not in the network of the browser.
    pub(crate) other_network: Option<&'a str>,
}

/// Shows the outcome.
#[derive(Debug, Template)]
#[template(path = "device_done.html")]
pub(crate) struct DeviceDonePage<'a> {
    /// What every page has.
    pub(crate) frame: &'a Frame,
    /// Whether the device is connected.
    pub(crate) is_connected: bool,
}

impl DeviceCodePage<'_> {
    fn title(&self) -> &str {
        &self.frame.t.device.title
    }

    /// The page as an answer.
    #[must_use]
    pub(crate) fn answer(&self) -> Response {
        page::answer(self, self.frame, self.status(), Forms::Own)
    }
}

impl FormPage for DeviceCodePage<'_> {
    fn fields(&self) -> Vec<(&'static str, bool)> {
        vec![("user_code", self.user_code.is_empty())]
    }

    fn error(&self) -> Option<&FieldError<'_>> {
        self.error.as_ref()
    }
}

impl DeviceConfirmPage<'_> {
    fn title(&self) -> &str {
        let texts = &self.frame.t.device;
        &texts.confirm_title
    }

    fn portrait(&self) -> Option<String> {
        page::picture(self.frame, self.avatar)
    }

    fn description(&self) -> String {
        tree::fill(&self.frame.t.device.confirm_description, &[("code", self.user_code)])
    }

    fn signed_in_as(&self) -> String {
        tree::fill(&self.frame.t.consent.signed_in_as, &[("name", self.user)])
    }

    fn other_network_text(&self, address: &str) -> String {
        tree::fill(&self.frame.t.device.other_network, &[("address", address)])
    }

    /// The page as an answer.
    #[must_use]
    pub(crate) fn answer(&self) -> Response {
        page::answer(self, self.frame, StatusCode::OK, Forms::Own)
    }
}

impl DeviceDonePage<'_> {
    fn title(&self) -> &str {
        let texts = &self.frame.t.device;
        if self.is_connected { &texts.done_title } else { &texts.denied_title }
    }

    fn description(&self) -> &str {
        let texts = &self.frame.t.device;
        if self.is_connected { &texts.done_description } else { &texts.denied_description }
    }

    /// The page as an answer.
    #[must_use]
    pub(crate) fn answer(&self) -> Response {
        page::answer(self, self.frame, StatusCode::OK, Forms::Own)
    }
}

/// Asks for the code. The browser gets a cookie, which the form is bound to.
pub(super) async fn ask(
    State(app): State<App>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Result<Response, PageError> {
    let frame = frame(&app, &headers).await?;
    let form = Form::of_query(query.as_deref().unwrap_or_default()).unwrap_or_default();
    let typed: String = form.all("user_code").next().unwrap_or_default().chars().take(MAX_SHOWN_CHARS).collect();
    let known = BrowserCookie::Device.value(&app, &headers);
    let cookie = match &known {
        Some(cookie) => cookie.clone(),
        None => app.random.secret(43)?,
    };
    let page = DeviceCodePage { frame: &frame, csrf: &csrf_of(&cookie), error: None, user_code: &typed }.answer();
    Ok(if known.is_some() { page } else { with_cookie(page, &BrowserCookie::Device.set(&app, cookie)) })
}

/// Takes the code, and begins an interaction.
pub(super) async fn enter(
    State(app): State<App>,
    Extension(origin): Extension<RequestOrigin>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, PageError> {
    let frame = frame(&app, &headers).await?;
    let cookie = BrowserCookie::Device.value(&app, &headers).unwrap_or_default();
    let csrf = csrf_of(&cookie);
    // Without a cookie, the form cannot be bound to the browser.
    let expected = Some(csrf.as_str()).filter(|_| !cookie.is_empty());
    let form = match read_form(&app, &frame, expected, &headers, body).await {
        Ok(form) => form,
        Err(refused) => return Ok(refused),
    };
    let typed = form.all("user_code").next().unwrap_or_default();
    let page = |error| {
        let shown: String = typed.chars().take(MAX_SHOWN_CHARS).collect();
        DeviceCodePage { frame: &frame, csrf: &csrf, error: Some(error), user_code: &shown }.answer()
    };
    if typed.trim().is_empty() {
        return Ok(page(FieldError::at("user_code", frame.t.errors.required.as_str())));
    }
    let (page_hash, known_hash) = (tokens::hash(&cookie), BrowserCookie::Known.hash(&app, &headers));
    let browser = DeviceBrowser { page: &page_hash, known: known_hash.as_deref() };
    Ok(match device::enter(&app, &origin, browser, typed).await {
        Ok(AcceptedUserCode { interaction_id, cookie, redirect_to }) => {
            interaction_cookies::give(&app, &headers, (&interaction_id, cookie), see_other(&redirect_to)).await?
        }
        Err(refusal) => match field_error(&frame, &refusal) {
            Some(error) => page(error),
            None => failed(&frame, &refusal, origin.request_id.as_deref()),
        },
    })
}

/// Asks whether the device is the user's own, with all access that it would get.
pub(super) async fn show(visitor: Visitor) -> Response {
    let Some(user_code) = &visitor.user_code else { return visitor.at(paths::DEVICE) };
    match consent::question(&visitor.current).await {
        Ok(question) => page(&visitor, &question, user_code),
        // The user is no longer signed in.
        Err(InteractionRefusal::NotIdentified) => see_other(&visitor.current.resume_url()),
        Err(refusal) => visitor.fail(&refusal),
    }
}

/// Records the decision.
pub(super) async fn decide(InteractionPost(visitor, form): InteractionPost) -> Response {
    if visitor.user_code.is_none() {
        return visitor.at(paths::DEVICE);
    }
    answer(visitor, &form).await
}

/// Shows that the device is connected.
pub(super) async fn connected(State(app): State<App>, headers: HeaderMap) -> Result<Response, PageError> {
    Ok(DeviceDonePage { frame: &frame(&app, &headers).await?, is_connected: true }.answer())
}

/// Shows that the device is not connected.
pub(super) async fn denied(State(app): State<App>, headers: HeaderMap) -> Result<Response, PageError> {
    Ok(DeviceDonePage { frame: &frame(&app, &headers).await?, is_connected: false }.answer())
}

async fn frame(app: &App, headers: &HeaderMap) -> Result<Frame, PageError> {
    Ok(Frame::load(app, &mut app.db.read().await?, &PageContext::by(headers)).await?)
}

fn page(visitor: &Visitor, question: &ConsentRequest, code: &str) -> Response {
    let asked_from = visitor.current.request.device.as_ref().and_then(|device| device.address);
    let here = visitor.current.browser.origin.ip;
    let is_elsewhere = asked_from.map(client_address::share) != here.map(client_address::share);
    let address = asked_from.filter(|_| is_elsewhere).map(|address| address.to_string());
    DeviceConfirmPage {
        frame: &visitor.frame,
        csrf: &visitor.csrf,
        user_code: &user_code::shown(code),
        user: question.name_of_user(),
        avatar: question.user.avatar.as_deref(),
        scopes: question.oidc.iter().map(String::as_str).collect(),
        resources: resource_views(question),
        organizations: organization_views(question),
        other_network: address.as_deref(),
    }
    .answer()
}
