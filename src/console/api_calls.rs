//! Calls of the Management API in the name of an operator: reads, lists, writes, and refusals as failures of the page.

use crate::caller::Caller;
use crate::failure::Failure;
use crate::list::{List, Paging};
use crate::refusal::ApiRefusal;
use axum::body::Body;
use axum::http::{Method, Request, Response, header};
use claimsmith_json::STORED;
use http_body_util::{BodyExt, Limited};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The most bytes of an answer that a screen reads whole. The longest are the sources of plugins.
const MAX_ANSWER_BYTES: usize = 32 * 1024 * 1024;

/// An answer of the API with what its headers tell.
pub(crate) struct ApiResponse<T> {
    pub(crate) body: T,
    /// The version of what was read, for `If-Match`.
    pub(crate) etag: Option<String>,
}

impl Caller {
    /// Reads an object.
    pub(crate) async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, Failure> {
        Ok(self.read(path).await?.body)
    }

    /// Reads an object, or nothing if it is not there or not for this operator. For parts of a screen.
    pub(crate) async fn get_if_allowed<T: DeserializeOwned>(&self, path: &str) -> Result<Option<T>, Failure> {
        match self.get(path).await {
            Ok(found) => Ok(Some(found)),
            Err(failure) if failure.is_missing() || failure.is_forbidden() => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    /// Reads an object beside what the page is about, such as what somebody is called; it is no command of the page.
    pub(crate) async fn peek<T: DeserializeOwned>(&self, path: &str) -> Option<T> {
        let response = self.send(Method::GET, path, None, &[]).await.ok()?;
        self.parse(response).await.ok()
    }

    /// Reads an object with its version.
    pub(crate) async fn read<T: DeserializeOwned>(&self, path: &str) -> Result<ApiResponse<T>, Failure> {
        self.record(path);
        let response = self.send(Method::GET, path, None, &[]).await?;
        let etag = response.headers().get(header::ETAG).and_then(|value| value.to_str().ok()).map(str::to_owned);
        Ok(ApiResponse { body: self.parse(response).await?, etag })
    }

    /// Reads a page of a list.
    pub(crate) async fn list<T: DeserializeOwned>(&self, path: &str, paging: Paging) -> Result<List<T>, Failure> {
        let path = paging.of(path);
        self.record(&path);
        let response = self.send(Method::GET, &path, None, &[]).await?;
        let total = response.headers().get("total-number").and_then(|value| value.to_str().ok()?.parse().ok());
        let items: Vec<T> = self.parse(response).await?;
        let total = total.unwrap_or(items.len() as u64);
        Ok(List { items, total, paging })
    }

    /// Sends JSON to an operation, and reads its answer.
    pub(crate) async fn write<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: impl Serialize,
    ) -> Result<T, Failure> {
        let response = self.write_if(method, path, body, None).await?;
        self.parse(response).await
    }

    /// Sends JSON to an operation whose answer nobody needs.
    pub(crate) async fn change(&self, method: Method, path: &str, body: impl Serialize) -> Result<(), Failure> {
        self.write_if(method, path, body, None).await.map(drop)
    }

    /// Deletes an object.
    pub(crate) async fn delete(&self, path: &str) -> Result<(), Failure> {
        self.delete_if(path, None).await
    }

    /// Deletes an object if it has not changed since it was read.
    pub(crate) async fn delete_if(&self, path: &str, etag: Option<&str>) -> Result<(), Failure> {
        let headers: Vec<_> = etag.map(|etag| ("if-match", etag)).into_iter().collect();
        self.send(Method::DELETE, path, None, &headers).await.map(drop)
    }

    /// Sends JSON to an operation if the object has not changed since it was read.
    pub(crate) async fn write_if(
        &self,
        method: Method,
        path: &str,
        body: impl Serialize,
        etag: Option<&str>,
    ) -> Result<Response<Body>, Failure> {
        let body = serde_json::to_vec(&body).map_err(|error| Failure::broken(self, &error))?;
        let mut headers = vec![("content-type", "application/json")];
        headers.extend(etag.map(|etag| ("if-match", etag)));
        self.send(method, path, Some(Body::from(body)), &headers).await
    }

    /// Calls an operation; an answer that is no success is a failure. The body of the answer is not read.
    pub(crate) async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<Body>,
        headers: &[(&str, &str)],
    ) -> Result<Response<Body>, Failure> {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(body.unwrap_or_default()).map_err(|error| Failure::broken(self, &error))?;
        let response = self.console().api.call(self.operator(), request).await;
        if response.status().is_success() {
            return Ok(response);
        }
        let status = response.status();
        let body = self.bytes(response).await?;
        Err(Failure::refused(self, ApiRefusal::read(status, &body)))
    }

    /// The whole body of an answer.
    pub(crate) async fn bytes(&self, response: Response<Body>) -> Result<bytes::Bytes, Failure> {
        let limited = Limited::new(response.into_body(), MAX_ANSWER_BYTES);
        let collected = limited.collect().await.map_err(|error| Failure::broken(self, error.as_ref()))?;
        Ok(collected.to_bytes())
    }

    /// The JSON of an answer; an empty one is `null`.
    async fn parse<T: DeserializeOwned>(&self, response: Response<Body>) -> Result<T, Failure> {
        let bytes = self.bytes(response).await?;
        let bytes = if bytes.is_empty() { b"null" } else { &bytes[..] };
        claimsmith_json::read(bytes, STORED).map_err(|error| Failure::broken(self, &error))
    }
}
