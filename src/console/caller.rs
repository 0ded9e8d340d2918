//! The operator's request: operator, path, query, headers, form, and the API reads made for it so far.

use crate::Console;
use crate::api::Access;
use crate::form::Form;
use crate::list::Paging;
use crate::operator::Operator;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;
use std::sync::{Arc, Mutex, PoisonError};

/// Characters of a path segment that need no percent-encoding are the RFC 3986 unreserved ones.
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
    /// The query as the form that was sent with it: a search, a filter.
    asked: Form,
    /// The API reads so far, shown as commands for scripting.
    reads: Mutex<Vec<String>>,
}

impl FromRequestParts<Console> for Caller {
    type Rejection = StatusCode;

    async fn from_request_parts(parts: &mut Parts, console: &Console) -> Result<Self, StatusCode> {
        // The server authenticates the operator before the request gets here.
        let operator = parts.extensions.get::<Operator>().cloned().ok_or(StatusCode::UNAUTHORIZED)?;
        let query = parts.uri.query().unwrap_or_default();
        let query: Vec<_> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        let inner = Inner {
            console: console.clone(),
            operator,
            method: parts.method.clone(),
            uri: parts.uri.clone(),
            asked: Form::of(query.clone()),
            query,
            headers: parts.headers.clone(),
            form: None,
            reads: Mutex::default(),
        };
        Ok(Self(Arc::new(inner)))
    }
}

impl Caller {
    /// The same request with its parsed form.
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
            asked: Form::default(),
            reads: Mutex::default(),
        };
        Self(Arc::new(inner))
    }

    /// The server's services for the screens.
    pub(crate) fn console(&self) -> &Console {
        &self.0.console
    }

    /// The authenticated operator.
    pub(crate) fn operator(&self) -> &Operator {
        &self.0.operator
    }

    /// The submitted form, if any.
    pub(crate) fn form(&self) -> Option<&Form> {
        self.0.form.as_ref()
    }

    /// The form that problems belong to: the submitted one, or the query.
    pub(crate) fn refused_form(&self) -> &Form {
        self.0.form.as_ref().unwrap_or(&self.0.asked)
    }

    /// The requested path and query.
    pub(crate) fn here(&self) -> &str {
        self.0.uri.path_and_query().map_or("/console", |path| path.as_str())
    }

    /// The requested path.
    pub(crate) fn path(&self) -> &str {
        self.0.uri.path()
    }

    /// The request method.
    pub(crate) fn method(&self) -> &Method {
        &self.0.method
    }

    /// The request headers.
    pub(crate) fn headers(&self) -> &HeaderMap {
        &self.0.headers
    }

    /// A parameter of the query; none if it is missing or empty.
    pub(crate) fn query(&self, name: &str) -> Option<&str> {
        let found = self.0.query.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.trim()).filter(|value| !value.is_empty())
    }

    /// The page of a list, from the query.
    pub(crate) fn paging(&self) -> Paging {
        Paging::numbered(self.query("page"))
    }

    /// The query with some parameters replaced, without empty ones.
    pub(crate) fn query_with(&self, changes: &[(&str, &str)]) -> String {
        let kept = self.0.query.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let kept = kept.filter(|(name, _)| !changes.iter().any(|(changed, _)| changed == name));
        let all = kept.chain(changes.iter().copied()).filter(|(name, value)| !value.is_empty() && *name != "done");
        form_urlencoded::Serializer::new(String::new()).extend_pairs(all).finish()
    }

    /// Whether the operator may use an operation, perhaps after a fresh sign-in. Decides what a screen offers; the API
    /// checks again when it is called.
    pub(crate) fn may(&self, method: &str, path: &str) -> bool {
        let Ok(method) = Method::from_bytes(method.as_bytes()) else { return false };
        self.0.console.api.access(&self.0.operator, &method, path) != Access::Denied
    }

    /// The API reads of this request so far.
    pub(crate) fn reads(&self) -> Vec<String> {
        self.0.reads.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Records an API read, which the page shows as a command.
    pub(crate) fn record(&self, path: &str) {
        let mut reads = self.0.reads.lock().unwrap_or_else(PoisonError::into_inner);
        if !reads.iter().any(|known| known == path) {
            reads.push(path.to_owned());
        }
    }
}

/// Percent-encodes a text as a path segment.
pub(crate) fn segment(text: &str) -> String {
    utf8_percent_encode(text, SEGMENT).to_string()
}

/// Removes null members, so that empty form fields are not sent.
pub(crate) fn without_nulls(mut object: Value) -> Value {
    if let Value::Object(members) = &mut object {
        members.retain(|_, value| !value.is_null());
    }
    object
}
