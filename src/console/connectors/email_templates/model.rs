//! Email templates: types, contents and placeholders.

use super::PAGE;
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::fields::{Field, FieldKind, Options};
use serde::Deserialize;
use serde_json::Value;

/// The API path of all templates.
pub(super) const PATH: &str = "/api/email-templates";

/// The email types, with their purpose.
pub(super) const KINDS: Options = &[
    ("", "All"),
    ("SignIn", "Code to sign in"),
    ("Register", "Code to register"),
    ("ForgotPassword", "Code for a forgotten password"),
    ("OrganizationInvitation", "Invitation to an organization"),
    ("AdministratorInvitation", "Notice of an invitation to administer"),
    ("Generic", "Code for anything else"),
    ("UserPermissionValidation", "Code to confirm who one is"),
    ("BindNewIdentifier", "Code to add an address"),
    ("MfaVerification", "Code as second factor"),
    ("BindMfa", "Code to set up a second factor"),
];

const CONTENT_TYPES: Options = &[("text/html", "HTML"), ("text/plain", "Plain text")];

/// The placeholders, with their meaning.
pub(super) const PLACEHOLDERS: &[(&str, &str)] = &[
    ("{{code}}", "the code, in all but invitations"),
    ("{{link}}", "the link of an invitation to an organization"),
    ("{{application.name}}", "the application that somebody signs in to"),
    ("{{organization.name}}", "the organization that invites, or that somebody signs in to"),
    ("{{user.name}}", "who gets it, once that is known; also username and primaryEmail"),
    ("{{inviter.name}}", "who invites; also username and primaryEmail"),
    ("{{locale}}", "the language of whoever gets it"),
    ("{{ip}}", "the address of the browser that asked for it"),
];

/// The template of one email type in one language.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct EmailTemplate {
    pub(super) id: String,
    pub(super) language_tag: String,
    #[serde(rename = "templateType")]
    pub(super) kind: String,
    pub(super) details: Value,
}

impl EmailTemplate {
    pub(super) async fn read(caller: &Caller, id: &str) -> Result<Self, Failure> {
        caller.get(&path_of(id)).await
    }

    pub(super) fn page(&self) -> String {
        page_of(&self.id)
    }

    /// The API path that changes its contents.
    pub(super) fn details_path(&self) -> String {
        format!("{}/details", path_of(&self.id))
    }

    pub(super) fn title(&self) -> &str {
        let known = KINDS.iter().find(|(name, _)| *name == self.kind);
        known.map_or(self.kind.as_str(), |(_, title)| title)
    }

    pub(super) fn subject(&self) -> &str {
        self.details.get("subject").and_then(Value::as_str).unwrap_or_default()
    }
}

/// The API path of a template.
pub(super) fn path_of(id: &str) -> String {
    format!("{PATH}/{}", segment(id))
}

pub(super) fn page_of(id: &str) -> String {
    format!("{PAGE}/{}", segment(id))
}

/// Fields that identify a new template: type and language.
pub(super) fn key_fields() -> Vec<Field> {
    let types = KINDS.split_first().map_or(KINDS, |(_, types)| types);
    vec![
        Field::new("templateType", "What it is for", FieldKind::One(types)),
        Field::new("languageTag", "Language", FieldKind::Text).hint("Such as en, de or pt-BR.").required(),
    ]
}

/// Fields of the contents.
pub(super) fn detail_fields() -> Vec<Field> {
    vec![
        Field::new("subject", "Subject", FieldKind::Text).required(),
        Field::new("content", "Text", FieldKind::Area).required(),
        Field::new("contentType", "Written in", FieldKind::One(CONTENT_TYPES)),
        Field::new("sendFrom", "Name of the sender", FieldKind::Text).hint("The address is that of the connector."),
        Field::new("replyTo", "Reply-to", FieldKind::Text).hint("Such as Shop <help@example.com>."),
    ]
}
