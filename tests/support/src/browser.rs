//! A browser: keeps cookies, follows no redirect by itself, and can be signed in without any page.

use crate::{Answer, Api, TestServer};
use claimsmith_domain::id::{SessionId, UserId};
use claimsmith_domain::random;
use claimsmith_services::tokens;
use claimsmith_storage::sessions::{self, Session, SessionDetails};
use claimsmith_storage::{Db, Json};
use reqwest::header::{ACCEPT, COOKIE, SET_COOKIE};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use url::Url;

/// The name of the session cookie over http.
const SESSION_COOKIE: &str = "claimsmith-session";
/// The longest lifetime of a session that is begun here: a day, in milliseconds.
const DAY_MS: i64 = 86_400_000;

/// A browser with its cookies. Clones share them.
#[derive(Clone)]
pub struct Browser {
    api: Api,
    cookies: Arc<Mutex<BTreeMap<String, String>>>,
}

impl Browser {
    /// A browser that was never here.
    #[must_use]
    pub fn new(api: &Api) -> Self {
        Self { api: api.clone(), cookies: Arc::default() }
    }

    /// A browser in which these users are signed in, as if at the console, since `now` (Unix milliseconds), the last
    /// one first; answers their sessions. `db`: the server's.
    pub async fn signed_in(api: &Api, db: &Db, now: i64, user_ids: &[&UserId]) -> (Self, Vec<SessionId>) {
        let browser = Self::new(api);
        let cookie = random::secret(43).unwrap();
        browser.set_cookie(SESSION_COOKIE, &cookie);
        let (mut tx, mut ids) = (db.begin().await.unwrap(), Vec::new());
        for (index, user_id) in user_ids.iter().enumerate() {
            let session = Session {
                id: random::id(21).unwrap().into(),
                browser_hash: tokens::hash(&cookie),
                user_id: (*user_id).clone(),
                details: Json(Some(SessionDetails {
                    amr: vec!["pwd".to_owned()],
                    own_client: true,
                    ..SessionDetails::default()
                })),
                authenticated_at: now,
                last_active_at: now + i64::try_from(index).unwrap(),
                expires_at: now + DAY_MS,
            };
            sessions::insert(&mut tx, &session).await.unwrap();
            ids.push(session.id);
        }
        tx.commit().await.unwrap();
        (browser, ids)
    }

    /// The same browser, which a load balancer sends to this node.
    #[must_use]
    pub fn at(&self, node: &Api) -> Self {
        Self { api: node.clone(), cookies: Arc::clone(&self.cookies) }
    }

    /// Opens a path of the server, or a URL of it that a redirect named.
    pub async fn open(&self, path: &str) -> Answer {
        self.send(self.api.http.get(self.at_home(path))).await
    }

    /// The same for somebody who reads pages: says that it accepts HTML.
    pub async fn visit(&self, path: &str) -> Answer {
        self.send(self.api.http.get(self.at_home(path)).header(ACCEPT, "text/html,*/*;q=0.8")).await
    }

    /// Posts a form.
    pub async fn post(&self, path: &str, form: &[(String, String)]) -> Answer {
        self.send(self.api.http.post(self.at_home(path)).form(form)).await
    }

    /// A request to a path of the server, or to a URL of it that a redirect named.
    pub fn request(&self, method: reqwest::Method, path: &str) -> reqwest::RequestBuilder {
        self.api.http.request(method, self.at_home(path))
    }

    /// Sends a request with the cookies, and keeps those of the answer.
    pub async fn send(&self, request: reqwest::RequestBuilder) -> Answer {
        let cookies = {
            let kept = self.cookies.lock().unwrap();
            kept.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("; ")
        };
        let request = if cookies.is_empty() { request } else { request.header(COOKIE, cookies) };
        let answer = Answer::of(request).await;
        for set in answer.headers.get_all(SET_COOKIE) {
            let (pair, attributes) = set.to_str().unwrap().split_once(';').unwrap();
            let (name, value) = pair.split_once('=').unwrap();
            assert!(attributes.contains("HttpOnly") && attributes.contains("SameSite=Lax"), "{set:?}");
            match value {
                "" => self.cookies.lock().unwrap().remove(name),
                value => self.cookies.lock().unwrap().insert(name.to_owned(), value.to_owned()),
            };
        }
        answer
    }

    /// The value of a cookie.
    #[must_use]
    pub fn cookie(&self, name: &str) -> Option<String> {
        self.cookies.lock().unwrap().get(name).cloned()
    }

    /// The name and the value of the cookie of the only interaction that the browser has.
    #[must_use]
    pub fn interaction_cookie(&self) -> (String, String) {
        let kept = self.cookies.lock().unwrap();
        let mut found = kept.iter().filter(|(name, _)| name.contains("claimsmith-interaction"));
        let (name, value) = found.next().unwrap();
        assert!(found.next().is_none(), "{kept:?}");
        (name.clone(), value.clone())
    }

    /// The names of the cookies.
    #[must_use]
    pub fn cookie_names(&self) -> Vec<String> {
        self.cookies.lock().unwrap().keys().cloned().collect()
    }

    /// Puts a cookie there.
    pub fn set_cookie(&self, name: &str, value: &str) {
        self.cookies.lock().unwrap().insert(name.to_owned(), value.to_owned());
    }

    fn at_home(&self, path: &str) -> String {
        let base = &self.api.report.base_url;
        self.api.url(path.strip_prefix(base.as_str()).unwrap_or(path))
    }
}

impl TestServer {
    /// A browser in which these users are signed in since now, the last one first; answers their sessions.
    pub async fn signed_in(&self, user_ids: &[&UserId]) -> (Browser, Vec<SessionId>) {
        Browser::signed_in(self, &self.app.db, self.clock.now_ms(), user_ids).await
    }
}

/// The path of this server to which an answer redirects, without the query that names the interaction.
#[must_use]
pub fn page_of(answer: &Answer) -> String {
    let location = Url::parse(answer.header("location").unwrap()).unwrap();
    location.path().to_owned()
}

/// What an application gets at its redirect URI: the members of the query, or of the fragment.
#[must_use]
pub fn told(answer: &Answer) -> BTreeMap<String, String> {
    let url = Url::parse(answer.header("location").unwrap()).unwrap();
    let text = url.query().or(url.fragment()).unwrap_or_default();
    form_urlencoded::parse(text.as_bytes()).into_owned().collect()
}
