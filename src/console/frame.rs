//! The frame of every page: navigation, operator, confirmation message, and the page's API reads as commands.

use crate::caller::{Caller, segment};
use crate::section::{Section, groups};

/// Confirmation messages, by the value of the query parameter `done`.
const DONE: &[(&str, &str)] = &[
    ("activated", "Activated."),
    ("added", "Added."),
    ("created", "Created."),
    ("created-hidden", "Created, but the sign-in page does not show it: that setting was not saved. Try again below."),
    ("deleted", "Deleted."),
    ("ended", "Ended."),
    ("reactivated", "Reactivated: they can sign in again."),
    ("removed", "Removed."),
    ("replayed", "Sent again; the attempt appears below in a moment."),
    ("revoked", "Revoked."),
    ("rotated", "Rotated."),
    ("saved", "Saved."),
    ("sent", "Sent."),
    ("suspended", "Suspended: they cannot sign in any more."),
    ("unlocked", "Unlocked: they can try to sign in again."),
    ("verified", "The code is right: whoever read it to you has the address or number of this account."),
];

/// What a page needs for its frame.
pub(crate) struct Frame {
    pub(crate) caller: Caller,
    pub(crate) section: Section,
}

impl Frame {
    /// The frame of a page in a section.
    pub(crate) fn new(caller: &Caller, section: Section) -> Self {
        Self { caller: caller.clone(), section }
    }

    /// The CSRF token for the page's forms.
    pub(crate) fn csrf(&self) -> &str {
        &self.caller.operator().csrf
    }

    /// Whether something is wrong with a field of the submitted form.
    pub(crate) fn is_wrong(&self, name: impl AsRef<str>) -> bool {
        self.caller.refused_form().is_wrong(name.as_ref())
    }

    /// What is wrong with a field of the submitted form, once (see [`Form::take_problem`]).
    ///
    /// [`Form::take_problem`]: crate::form::Form::take_problem
    pub(crate) fn take_problem(&self, name: impl AsRef<str>) -> String {
        self.caller.refused_form().take_problem(name.as_ref())
    }

    /// The value of a field as it was sent; empty if no form was sent.
    pub(crate) fn sent(&self, name: impl AsRef<str>) -> &str {
        self.caller.form().map_or("", |form| form.raw(name.as_ref()))
    }

    /// Whether the operator may use an operation (see [`Caller::may`]).
    pub(crate) fn may(&self, method: &str, path: &str) -> bool {
        self.caller.may(method, path)
    }

    /// The path and query of the page, encoded as a query parameter.
    pub(crate) fn here_encoded(&self) -> String {
        segment(self.caller.here())
    }

    /// The confirmation message of the last action.
    pub(crate) fn done(&self) -> Option<&'static str> {
        let done = self.caller.query("done")?;
        DONE.iter().find(|(name, _)| *name == done).map(|(_, text)| *text)
    }

    /// The navigation: sections that the operator may see, by group.
    pub(crate) fn groups(&self) -> Vec<(&'static str, Vec<Section>)> {
        groups(|section| section.is_open_to(&self.caller))
    }

    /// Whether the operator may see the section of a page.
    pub(crate) fn is_open(&self, path: &str) -> bool {
        Section::of(path).is_open_to(&self.caller)
    }

    /// Whether the page belongs to this section.
    pub(crate) fn is_current(&self, section: Section) -> bool {
        self.section == section
    }

    /// The API reads of this page, as commands.
    pub(crate) fn commands(&self) -> Vec<String> {
        self.caller.reads().iter().map(|path| self.command("GET", path, "")).collect()
    }

    /// A `curl` command for an operation; the body is JSON or empty.
    pub(crate) fn command(&self, method: &str, path: impl AsRef<str>, body: &str) -> String {
        let url = format!("{}{}", self.caller.console().base_url, path.as_ref());
        let method = if method == "GET" { String::new() } else { format!(" -X {method}") };
        let body = if body.is_empty() {
            String::new()
        } else {
            format!(" \\\n  -H 'content-type: application/json' -d {}", quoted(body))
        };
        format!("curl{method} -H \"authorization: Bearer $TOKEN\" {}{body}", quoted(&url))
    }
}

/// Quotes a text for a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}
