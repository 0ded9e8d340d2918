//! The filters of a manifest: the token kinds, grant types, applications and resources, or the events and hooks, that a
//! plugin is called for.

use super::Manifest;
use serde::{Deserialize, Serialize};

/// What is about to be issued.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TokenKind {
    /// An access token that represents a user, of whatever grant.
    AccessToken,
    /// An access token of an application itself.
    ClientCredentials,
    /// An id token; only plugins whose manifest names it are called for it.
    IdToken,
}

/// Grant types that are no URI. Any other name is one (RFC 6749 section 4.5).
const PLAIN_GRANT_TYPES: [&str; 3] = ["authorization_code", "client_credentials", "refresh_token"];

/// The default token kinds of a claims plugin.
const DEFAULT_TOKEN_KINDS: [TokenKind; 2] = [TokenKind::AccessToken, TokenKind::ClientCredentials];

impl Manifest {
    /// The token kinds that a claims plugin applies to.
    #[must_use]
    pub fn token_kinds(&self) -> &[TokenKind] {
        self.token_kinds.as_deref().unwrap_or(&DEFAULT_TOKEN_KINDS)
    }

    /// Whether a webhook transform applies to such a delivery.
    #[must_use]
    pub fn applies_to_delivery(&self, event: &str, hook_id: &str, hook_name: &str) -> bool {
        let event_fits = self.events.as_ref().is_none_or(|list| list.iter().any(|pattern| covers(pattern, event)));
        let is_hook = |hook: &String| hook == hook_id || hook == hook_name;
        self.enabled && event_fits && self.hooks.as_ref().is_none_or(|list| list.iter().any(is_hook))
    }

    /// Whether a claims plugin applies to such a token.
    #[must_use]
    pub fn applies(&self, kind: TokenKind, grant_type: &str, application: &str, resource: Option<&str>) -> bool {
        self.unmet_filter(kind, grant_type, application, resource).is_none()
    }

    /// The first setting by which a claims plugin does not apply to such a token; none if it does.
    #[must_use]
    pub fn unmet_filter(
        &self,
        kind: TokenKind,
        grant_type: &str,
        application: &str,
        resource: Option<&str>,
    ) -> Option<&'static str> {
        let listed = |list: &Option<Vec<String>>, value: Option<&str>| {
            list.as_ref().is_none_or(|list| value.is_some_and(|value| list.iter().any(|item| item == value)))
        };
        let filters = [
            ("enabled", self.enabled),
            ("token_kinds", self.token_kinds().contains(&kind)),
            ("grant_types", listed(&self.grant_types, Some(grant_type))),
            ("applications", listed(&self.applications, Some(application))),
            ("resources", listed(&self.resources, resource)),
        ];
        filters.into_iter().find(|(_, met)| !met).map(|(setting, _)| setting)
    }

    pub(super) fn check_filters(&self) -> Result<(), (String, String)> {
        let empty = |list: &Option<Vec<String>>| list.as_ref().is_some_and(Vec::is_empty);
        let lists = [
            ("token_kinds", self.token_kinds.as_ref().is_some_and(Vec::is_empty)),
            ("grant_types", empty(&self.grant_types)),
            ("applications", empty(&self.applications)),
            ("resources", empty(&self.resources)),
            ("events", empty(&self.events)),
            ("hooks", empty(&self.hooks)),
        ];
        if let Some((key, _)) = lists.iter().find(|(_, empty)| *empty) {
            let message = "an empty list matches nothing; leave the key out, or set `enabled = false`";
            return Err(((*key).to_owned(), message.to_owned()));
        }
        for grant_type in self.grant_types.iter().flatten() {
            if !PLAIN_GRANT_TYPES.contains(&grant_type.as_str()) && !grant_type.contains(':') {
                let message = format!(
                    "`{grant_type}` is not a grant type; there are {}, and URIs such as \
                     urn:ietf:params:oauth:grant-type:token-exchange",
                    PLAIN_GRANT_TYPES.join(", "),
                );
                return Err(("grant_types".to_owned(), message));
            }
        }
        if let Some(pattern) = self.events.iter().flatten().find(|pattern| !is_pattern(pattern)) {
            let message = format!(
                "`{pattern}` is not an event; use names such as User.Created, families such as User.*, or * for all"
            );
            return Err(("events".to_owned(), message));
        }
        Ok(())
    }
}

/// Whether an event is the one of this name, or of this family.
fn covers(pattern: &str, event: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(family) => event.starts_with(family),
        None => event == pattern,
    }
}

/// `*`, or words that begin with a capital, parted by dots, of which the last may be `*`. Which events there are is not
/// known here: a plugin may be older or newer than they.
fn is_pattern(text: &str) -> bool {
    let is_word = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_uppercase()) && word.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    let words = text.strip_suffix('*').map_or(Some(text), |family| match family {
        "" => Some(""),
        family => family.strip_suffix('.'),
    });
    match words {
        None => false,
        Some("") => text == "*",
        Some(words) => words.split('.').all(is_word),
    }
}
