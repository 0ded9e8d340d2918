//! The pages at the entrance of the console: refusals, a form that waits for a sign-in, and the account of an
//! administrator. They are in English only, like the console.

use super::form::{FieldError, FormPage};
use super::frame::Frame;
use super::headers::Forms;
use super::page;
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;

/// Why access is refused, and where the user can go.
#[derive(Debug, Template)]
#[template(path = "console_notice.html")]
pub struct ConsoleNotice<'a> {
    /// What every page has.
    pub frame: &'a Frame,
    /// The status of the response.
    pub status: StatusCode,
    /// In a few words.
    pub title: &'a str,
    /// In a sentence or two.
    pub text: &'a str,
    /// Links with their texts; the first one is the primary one.
    pub ways: &'a [(&'a str, String)],
}

impl ConsoleNotice<'_> {
    fn title(&self) -> &str {
        self.title
    }

    /// The page as an answer.
    #[must_use]
    pub fn answer(&self) -> Response {
        page::answer(self, self.frame, self.status, Forms::Own)
    }
}

/// A form that arrived after the session had ended: what was entered is kept here until the user has signed in.
#[derive(Debug, Template)]
#[template(path = "console_again.html")]
pub struct ConsoleAgain<'a> {
    /// What every page has.
    pub frame: &'a Frame,
    /// Where to sign in.
    pub sign_in: String,
    /// Where the form goes.
    pub action: String,
    /// What was entered.
    pub fields: &'a [(String, String)],
}

impl ConsoleAgain<'_> {
    #[expect(clippy::unused_self, reason = "the layout asks every page for its title")]
    fn title(&self) -> &'static str {
        "Your session has ended"
    }

    /// The page as an answer.
    #[must_use]
    pub fn answer(&self) -> Response {
        page::answer(self, self.frame, StatusCode::UNAUTHORIZED, Forms::Own)
    }
}

/// The account of an administrator, by a one-time link of the terminal.
#[derive(Debug, Template)]
#[template(path = "console_setup.html")]
pub struct ConsoleSetup<'a> {
    /// What every page has.
    pub frame: &'a Frame,
    /// What was wrong.
    pub error: Option<FieldError<'a>>,
    /// The code of the link.
    pub code: &'a str,
    /// The user who gets a new password; none when an account is made.
    pub known: Option<&'a str>,
    /// Whether it is the first administrator.
    pub is_first: bool,
    /// What was entered as a user name or an address.
    pub identifier: &'a str,
    /// What was entered as a name.
    pub name: &'a str,
}

impl ConsoleSetup<'_> {
    fn title(&self) -> &'static str {
        match self.known {
            Some(_) => "Choose a new password",
            None if self.is_first => "Welcome to Claimsmith",
            None => "Become an administrator",
        }
    }

    fn lead(&self) -> &'static str {
        match self.known {
            Some(_) => {
                "You are signed in with it as an administrator, and signed out everywhere else. Your other ways to \
                 sign in stay as they are."
            }
            None if self.is_first => {
                "Make the account of the first administrator. It opens the console, where everything else is set up."
            }
            None => "Make an account that administers this server.",
        }
    }

    fn button(&self) -> &'static str {
        if self.known.is_some() { "Set the password" } else { "Make the account" }
    }

    /// The page as an answer.
    #[must_use]
    pub fn answer(&self) -> Response {
        page::answer(self, self.frame, self.status(), Forms::Own)
    }
}

impl FormPage for ConsoleSetup<'_> {
    fn fields(&self) -> Vec<(&'static str, bool)> {
        let password = ("password", true);
        match self.known {
            Some(_) => vec![password],
            None => vec![("identifier", self.identifier.is_empty()), ("name", false), password],
        }
    }

    fn error(&self) -> Option<&FieldError<'_>> {
        self.error.as_ref()
    }
}

/// An account that is signed in in the browser.
#[derive(Clone, Copy, Debug)]
pub struct SignedInAccount<'a> {
    /// The user's id.
    pub id: &'a str,
    /// What the user is called.
    pub name: &'a str,
}

impl SignedInAccount<'_> {
    fn label(&self) -> String {
        format!("Continue as {}", self.name)
    }
}

/// The page of an invitation to administer: with an account that is signed in, with another one, or with a new one.
#[derive(Debug, Template)]
#[template(path = "console_invited.html")]
pub struct ConsoleInvited<'a> {
    /// What every page has.
    pub frame: &'a Frame,
    /// What was wrong.
    pub error: Option<FieldError<'a>>,
    /// The code of the link.
    pub code: &'a str,
    /// Who invites to what.
    pub lead: &'a str,
    /// The accounts that are signed in in this browser.
    pub accounts: &'a [SignedInAccount<'a>],
    /// Where to sign in with another one.
    pub sign_in: String,
    /// What was entered as a user name or an address.
    pub identifier: &'a str,
    /// What was entered as a name.
    pub name: &'a str,
}

impl ConsoleInvited<'_> {
    #[expect(clippy::unused_self, reason = "the layout asks every page for its title")]
    fn title(&self) -> &'static str {
        "You are invited"
    }

    /// The page as an answer.
    #[must_use]
    pub fn answer(&self) -> Response {
        page::answer(self, self.frame, self.status(), Forms::Own)
    }
}

impl FormPage for ConsoleInvited<'_> {
    fn fields(&self) -> Vec<(&'static str, bool)> {
        vec![("identifier", self.identifier.is_empty()), ("name", false), ("password", true)]
    }

    fn error(&self) -> Option<&FieldError<'_>> {
        self.error.as_ref()
    }
}
