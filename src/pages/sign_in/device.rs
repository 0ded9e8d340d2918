//! Connecting a device (RFC 8628): `POST /device` with `user_code`, then `POST /device/confirm` with `decision=allow`
//! or `decision=deny`, and `organization` for each organization that was chosen.

use super::consent::{OrganizationView, ResourceView};
use crate::form::{FieldError, FormPage};
use crate::frame::Frame;
use crate::headers::Forms;
use crate::texts::tree;
use crate::{page, paths};
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;

/// Asks for the code that the device shows.
#[derive(Debug, Template)]
#[template(path = "device_code.html")]
pub struct DeviceCodePage<'a> {
    /// What every page has.
    pub frame: &'a Frame,
    /// Ties the form to the browser.
    pub csrf: &'a str,
    /// What was wrong.
    pub error: Option<FieldError<'a>>,
    /// What was entered.
    pub user_code: &'a str,
}

/// Asks the user to confirm that the device is theirs.
#[derive(Debug, Template)]
#[template(path = "device_confirm.html")]
pub struct DeviceConfirmPage<'a> {
    /// What every page has; its application is the one on the device.
    pub frame: &'a Frame,
    /// Ties the form to the browser.
    pub csrf: &'a str,
    /// The code that the device should show.
    pub user_code: &'a str,
    /// The name of the signed-in user.
    pub user: &'a str,
    /// The address of their picture.
    pub avatar: Option<&'a str>,
    /// The scopes of the user's own data that it asks for, such as `profile`.
    pub scopes: Vec<&'a str>,
    /// The scopes of APIs that it requests.
    pub resources: Vec<ResourceView<'a>>,
    /// The organizations to choose from.
    pub organizations: Vec<OrganizationView<'a>>,
    /// The IP address of the device, if it is not in the network of the browser.
    pub other_network: Option<&'a str>,
}

/// Shows the outcome.
#[derive(Debug, Template)]
#[template(path = "device_done.html")]
pub struct DeviceDonePage<'a> {
    /// What every page has.
    pub frame: &'a Frame,
    /// Whether the device is connected.
    pub is_connected: bool,
}

impl DeviceCodePage<'_> {
    fn title(&self) -> &str {
        &self.frame.t.device.title
    }

    /// The page as an answer.
    #[must_use]
    pub fn answer(&self) -> Response {
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
    pub fn answer(&self) -> Response {
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
    pub fn answer(&self) -> Response {
        page::answer(self, self.frame, StatusCode::OK, Forms::Own)
    }
}
