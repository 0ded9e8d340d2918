//! The headers of every page. They override those of all other responses (`security_headers.rs`).

use super::look::Look;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

/// Where the forms of a page may lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forms {
    /// Nowhere but here.
    Own,
    /// On to an application. Browsers apply `form-action` to every redirect after the form as well, including those of
    /// the application itself, so a page of an interaction cannot have it: users would be stuck.
    Onward,
}

/// Disables the browser features that no page uses, and limits passkeys to these pages.
const PERMISSIONS: HeaderValue = HeaderValue::from_static(
    "publickey-credentials-create=(self), publickey-credentials-get=(self), accelerometer=(), camera=(), \
     display-capture=(), geolocation=(), gyroscope=(), hid=(), magnetometer=(), microphone=(), midi=(), payment=(), \
     serial=(), usb=(), xr-spatial-tracking=()",
);

/// Sets the headers of a page.
///
/// There is no Cross-Origin-Opener-Policy: it would sever the reference to the window of an application that opened the
/// page as a popup and waits there for the answer.
pub(super) fn set(headers: &mut HeaderMap, look: &Look, forms: Forms) {
    let mut policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:".to_owned();
    for source in &look.image_sources {
        policy.push(' ');
        policy.push_str(source);
    }
    policy.push_str("; connect-src 'self'; font-src 'self'; base-uri 'none'; frame-ancestors 'none'");
    policy.push_str("; require-trusted-types-for 'script'; trusted-types 'none'");
    if forms == Forms::Own {
        policy.push_str("; form-action 'self'");
    }
    let policy = HeaderValue::try_from(policy)
        .unwrap_or(HeaderValue::from_static("default-src 'none'; style-src 'self'; frame-ancestors 'none'"));
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // With `no-referrer`, browsers would send `Origin: null` with our own forms, and the check of it would fail.
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    headers.insert(HeaderName::from_static("permissions-policy"), PERMISSIONS);
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use claimsmith_domain::documents::sign_in_experience::SignInExperience;
    use serde_json::json;

    #[test]
    fn pages_of_an_interaction_may_lead_to_an_application() {
        let branding = json!({ "branding": { "logoUrl": "https://cdn.test/logo.png" } });
        let settings: SignInExperience = serde_json::from_value(branding).unwrap();
        let look = Look::of(&settings, "", &[]);
        for (forms, is_bound) in [(Forms::Own, true), (Forms::Onward, false)] {
            let mut headers = HeaderMap::new();
            set(&mut headers, &look, forms);
            let policy = headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
            assert!(policy.starts_with(
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https://cdn.test/logo.png;"
            ));
            assert!(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"), "{policy}");
            assert_eq!(policy.contains("form-action 'self'"), is_bound, "{policy}");
            assert!(!headers.contains_key("cross-origin-opener-policy"));
            assert_eq!(headers[header::REFERRER_POLICY], "same-origin");
            assert_eq!(headers[header::CACHE_CONTROL], "no-store");
        }
    }
}
