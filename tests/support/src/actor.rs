//! A caller of the Management API, with a bearer token or without.

use crate::{Answer, Api};
use reqwest::Method;
use serde_json::Value;

/// A caller. Bodies are JSON; `Value::Null` sends none.
#[derive(Clone)]
pub struct Actor {
    api: Api,
    token: Option<String>,
}

impl Actor {
    pub(crate) fn new(api: Api, token: Option<String>) -> Self {
        Self { api, token }
    }

    /// Reads.
    pub async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, Value::Null).await
    }

    /// Creates, or adds.
    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.send(Method::POST, path, body).await
    }

    /// Replaces.
    pub async fn put(&self, path: &str, body: Value) -> Answer {
        self.send(Method::PUT, path, body).await
    }

    /// Changes.
    pub async fn patch(&self, path: &str, body: Value) -> Answer {
        self.send(Method::PATCH, path, body).await
    }

    /// Deletes.
    pub async fn delete(&self, path: &str) -> Answer {
        self.send(Method::DELETE, path, Value::Null).await
    }

    /// Sends a request.
    pub async fn send(&self, method: Method, path: &str, body: Value) -> Answer {
        let request = self.request(method, path);
        Answer::of(if body.is_null() { request } else { request.json(&body) }).await
    }

    /// A request to be completed, for bodies and headers that no helper sends.
    pub fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let request = self.api.http.request(method, self.api.url(path));
        match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }
}
