//! Receivers of this server's own (`POST {base_url}/hook-receivers/{token}`), which show what a hook sends. Its
//! deliveries to one are handed over in this process: no request is sent, so no address of the server is opened to
//! hooks.

use super::{signature, signing_key};
use crate::encryption::Cipher;
use claimsmith_config::BaseUrl;
use claimsmith_domain::clock::Clock;
use claimsmith_domain::id::HookId;
use claimsmith_domain::random::{self, RandomError};
use claimsmith_storage::hooks::receivers::{self, HookReceiver, ReceivedRequest};
use claimsmith_storage::{self as storage, Db, Json, Tx, hooks};
use serde_json::json;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use url::Url;

/// Where they are.
pub const FOLDER: &str = "/hook-receivers/";
/// The largest body of a request.
pub const MAX_BODY_BYTES: usize = 64 << 10;
/// The characters of a token.
pub const TOKEN_CHARS: usize = 43;
/// The requests of each that are kept.
const MAX_REQUESTS: i64 = 50;
/// The requests of each in a second.
const MAX_PER_SECOND: u32 = 20;
/// The characters of a header's value that are kept.
const MAX_HEADER_CHARS: usize = 1024;
/// The headers of a request that are kept.
const MAX_HEADERS: usize = 64;
/// Receivers that are remembered within a second: there are fewer, unless many come and go.
const MAX_COUNTED: usize = 1000;

/// A request could not be kept.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The database.
    #[error("the database failed")]
    Storage(#[from] storage::Error),
    /// No random numbers for an id.
    #[error(transparent)]
    Random(#[from] RandomError),
}

/// What they need. Cheap to clone.
#[derive(Clone)]
pub struct Receivers {
    db: Db,
    clock: Clock,
    cipher: Arc<Cipher>,
    base_url: Arc<str>,
    /// The second at hand, with the requests of each token in it.
    counted: Arc<Mutex<(i64, HashMap<String, u32>)>>,
}

impl Receivers {
    /// Those of the server at this address.
    #[must_use]
    pub fn new((db, clock): (&Db, &Clock), cipher: &Arc<Cipher>, base_url: &BaseUrl) -> Self {
        Self {
            db: db.clone(),
            clock: clock.clone(),
            cipher: Arc::clone(cipher),
            base_url: base_url.as_str().into(),
            counted: Arc::default(),
        }
    }

    /// The URL of the one with this token.
    #[must_use]
    pub fn url(&self, token: &str) -> String {
        format!("{}{FOLDER}{token}", self.base_url)
    }

    /// The token of the receiver that a URL leads to; none when it leads anywhere else.
    #[must_use]
    pub fn token_in<'u>(&self, url: &'u str) -> Option<&'u str> {
        let (own, other) = (Url::parse(&self.base_url).ok()?, Url::parse(url).ok()?);
        let has_user = !other.username().is_empty() || other.password().is_some();
        if own.origin() != other.origin() || has_user || other.query().is_some() {
            return None;
        }
        let token = url.rsplit('/').next().filter(|token| is_token(token))?;
        let folder = format!("{}{FOLDER}", own.path().trim_end_matches('/'));
        (other.path().strip_prefix(&folder) == Some(token)).then_some(token)
    }

    /// Stores a request, and returns the configured status of the receiver.
    pub async fn receive(&self, token: &str, headers: &[(String, String)], body: &[u8]) -> Result<u16, Error> {
        if body.len() > MAX_BODY_BYTES {
            return Ok(413);
        }
        let now = self.clock.now_ms();
        let found = if is_token(token) {
            receivers::find_by_token(&mut self.db.read().await?, token, now).await?
        } else {
            None
        };
        let Some(receiver) = found else { return Ok(404) };
        if !self.admits(token, now) {
            return Ok(429);
        }
        let mut tx = self.db.begin().await?;
        let (hook_id, is_signature_valid) = self.sender(&mut tx, &receiver, headers, body, now).await?.unzip();
        let plain = |text: &str| text.chars().filter(|c| *c != '\0').take(MAX_HEADER_CHARS).collect::<String>();
        let shown: Vec<_> = headers.iter().take(MAX_HEADERS).map(|(name, value)| [plain(name), plain(value)]).collect();
        let request = ReceivedRequest {
            id: random::id_at(now)?,
            receiver_id: receiver.id,
            received_at: now,
            headers: Json(json!(shown)),
            // A text column cannot store it.
            body: String::from_utf8_lossy(body).replace('\0', ""),
            status: receiver.status,
            hook_id,
            is_signature_valid,
        };
        receivers::keep(&mut tx, &request, MAX_REQUESTS).await?;
        tx.commit().await?;
        Ok(u16::try_from(receiver.status).unwrap_or(200))
    }

    /// The hook that sends to a receiver, and whether it signed the request: of several, the one that did.
    async fn sender(
        &self,
        tx: &mut Tx,
        receiver: &HookReceiver,
        headers: &[(String, String)],
        body: &[u8],
        now: i64,
    ) -> Result<Option<(HookId, bool)>, Error> {
        let header = |name: &str| {
            let mut found = headers.iter().filter(|(known, _)| known.eq_ignore_ascii_case(name));
            found.next().map_or("", |(_, value)| value.as_str())
        };
        let mut sender = None;
        for hook in hooks::sending_to(tx, &receiver.token).await? {
            // Keys that cannot be read signed nothing.
            let keys = signing_key::valid(&self.cipher, &hook, now).unwrap_or_default();
            let is_signed = signature::verify(&keys, header, body, now);
            if is_signed {
                return Ok(Some((hook.id, true)));
            }
            sender.get_or_insert((hook.id, false));
        }
        Ok(sender)
    }

    /// Whether a receiver may get one more request in this second.
    fn admits(&self, token: &str, now: i64) -> bool {
        let second = now.div_euclid(1000);
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        if counted.0 != second || counted.1.len() >= MAX_COUNTED {
            *counted = (second, HashMap::new());
        }
        let count = counted.1.entry(token.to_owned()).or_default();
        *count = count.saturating_add(1);
        *count <= MAX_PER_SECOND
    }
}

fn is_token(text: &str) -> bool {
    text.len() == TOKEN_CHARS && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}
