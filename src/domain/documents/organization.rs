//! Organizations: sign-in page settings, email domains, and the states of an invitation.

use super::fold::fold;
use crate::documents::uri_rule::{MAX_URI_BYTES, UriRule};
use crate::spelling::spelled;
use claimsmith_json::present;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeSet;

/// Maximum number of email domains in one request.
const MAX_DOMAINS: usize = 1000;
/// Maximum characters of a domain.
const MAX_DOMAIN_CHARS: usize = 128;

/// The colours of sign-in pages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Color {
    /// `#rgb` or `#rrggbb`.
    #[serde(default, deserialize_with = "color", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, pattern = "^#([0-9a-fA-F]{3}){1,2}$")]
    pub primary_color: Option<String>,
    /// Whether there is a dark mode.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = bool, required = false)]
    pub is_dark_mode_enabled: Option<bool>,
    /// `#rgb` or `#rrggbb`.
    #[serde(default, deserialize_with = "color", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, pattern = "^#([0-9a-fA-F]{3}){1,2}$")]
    pub dark_primary_color: Option<String>,
}

/// The pictures of sign-in pages: any URLs, of which pages show those of http and https.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Branding {
    /// The logo.
    #[serde(default, deserialize_with = "picture", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, max_length = 2048)]
    pub logo_url: Option<String>,
    /// The logo on dark pages.
    #[serde(default, deserialize_with = "picture", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, max_length = 2048)]
    pub dark_logo_url: Option<String>,
    /// The small picture of the page.
    #[serde(default, deserialize_with = "picture", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, max_length = 2048)]
    pub favicon: Option<String>,
    /// The small picture of dark pages.
    #[serde(default, deserialize_with = "picture", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, max_length = 2048)]
    pub dark_favicon: Option<String>,
}

/// The domain of email addresses, in lower case.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub struct EmailDomain(String);

/// Email domains without duplicates, in ascending order.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Vec<EmailDomain>")]
pub struct EmailDomains(Vec<String>);

spelled! {
/// What became of an invitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub enum InvitationStatus {
    /// Nothing yet.
    Pending = "Pending",
    /// The recipient is a member now.
    Accepted = "Accepted",
    /// Its time was over first.
    Expired = "Expired",
    /// It was taken back.
    Revoked = "Revoked",
}
}

impl InvitationStatus {
    /// The status at `now` of an invitation with this stored status.
    #[must_use]
    pub fn at(self, now: i64, expires_at: i64) -> Self {
        if self == Self::Pending && expires_at <= now { Self::Expired } else { self }
    }
}

impl TryFrom<String> for EmailDomain {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let domain = fold(&text);
        let label = |label: &str| {
            // Host names have no underscore, but mail domains of companies do.
            let letters = label.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '-' | '_'));
            !label.is_empty() && letters && !label.starts_with('-') && !label.ends_with('-')
        };
        if domain.contains('.') && domain.split('.').all(label) && domain.chars().count() <= MAX_DOMAIN_CHARS {
            Ok(Self(domain))
        } else {
            Err("expected a domain such as example.com, of at most 128 characters")
        }
    }
}

impl From<EmailDomain> for String {
    fn from(domain: EmailDomain) -> Self {
        domain.0
    }
}

impl EmailDomains {
    /// The domains.
    #[must_use]
    pub fn as_slice(&self) -> &[String] {
        &self.0
    }
}

impl TryFrom<Vec<EmailDomain>> for EmailDomains {
    type Error = String;

    fn try_from(domains: Vec<EmailDomain>) -> Result<Self, String> {
        if domains.len() > MAX_DOMAINS {
            return Err(format!("expected at most {MAX_DOMAINS} domains, found {}", domains.len()));
        }
        Ok(Self(domains.into_iter().collect::<BTreeSet<_>>().into_iter().map(Into::into).collect()))
    }
}

fn color<'de, D: Deserializer<'de>>(input: D) -> Result<Option<String>, D::Error> {
    let text = String::deserialize(input)?;
    let digits = text.strip_prefix('#').unwrap_or_default();
    if matches!(digits.len(), 3 | 6) && digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Ok(Some(text));
    }
    Err(serde::de::Error::custom("expected a colour such as #aabbcc"))
}

fn picture<'de, D: Deserializer<'de>>(input: D) -> Result<Option<String>, D::Error> {
    let text = String::deserialize(input)?;
    if text.is_empty() || text.len() <= MAX_URI_BYTES && UriRule::Picture.fault_of_stored(&text).is_none() {
        return Ok(Some(text));
    }
    Err(serde::de::Error::custom("expected a URL of at most 2048 characters, or an empty text"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn domains_are_lower_case_and_shaped() {
        for (text, domain) in [
            ("Example.COM", Some("example.com")),
            ("bücher.example", Some("bücher.example")),
            ("a-b.c", Some("a-b.c")),
            ("sso_example.com", Some("sso_example.com")),
            ("localhost", None),
            ("a@b.c", None),
            ("-a.b", None),
            ("a..b", None),
            (".a", None),
            ("a b.c", None),
            ("", None),
        ] {
            assert_eq!(EmailDomain::try_from(text.to_owned()).ok().map(|found| found.0).as_deref(), domain, "{text:?}");
        }
    }

    #[test]
    fn a_pending_invitation_is_over_when_its_time_is() {
        for (written, expires_at, status) in [
            (InvitationStatus::Pending, 11, InvitationStatus::Pending),
            (InvitationStatus::Pending, 10, InvitationStatus::Expired),
            (InvitationStatus::Accepted, 1, InvitationStatus::Accepted),
            (InvitationStatus::Revoked, 1, InvitationStatus::Revoked),
            (InvitationStatus::Expired, 99, InvitationStatus::Expired),
        ] {
            assert_eq!(written.at(10, expires_at), status);
        }
    }

    #[test]
    fn looks_are_checked() {
        let color = |text: &str| serde_json::from_str::<Color>(text);
        assert!(color(r##"{"primaryColor":"#aBc","isDarkModeEnabled":true,"unknown":1}"##).is_ok());
        for bad in [r#"{"primaryColor":"red"}"#, r##"{"primaryColor":"#abcd"}"##, r#"{"primaryColor":null}"#] {
            assert!(color(bad).is_err(), "{bad}");
        }
        let branding = |url: &str| serde_json::from_value::<Branding>(serde_json::json!({ "logoUrl": url }));
        for url in ["", "https://a.test/logo.png", "data:image/png;base64,AA==", "ipfs://logo"] {
            assert_eq!(branding(url).ok().and_then(|branding| branding.logo_url).as_deref(), Some(url));
        }
        for bad in ["logo", "//a.test/logo.png", &format!("https://a.test/{}", "a".repeat(MAX_URI_BYTES))] {
            assert!(branding(bad).is_err(), "{bad}");
        }
    }
}
