//! `smtp`: sends emails through a relay (RFC 5321, RFC 3207, RFC 8314). The connection is encrypted unless the operator
//! disables it.

use super::Factory;
use crate::connector_config::read;
use crate::documents::bounded_vec::BoundedVec;
use crate::documents::connector::templates::{ConfigTemplate, MAX_TEMPLATES};
use crate::documents::connector::{ConnectorType, FormItem, FormItemType};
use crate::documents::text::Text;
use serde::Deserialize;
use serde_json::Value;

/// The factory.
pub(super) const SMTP: Factory = Factory {
    id: "smtp",
    kind: ConnectorType::Email,
    target: "smtp",
    platform: None,
    is_standard: false,
    is_token_storage_supported: false,
    name: "SMTP",
    description: "Sends e-mails by a mail relay.",
    logo: "",
    form_items: &[
        FormItem::required("host", FormItemType::Text, "Host"),
        FormItem::required("port", FormItemType::Number, "Port"),
        FormItem::optional("auth", FormItemType::Json, "User and password").confidential(),
        FormItem::required("fromEmail", FormItemType::Text, "Sender"),
        FormItem::optional("replyTo", FormItemType::Text, "Answers go to"),
        FormItem::optional("secure", FormItemType::Switch, "TLS from the start (port 465)"),
        FormItem::optional("requireTLS", FormItemType::Switch, "STARTTLS required"),
        FormItem::optional("ignoreTLS", FormItemType::Switch, "No STARTTLS"),
        FormItem::optional("tls", FormItemType::Json, "Certificates of the relay"),
        FormItem::optional("templates", FormItemType::Json, "Templates"),
    ],
    config_template: r#"{
  "host": "smtp.example.com", "port": 587, "auth": { "type": "login", "user": "", "pass": "" },
  "fromEmail": "Example <no-reply@example.com>"
}"#,
    secrets: &["/auth/pass"],
    destination: &["/host", "/port", "/auth/user", "/secure", "/ignoreTLS", "/requireTLS", "/tls"],
    check,
};

/// How the connection is encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SmtpEncryption {
    /// Implicit TLS.
    Implicit,
    /// STARTTLS is required.
    StartTls,
    /// STARTTLS if the relay offers it.
    Opportunistic,
    /// No encryption.
    None,
}

/// The configuration. Without `Debug`: it has a password.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SmtpConfig {
    /// Host name or IP address of the relay.
    pub host: Text<1, 253>,
    /// Its port.
    pub port: u16,
    /// The credentials; without them, the client does not authenticate.
    #[serde(default)]
    pub auth: Option<Auth>,
    /// The sender, such as `Example <no-reply@example.com>`.
    pub from_email: Text<3, 320>,
    /// The `Reply-To` address.
    #[serde(default)]
    pub reply_to: Option<Text<3, 320>>,
    #[serde(default)]
    secure: Option<bool>,
    #[serde(default, rename = "ignoreTLS")]
    ignore_tls: Option<bool>,
    #[serde(default, rename = "requireTLS")]
    require_tls: Option<bool>,
    /// How the relay's certificate is verified.
    #[serde(default)]
    pub tls: Option<Tls>,
    /// The operator's own templates.
    #[serde(default)]
    pub templates: BoundedVec<ConfigTemplate, MAX_TEMPLATES>,
}

/// The credentials at the relay.
#[derive(Clone, Deserialize)]
pub struct Auth {
    #[serde(default, rename = "type")]
    kind: Option<String>,
    /// The username.
    pub user: Text<1, 320>,
    /// The password.
    pub pass: Text<1, 4096>,
}

/// How the relay's certificate is verified. Verification cannot be turned off.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tls {
    /// The name in the certificate, if it differs from the host name.
    #[serde(default)]
    pub servername: Option<Text<1, 253>>,
    /// Trusted certificate authorities in place of those of the system, PEM.
    #[serde(default)]
    pub ca: Option<Text<1, 65_536>>,
}

