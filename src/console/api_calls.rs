//! Calls of the Management API on behalf of an operator: reads, lists and writes; a refusal becomes a page's failure.

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

/// Maximum size of a response that a screen reads whole, in bytes. The largest are plugin sources.
const MAX_ANSWER_BYTES: usize = 32 * 1024 * 1024;

/// An API response with its relevant headers.
pub(crate) struct ApiResponse<T> {
    pub(crate) body: T,
    /// `ETag` of the object read, for `If-Match`.
    pub(crate) etag: Option<String>,
}

impl Caller {
    /// Reads an object.
    pub(crate) async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, Failure> {
        Ok(self.read(path).await?.body)
    }

    /// Reads an object; none if it does not exist or the operator may not read it. For optional parts of a screen.
    pub(crate) async fn get_if_allowed<T: DeserializeOwned>(&self, path: &str) -> Result<Option<T>, Failure> {
        match self.get(path).await {
            Ok(found) => Ok(Some(found)),
            Err(failure) if failure.is_missing() || failure.is_forbidden() => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    /// Reads an object that only supplements the page, such as a user's name; not listed among its commands.
    pub(crate) async fn peek<T: DeserializeOwned>(&self, path: &str) -> Option<T> {
        let response = self.send(Method::GET, path, None, &[]).await.ok()?;
        self.parse(response).await.ok()
    }

    /// Reads an object with its `ETag`.
    pub(crate) async fn read<T: DeserializeOwned>(&self, path: &str) -> Result<ApiResponse<T>, Failure> {
        self.record(path);
        let response = self.send(Method::GET, path, None, &[]).await?;
        let etag = response.headers().get(header::ETAG).and_then(|value| value.to_str().ok()).map(str::to_owned);
        Ok(ApiResponse { body: self.parse(response).await?, etag })
    }

    /// Reads one page of a list.
    pub(crate) async fn list<T: DeserializeOwned>(&self, path: &str, paging: Paging) -> Result<List<T>, Failure> {
        let path = paging.of(path);
        self.record(&path);
        let response = self.send(Method::GET, &path, None, &[]).await?;
        let total = response.headers().get("total-number").and_then(|value| value.to_str().ok()?.parse().ok());
        let items: Vec<T> = self.parse(response).await?;
        let total = total.unwrap_or(items.len() as u64);
        Ok(List { items, total, paging })
    }

    /// Sends JSON to an operation and parses its response.
    pub(crate) async fn write<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: impl Serialize,
    ) -> Result<T, Failure> {
        let response = self.write_if(method, path, body, None).await?;
        self.parse(response).await
    }

    /// Sends JSON to an operation and ignores the response body.
    pub(crate) async fn change(&self, method: Method, path: &str, body: impl Serialize) -> Result<(), Failure> {
        self.write_if(method, path, body, None).await.map(drop)
    }

    /// Deletes an object.
    pub(crate) async fn delete(&self, path: &str) -> Result<(), Failure> {
        self.delete_if(path, None).await
    }

    /// Deletes an object unless it has changed since it was read (`If-Match`).
    pub(crate) async fn delete_if(&self, path: &str, etag: Option<&str>) -> Result<(), Failure> {
        let headers: Vec<_> = etag.map(|etag| ("if-match", etag)).into_iter().collect();
        self.send(Method::DELETE, path, None, &headers).await.map(drop)
    }

    /// Sends JSON to an operation unless the object has changed since it was read (`If-Match`).
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

    /// Calls an operation; a response without a success status is a failure. The body of a success is not read.
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

    /// The whole body of a response.
    pub(crate) async fn bytes(&self, response: Response<Body>) -> Result<bytes::Bytes, Failure> {
        let limited = Limited::new(response.into_body(), MAX_ANSWER_BYTES);
        let collected = limited.collect().await.map_err(|error| Failure::broken(self, error.as_ref()))?;
        Ok(collected.to_bytes())
    }

    /// The JSON of a response; an empty body is `null`.
    async fn parse<T: DeserializeOwned>(&self, response: Response<Body>) -> Result<T, Failure> {
        let bytes = self.bytes(response).await?;
        let bytes = if bytes.is_empty() { b"null" } else { &bytes[..] };
        claimsmith_json::read(bytes, STORED).map_err(|error| Failure::broken(self, &error))
    }
}
