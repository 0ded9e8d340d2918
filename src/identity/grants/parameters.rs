//! The parameters of a request to an OIDC endpoint.

use super::GrantRefusal;
use std::collections::HashSet;

/// Names and values, in the order sent. An empty value counts as omitted (RFC 6749 section 3.1).
#[derive(Default)]
pub struct RequestParameters(Vec<(String, String)>);

impl RequestParameters {
    /// Parameters that were read before.
    #[must_use]
    pub fn of_pairs(pairs: Vec<(String, String)>) -> Self {
        Self(pairs)
    }

    /// Names and values, in the order sent.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The parameters, in the order sent.
    #[must_use]
    pub fn into_pairs(self) -> Vec<(String, String)> {
        self.0
    }

    /// The value of a parameter; sent twice is `invalid_request`.
    pub fn one(&self, name: &str) -> Result<Option<&str>, GrantRefusal> {
        let mut values = self.all(name);
        let first = values.next();
        if values.next().is_some() {
            return Err(repeated(name));
        }
        Ok(first)
    }

    /// Every value of a parameter.
    pub fn all<'p>(&'p self, name: &str) -> impl Iterator<Item = &'p str> {
        self.0.iter().filter(move |(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Refuses any parameter that is sent twice, except for `except`.
    pub fn refuse_repeated(&self, except: &str) -> Result<(), GrantRefusal> {
        let mut seen = HashSet::new();
        match self.0.iter().find(|(name, _)| name != except && !seen.insert(name)) {
            Some((name, _)) => Err(repeated(name)),
            None => Ok(()),
        }
    }
}

fn repeated(name: &str) -> GrantRefusal {
    GrantRefusal::invalid_request(format!("'{name}' parameter must not be provided twice"))
}
