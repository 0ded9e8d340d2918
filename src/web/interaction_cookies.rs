//! The cookies of the interactions of one browser: one for each, named by the id of the interaction, so that tabs that
//! begin at the same moment do not take each other's away. Each is a secret that opens its interaction, and only that
//! one.

use crate::cookies::{BrowserCookie, is_secure};
use crate::redirect::with_cookie;
use axum::http::HeaderMap;
use axum::response::Response;
use axum_extra::extract::CookieJar;
use axum_extra::extract::cookie::{Cookie, SameSite};
use claimsmith_identity::interaction::current::WhichInteraction;
use claimsmith_services::app::App;
use claimsmith_services::tokens;
use claimsmith_storage as storage;
use claimsmith_storage::sessions::interactions;
use subtle::ConstantTimeEq;

/// The maximum number of interactions in progress per browser: beginning another one gives up the oldest.
pub(crate) const MAX_INTERACTIONS: usize = 8;
/// The most cookies of interactions that are looked at: tabs that begin at the same moment may have some more.
const MAX_COOKIES: usize = 2 * MAX_INTERACTIONS;
/// The most bytes of a secret: 43 characters, and the code of a device.
const MAX_SECRET_BYTES: usize = 128;
/// The member of a query that names the interaction which a page or a step is of.
pub(crate) const NAME: &str = "interaction";

/// A cookie of an interaction, as the browser sent it.
pub struct InteractionCookie {
    name: String,
    /// The secret.
    pub secret: String,
    /// Its hash, under which the interaction is stored.
    pub hash: String,
}

/// The cookies of the interactions of a browser.
pub struct InteractionCookies(Vec<InteractionCookie>);

impl InteractionCookies {
    /// Those that the browser sent. One without an id is of a version of this server that had one for each browser.
    #[must_use]
    pub fn read(app: &App, headers: &HeaderMap) -> Self {
        let stem = BrowserCookie::Interaction.name(is_secure(app));
        let is_of_interaction =
            |name: &str| name.strip_prefix(stem).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'));
        let jar = CookieJar::from_headers(headers);
        let known = jar.iter().filter(|cookie| {
            is_of_interaction(cookie.name()) && (1..=MAX_SECRET_BYTES).contains(&cookie.value().len())
        });
        let read = |cookie: &Cookie<'_>| InteractionCookie {
            name: cookie.name().to_owned(),
            secret: cookie.value().to_owned(),
            hash: tokens::hash(cookie.value()),
        };
        Self(known.take(MAX_COOKIES).map(read).collect())
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The hashes of their secrets.
    #[must_use]
    pub fn hashes(&self) -> Vec<String> {
        self.0.iter().map(|cookie| cookie.hash.clone()).collect()
    }

    /// The one with this hash.
    #[must_use]
    pub fn of_hash(&self, hash: &str) -> Option<&InteractionCookie> {
        self.0.iter().find(|cookie| cookie.hash == hash)
    }

    /// The one whose forms have this token (CSRF).
    #[must_use]
    pub fn of_form(&self, csrf: &str) -> Option<&InteractionCookie> {
        self.0.iter().find(|cookie| bool::from(csrf_of(&cookie.secret).as_bytes().ct_eq(csrf.as_bytes())))
    }
}

/// The CSRF token of an interaction's forms, derived from its secret, so that only the browser with the secret knows
/// it.
#[must_use]
pub fn csrf_of(secret: &str) -> String {
    tokens::hash(&format!("csrf:{secret}"))
}

/// The interaction that a query names.
#[must_use]
pub fn named(query: Option<&str>) -> WhichInteraction {
    let mut pairs = form_urlencoded::parse(query.unwrap_or_default().as_bytes());
    let found = pairs.find(|(name, _)| name == NAME);
    found.map_or(WhichInteraction::Newest, |(_, id)| WhichInteraction::Named(id.as_ref().into()))
}

/// Gives the browser the cookie of an interaction that has begun. Those whose interaction is gone are taken from it,
/// and so is the oldest where there would be too many.
pub async fn give(
    app: &App,
    headers: &HeaderMap,
    (id, secret): (&str, String),
    response: Response,
) -> storage::Result<Response> {
    let sent = InteractionCookies::read(app, headers);
    let (mut given_up, mut newest) = (Vec::new(), None);
    if !sent.is_empty() {
        let now = app.clock.now_ms();
        let mut kept = interactions::of_browser(&mut app.db.read().await?, &sent.hashes()).await?;
        newest = kept.iter().map(|one| one.created_at).max().filter(|newest| *newest >= now);
        kept.sort_by_key(|one| (one.is_over(now), std::cmp::Reverse(one.created_at)));
        kept.truncate(MAX_INTERACTIONS - 1);
        let is_kept = |cookie: &&InteractionCookie| kept.iter().any(|one| one.hash == cookie.hash);
        given_up = sent.0.iter().filter(|cookie| !is_kept(cookie)).collect();
    }
    if !given_up.is_empty() || newest.is_some() {
        let hashes: Vec<String> = given_up.iter().map(|cookie| cookie.hash.clone()).collect();
        let mut tx = app.db.begin().await?;
        interactions::delete_of_browser(&mut tx, &hashes).await?;
        if let Some(newest) = newest {
            interactions::make_newest(&mut tx, id, newest + 1).await?;
        }
        tx.commit().await?;
    }
    let stem = BrowserCookie::Interaction.name(is_secure(app));
    let removals = given_up.iter().map(|cookie| {
        let mut removal = cookie_of(app, cookie.name.clone(), String::new());
        removal.make_removal();
        removal
    });
    let new = cookie_of(app, format!("{stem}-{id}"), secret);
    Ok([new].into_iter().chain(removals).fold(response, |response, cookie| with_cookie(response, &cookie)))
}

fn cookie_of(app: &App, name: String, secret: String) -> Cookie<'static> {
    Cookie::build((name, secret)).path("/").http_only(true).same_site(SameSite::Lax).secure(is_secure(app)).build()
}
