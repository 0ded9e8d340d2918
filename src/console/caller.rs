//! The operator's request: what they asked for, and the calls of the API that answer it.

use crate::Console;
use crate::api::Access;
use crate::failure::Failure;
use crate::form::Form;
use crate::list::{List, Paging};
use crate::operator::Operator;
use crate::refusal::Refusal;
use axum::body::Body;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, Request, Response, StatusCode, Uri, header};
use claimsmith_json::STORED;
use http_body_util::{BodyExt, Limited};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::sync::{Arc, Mutex, PoisonError};

/// The most bytes of an answer that a screen reads whole. The longest are the sources of plugins.
const MAX_ANSWER_BYTES: usize = 32 * 1024 * 1024;
/// What may stand in a segment of a path as it is.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// One request of an operator.
#[derive(Clone)]
pub(crate) struct Caller(Arc<Inner>);

struct Inner {
    console: Console,
    operator: Operator,
    method: Method,
    uri: Uri,
    query: Vec<(String, String)>,
    headers: HeaderMap,
    form: Option<Form>,
    /// The reads so far, for whoever wants to do the same with a program.
    reads: Mutex<Vec<String>>,
}

/// An answer of the API with what its headers tell.
pub(crate) struct Answer<T> {
    pub(crate) body: T,
    /// The version of what was read, for `If-Match`.
    pub(crate) etag: Option<String>,
}

impl FromRequestParts<Console> for Caller {
    type Rejection = StatusCode;

    async fn from_request_parts(parts: &mut Parts, console: &Console) -> Result<Self, StatusCode> {
        // The server signs people in before a request gets here.
        let operator = parts.extensions.get::<Operator>().cloned().ok_or(StatusCode::UNAUTHORIZED)?;
        let query = parts.uri.query().unwrap_or_default();
        let inner = Inner {
            console: console.clone(),
            operator,
            method: parts.method.clone(),
            uri: parts.uri.clone(),
            query: form_urlencoded::parse(query.as_bytes()).into_owned().collect(),
            headers: parts.headers.clone(),
            form: None,
            reads: Mutex::default(),
        };
        Ok(Self(Arc::new(inner)))
    }
}

impl Caller {
    /// The same request, with the form that it carried.
    pub(crate) fn with_form(&self, form: Form) -> Self {
        let Inner { console, operator, method, uri, query, headers, .. } = &*self.0;
        let inner = Inner {
            console: console.clone(),
            operator: operator.clone(),
            method: method.clone(),
            uri: uri.clone(),
            query: query.clone(),
            headers: headers.clone(),
            form: Some(form),
            reads: Mutex::default(),
        };
        Self(Arc::new(inner))
    }

    /// What the screens need of the server.
    pub(crate) fn console(&self) -> &Console {
        &self.0.console
    }

    /// Who asks.
    pub(crate) fn operator(&self) -> &Operator {
        &self.0.operator
    }

    /// The form, where there was one.
    pub(crate) fn form(&self) -> Option<&Form> {
        self.0.form.as_ref()
    }

    /// The path and the query that were asked for.
    pub(crate) fn here(&self) -> &str {
        self.0.uri.path_and_query().map_or("/console", |path| path.as_str())
    }

    /// The path that was asked for.
    pub(crate) fn path(&self) -> &str {
        self.0.uri.path()
    }

    /// The method that was asked with.
    pub(crate) fn method(&self) -> &Method {
        &self.0.method
    }

    /// The headers that were sent.
    pub(crate) fn headers(&self) -> &HeaderMap {
        &self.0.headers
    }

    /// A parameter of the query; nothing if it is empty.
    pub(crate) fn query(&self, name: &str) -> Option<&str> {
        let found = self.0.query.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.trim()).filter(|value| !value.is_empty())
    }

    /// The query, with other values for some parameters and without those that are empty.
    pub(crate) fn query_with(&self, changes: &[(&str, &str)]) -> String {
        let kept = self.0.query.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let kept = kept.filter(|(name, _)| !changes.iter().any(|(changed, _)| changed == name));
        let all = kept.chain(changes.iter().copied()).filter(|(name, value)| !value.is_empty() && *name != "done");
        form_urlencoded::Serializer::new(String::new()).extend_pairs(all).finish()
    }

    /// Whether the operator may use an operation, perhaps after signing in again: for what a screen offers. The API
    /// decides anew when it is called.
    pub(crate) fn may(&self, method: &str, path: &str) -> bool {
        let Ok(method) = Method::from_bytes(method.as_bytes()) else { return false };
        self.0.console.api.access(&self.0.operator, &method, path) != Access::Denied
    }

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
    pub(crate) async fn read<T: DeserializeOwned>(&self, path: &str) -> Result<Answer<T>, Failure> {
        self.record(path);
        let response = self.send(Method::GET, path, None, &[]).await?;
        let etag = response.headers().get(header::ETAG).and_then(|value| value.to_str().ok()).map(str::to_owned);
        Ok(Answer { body: self.parse(response).await?, etag })
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
        let response = self.0.console.api.call(&self.0.operator, request).await;
        if response.status().is_success() {
            return Ok(response);
        }
        let status = response.status();
        let body = self.bytes(response).await?;
        Err(Failure::refused(self, Refusal::read(status, &body)))
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

    /// The reads of this request so far.
    pub(crate) fn reads(&self) -> Vec<String> {
        self.0.reads.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn record(&self, path: &str) {
        let mut reads = self.0.reads.lock().unwrap_or_else(PoisonError::into_inner);
        if !reads.iter().any(|known| known == path) {
            reads.push(path.to_owned());
        }
    }
}

/// A text as a segment of a path.
pub(crate) fn segment(text: &str) -> String {
    utf8_percent_encode(text, SEGMENT).to_string()
}

/// An object without members that are null: what a form leaves empty is not sent.
pub(crate) fn without_nulls(mut object: Value) -> Value {
    if let Value::Object(members) = &mut object {
        members.retain(|_, value| !value.is_null());
    }
    object
}