impl SmtpConfig {
    /// Parses and validates a configuration; the error names the key path.
    pub fn read(config: &Value) -> Result<Self, String> {
        let read: Self = read(config)?;
        let wrong = |key: &str, problem: &str| Err(format!("Error in key path \"config.{key}\": {problem}"));
        if read.port == 0 {
            return wrong("port", "expected a number from 1 to 65535");
        }
        if !read.host.as_str().chars().all(|letter| letter.is_ascii_alphanumeric() || ".-_:".contains(letter)) {
            return wrong("host", "expected the name or the address of a host");
        }
        let is_line = |text: &str| !text.contains(char::is_control);
        if !is_line(read.from_email.as_str()) {
            return wrong("fromEmail", "expected one line");
        }
        if !read.reply_to.as_ref().is_none_or(|text| is_line(text.as_str())) {
            return wrong("replyTo", "expected one line");
        }
        if let Some(auth) = &read.auth {
            if !matches!(auth.kind.as_deref(), None | Some("login")) {
                return wrong("auth.type", "expected login");
            }
            if !is_line(auth.user.as_str()) || !is_line(auth.pass.as_str()) {
                return wrong("auth", "expected no line breaks");
            }
            if read.encryption() == SmtpEncryption::None && !read.is_on_this_machine() {
                return wrong("auth", "a password is sent over an encrypted connection only");
            }
        }
        Ok(read)
    }

    /// How the connection is encrypted: STARTTLS by default.
    #[must_use]
    pub fn encryption(&self) -> SmtpEncryption {
        match (self.secure, self.ignore_tls, self.require_tls) {
            (Some(true), ..) => SmtpEncryption::Implicit,
            (_, Some(true), _) => SmtpEncryption::None,
            (_, _, Some(false)) if self.auth.is_none() => SmtpEncryption::Opportunistic,
            _ => SmtpEncryption::StartTls,
        }
    }

    /// The name that the relay's certificate must have.
    #[must_use]
    pub fn certificate_name(&self) -> &str {
        let named = self.tls.as_ref().and_then(|tls| tls.servername.as_ref());
        named.unwrap_or(&self.host).as_str()
    }

    fn is_on_this_machine(&self) -> bool {
        matches!(self.host.as_str(), "localhost" | "127.0.0.1" | "::1")
    }
}

fn check(config: &Value) -> Result<(), String> {
    SmtpConfig::read(config).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn with(members: &Value) -> Value {
        let mut config = json!({ "host": "mail.example.com", "port": 587, "fromEmail": "Shop <shop@example.com>" });
        if let (Some(config), Some(members)) = (config.as_object_mut(), members.as_object()) {
            config.extend(members.clone());
        }
        config
    }

    #[test]
    fn what_is_sent_is_encrypted_unless_somebody_says_otherwise() {
        for (members, encryption) in [
            (json!({}), SmtpEncryption::StartTls),
            (json!({ "secure": true, "ignoreTLS": true }), SmtpEncryption::Implicit),
            (json!({ "secure": false, "requireTLS": true }), SmtpEncryption::StartTls),
            (json!({ "requireTLS": false }), SmtpEncryption::Opportunistic),
            // With a password, encryption is required even if `requireTLS` is false.
            (json!({ "requireTLS": false, "auth": { "user": "ada", "pass": "x" } }), SmtpEncryption::StartTls),
            (json!({ "ignoreTLS": true }), SmtpEncryption::None),
        ] {
            let found = SmtpConfig::read(&with(&members)).map(|config| config.encryption());
            assert_eq!(found, Ok(encryption), "{members}");
        }
    }

    #[test]
    fn what_cannot_work_or_be_safe_is_refused() {
        for members in [
            json!({ "port": 0 }),
            json!({ "port": 70_000 }),
            json!({ "host": "" }),
            json!({ "host": "mail.example.com\r\nRCPT TO:<eve@example.com>" }),
            json!({ "host": "http://mail.example.com/" }),
            json!({ "fromEmail": "a@example.com\r\nBcc: eve@example.com" }),
            json!({ "replyTo": "a@example.com\nBcc: eve@example.com" }),
            json!({ "auth": { "type": "oauth2", "user": "ada", "pass": "x" } }),
            json!({ "auth": { "user": "ada" } }),
            json!({ "auth": { "user": "ada", "pass": "x" }, "ignoreTLS": true }),
            json!({ "tls": { "rejectUnauthorized": false } }),
            json!({ "templates": [{ "usageType": "Fax", "content": "x" }] }),
            json!({ "templates": [{ "usageType": "Generic", "content": "" }] }),
        ] {
            assert!(check(&with(&members)).is_err(), "{members}");
        }
        assert_eq!(
            check(&with(&json!({ "host": "127.0.0.1", "ignoreTLS": true, "auth": { "user": "a", "pass": "b" } }))),
            Ok(())
        );
    }
}
