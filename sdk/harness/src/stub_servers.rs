//! Stub HTTP servers of a golden case: the case lists the responses, and no request is sent over the network.

use claimsmith_runtime::{
    HttpAccess, HttpBudget, HttpFailure, HttpFuture, HttpRequest, HttpResponse, HttpSender, Manifest, SecretHeaders,
    Secrets,
};
use serde::Deserialize;
use serde_json::Value;
use std::{collections::BTreeMap, sync::Arc};

/// The stub response to one request.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StubResponse {
    /// The request's method. Default: `GET`.
    #[serde(default = "get")]
    pub method: String,
    /// The request's URL.
    pub url: String,
    /// Default 200.
    #[serde(default = "ok")]
    pub status: u16,
    /// Of the answer.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// A text as it is; anything else as JSON.
    #[serde(default)]
    pub body: Option<Value>,
}

fn get() -> String {
    "GET".to_owned()
}

const fn ok() -> u16 {
    200
}

/// The stub servers of one case.
#[derive(Debug)]
struct StubServers(Vec<StubResponse>);

/// Access of a plugin with this manifest to the stub servers.
pub(crate) fn access(manifest: &Manifest, secrets: &Secrets, answers: &[StubResponse]) -> Option<HttpAccess> {
    let capability = manifest.capabilities.http.as_ref()?;
    Some(HttpAccess {
        capability: Arc::new(capability.clone()),
        sender: Arc::new(StubServers(answers.to_vec())),
        headers: SecretHeaders::of(capability, secrets).map(Arc::new),
        shared: Arc::new(HttpBudget::default()),
    })
}

impl HttpSender for StubServers {
    fn send(&self, request: HttpRequest) -> HttpFuture<'_> {
        let answer = self.0.iter().find(|answer| answer.method == request.method && same(&answer.url, &request.url));
        let answer = match answer {
            Some(answer) => answer.response(request.response_bytes),
            None => Err("the case does not say what is answered (`http`)".to_owned()),
        };
        Box::pin(async move { answer.map_err(|message| HttpFailure { message, received: 0 }) })
    }
}

/// Whether a URL as the case writes it is this normalized one.
fn same(written: &str, url: &str) -> bool {
    written == url || url.strip_suffix('/') == Some(written)
}

/// An answer, if the plugin may read that much.
pub(crate) fn within(answer: HttpResponse, max_bytes: usize) -> Result<HttpResponse, String> {
    let size = answer.body.len() + answer.headers.iter().map(|(name, value)| name.len() + value.len()).sum::<usize>();
    if size > max_bytes {
        return Err(format!("the answer has more than {max_bytes} bytes"));
    }
    Ok(answer)
}

impl StubResponse {
    fn response(&self, max_bytes: usize) -> Result<HttpResponse, String> {
        let mut headers: Vec<_> =
            self.headers.iter().map(|(name, value)| (name.to_lowercase(), value.clone())).collect();
        let body = match &self.body {
            None => Vec::new(),
            Some(Value::String(text)) => text.clone().into_bytes(),
            Some(json) => {
                if !headers.iter().any(|(name, _)| name == "content-type") {
                    headers.push(("content-type".to_owned(), "application/json".to_owned()));
                }
                json.to_string().into_bytes()
            }
        };
        within(HttpResponse { status: self.status, headers, body }, max_bytes)
    }
}
