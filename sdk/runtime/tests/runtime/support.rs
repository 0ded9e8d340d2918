//! One host for all tests, since its shared JavaScript component takes a second to make, and helpers for loading and
//! calling.

use claimsmith_runtime::{
    Call, CallError, ClaimsRequest, Context, Grant, Host, HostOptions, Language, Limits, LoadError, Plugin, Source,
};
use serde_json::Value;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::sync::OnceCell;

pub(crate) const MAX_MEMORY_BYTES: usize = 64 << 20;
pub(crate) const MAX_SOURCE_BYTES: usize = 4 << 20;

pub(crate) fn options() -> HostOptions {
    HostOptions {
        cache_dir: None,
        concurrency: 8,
        queue: 64,
        max_memory: MAX_MEMORY_BYTES,
        max_source: MAX_SOURCE_BYTES,
        parallel_compilation: true,
        metered: false,
    }
}

pub(crate) fn host() -> &'static Host {
    static HOST: OnceLock<Host> = OnceLock::new();
    HOST.get_or_init(|| Host::new(options()).unwrap())
}

pub(crate) fn source(language: Language, bytes: impl Into<Vec<u8>>) -> Source {
    Source::new("tickets", language, bytes.into())
}

pub(crate) async fn load(language: Language, bytes: impl Into<Vec<u8>>) -> Result<Arc<Plugin>, LoadError> {
    host().load(&source(language, bytes)).await
}

/// Loads what must be refused.
pub(crate) async fn refusal(language: Language, bytes: impl Into<Vec<u8>>) -> LoadError {
    match load(language, bytes).await {
        Ok(_) => panic!("it was loaded"),
        Err(error) => error,
    }
}

/// A support engineer's exchange of a subject token.
pub(crate) fn request(variables: &[(&str, &str)]) -> ClaimsRequest {
    let grant = Grant {
        grant_type: "urn:ietf:params:oauth:grant-type:token-exchange".into(),
        subject_token_context: Some(r#"{"ticketId":"T-1"}"#.into()),
    };
    ClaimsRequest {
        token: r#"{"aud":"https://api.example.com"}"#.into(),
        context: Context { grant: Some(grant), user: Some(r#"{"id":"u1"}"#.into()), ..Context::default() },
        environment: variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        http: None,
        cache: None,
    }
}

pub(crate) const BEHAVIOURS: &str = include_str!("../guests/behaviours.js");

/// The line of `text` that holds `part`, from 1.
pub(crate) fn line_of(text: &str, part: &str) -> usize {
    1 + text.lines().position(|line| line.contains(part)).unwrap()
}

/// Calls `behaviours.js` with more variables.
pub(crate) async fn behave_with(behaviour: &str, variables: &[(&str, &str)], limits: &Limits) -> Call {
    static PLUGIN: OnceCell<Arc<Plugin>> = OnceCell::const_new();
    let plugin = PLUGIN.get_or_init(|| async { load(Language::JavaScript, BEHAVIOURS).await.unwrap() }).await;
    let variables: Vec<_> = [("BEHAVIOUR", behaviour)].iter().chain(variables).copied().collect();
    plugin.get_custom_jwt_claims(&request(&variables), limits).await
}

/// The limits of plugins, with a deadline that no busy machine reaches.
pub(crate) fn ample() -> Limits {
    Limits { deadline: Duration::from_mins(1), ..Limits::default() }
}

/// Calls `behaviours.js` within ample limits.
pub(crate) async fn behave(behaviour: &str) -> Call {
    behave_with(behaviour, &[], &ample()).await
}

/// The claims of a call that must work.
pub(crate) fn claims(call: Call) -> Value {
    Value::Object(call.result.unwrap())
}

/// The error of a call that must not.
pub(crate) fn error(call: Call) -> CallError {
    call.result.unwrap_err()
}
