//! The cookies of browsers: one for the sessions, one for each interaction that is under way
//! ([`super::interaction_cookies`]), one by which a browser is known, one by which it is trusted, one for the page that
//! asks for the code of a device, one for the demo application, one for the mailbox of a demo server, two for the
//! console. Over https their names begin with `__Host-`, so that no other host can set them; over http, which is for
//! this machine alone, they cannot.

use axum::http::HeaderMap;
use axum_extra::extract::CookieJar;
use axum_extra::extract::cookie::{Cookie, SameSite};
use claimsmith_identity::interaction::submit::NewCookies;
use claimsmith_identity::interaction::{known_browser, trusted_device};
use claimsmith_services::app::App;
use claimsmith_services::tokens;
use time::Duration;

/// The most bytes of a cookie's value that are looked at.
const MAX_VALUE_BYTES: usize = 128;
/// The same for a cookie that stores data for the server: a URL, and three secrets.
pub const MAX_KEPT_BYTES: usize = 3072;

/// A cookie of this server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BrowserCookie {
    /// Of the sessions.
    Session,
    /// Of an interaction; its id follows the name.
    Interaction,
    /// Marks a browser in which a user has signed in; it outlives the sessions.
    Known,
    /// Marks a browser that a user trusts; it outlives the sessions.
    Trusted,
    /// Of the page that asks for the code of a device.
    Device,
    /// Of the demo application.
    Demo,
    /// Of the mailbox of a demo server.
    Mailbox,
    /// Of a session at the console.
    Console,
    /// Of the sign-in for the console that is under way.
    ConsoleSignIn,
}

impl BrowserCookie {
    pub(super) fn name(self, is_secure: bool) -> &'static str {
        match (self, is_secure) {
            (Self::Session, true) => "__Host-claimsmith-session",
            (Self::Session, false) => "claimsmith-session",
            (Self::Interaction, true) => "__Host-claimsmith-interaction",
            (Self::Interaction, false) => "claimsmith-interaction",
            (Self::Known, true) => "__Host-claimsmith-known",
            (Self::Known, false) => "claimsmith-known",
            (Self::Trusted, true) => "__Host-claimsmith-trusted",
            (Self::Trusted, false) => "claimsmith-trusted",
            (Self::Device, true) => "__Host-claimsmith-device",
            (Self::Device, false) => "claimsmith-device",
            (Self::Demo, true) => "__Host-claimsmith-demo",
            (Self::Demo, false) => "claimsmith-demo",
            (Self::Mailbox, true) => "__Host-claimsmith-mailbox",
            (Self::Mailbox, false) => "claimsmith-mailbox",
            (Self::Console, true) => "__Host-console",
            (Self::Console, false) => "claimsmith-console",
            (Self::ConsoleSignIn, true) => "__Host-console-sign-in",
            (Self::ConsoleSignIn, false) => "claimsmith-console-sign-in",
        }
    }

    /// The value that the browser sent.
    #[must_use]
    pub fn value(self, app: &App, headers: &HeaderMap) -> Option<String> {
        let jar = CookieJar::from_headers(headers);
        let cookie = jar.get(self.name(is_secure(app)))?;
        let max = if self == Self::ConsoleSignIn { MAX_KEPT_BYTES } else { MAX_VALUE_BYTES };
        Some(cookie.value()).filter(|value| !value.is_empty() && value.len() <= max).map(str::to_owned)
    }

    /// The hash of the value that the browser sent, under which it is stored.
    #[must_use]
    pub fn hash(self, app: &App, headers: &HeaderMap) -> Option<String> {
        self.value(app, headers).map(|value| tokens::hash(&value))
    }

    /// Gives the browser a value, for as long as it is open; [`Self::Known`] and [`Self::Trusted`] for longer.
    #[must_use]
    pub fn set(self, app: &App, value: String) -> Cookie<'static> {
        let mut cookie = Cookie::build((self.name(is_secure(app)), value))
            .path("/")
            .http_only(true)
            .same_site(SameSite::Lax)
            .secure(is_secure(app))
            .build();
        let lifetime_ms = match self {
            Self::Known => Some(known_browser::LIFETIME_MS),
            // How long it counts, the server knows.
            Self::Trusted => Some(trusted_device::MAX_LIFETIME_MS),
            _ => None,
        };
        if let Some(lifetime_ms) = lifetime_ms {
            cookie.set_max_age(Duration::milliseconds(lifetime_ms));
        }
        cookie
    }

    /// Takes the value from the browser.
    #[must_use]
    pub fn clear(self, app: &App) -> Cookie<'static> {
        let mut cookie = self.set(app, String::new());
        cookie.make_removal();
        cookie
    }
}

/// The cookies of a browser after a sign-in.
#[must_use]
pub fn submitted(app: &App, cookies: NewCookies) -> Vec<Cookie<'static>> {
    let trusted = cookies.trusted.map(|trusted| BrowserCookie::Trusted.set(app, trusted));
    let cookies = [BrowserCookie::Session.set(app, cookies.session), BrowserCookie::Known.set(app, cookies.known)];
    cookies.into_iter().chain(trusted).collect()
}

/// Whether browsers reach this server over https.
pub(super) fn is_secure(app: &App) -> bool {
    app.config.server.base_url.as_str().starts_with("https:")
}
