//! Presets of mail services for the SMTP connector: what they fill in, and the steps at the service.

use super::Guide;
use crate::caller::segment;
use serde_json::Value;

/// A mail service.
#[derive(Debug)]
pub(in crate::connectors) struct MailService {
    /// The value of the parameter `preset`.
    pub(in crate::connectors) id: &'static str,
    /// The display name.
    pub(in crate::connectors) name: &'static str,
    /// How the host name of its relays ends.
    host_end: &'static str,
    /// Fields of the form, and their values.
    pub(in crate::connectors) fields: &'static [(&'static str, &'static str)],
    /// The steps at the service.
    pub(in crate::connectors) guide: Guide,
}

impl MailService {
    /// The service with this id.
    pub(in crate::connectors) fn find(id: &str) -> Option<&'static Self> {
        ALL.iter().find(|service| service.id == id)
    }

    /// The service that a configuration sends through.
    pub(in crate::connectors) fn of(config: &Value) -> Option<&'static Self> {
        let host = config.get("host").and_then(Value::as_str)?;
        ALL.iter().find(|service| host.ends_with(service.host_end))
    }

    /// The page that creates a connector with it.
    pub(in crate::connectors) fn new_page(&self) -> String {
        format!("/console/connectors/new/smtp?preset={}", segment(self.id))
    }
}

/// Every service. All of them use STARTTLS at port 587, which is the connector's default.
pub(in crate::connectors) const ALL: &[MailService] = &[
    MailService {
        id: "ses",
        name: "Amazon SES",
        host_end: ".amazonaws.com",
        fields: &[("host", "email-smtp.us-east-1.amazonaws.com"), ("port", "587")],
        guide: Guide::new(
            ("Amazon SES: SMTP settings", "https://console.aws.amazon.com/ses/home#/smtp"),
            &[
                "In Amazon SES, under Identities, verify the domain or address that you send from.",
                "Under SMTP settings, copy the SMTP endpoint to Host: it names your region, such as us-east-1.",
                "Select Create SMTP credentials, and copy user name and password. Access keys of AWS don't work here.",
                "New accounts send to verified addresses only: request production access to send to everyone.",
            ],
        ),
    },
    MailService {
        id: "sendgrid",
        name: "SendGrid",
        host_end: ".sendgrid.net",
        fields: &[("host", "smtp.sendgrid.net"), ("port", "587"), ("auth.user", "apikey")],
        guide: Guide::new(
            ("SendGrid: API keys", "https://app.sendgrid.com/settings/api_keys"),
            &[
                "Under Settings, Sender Authentication, authenticate the domain that you send from.",
                "Under Settings, API Keys, create an API key with restricted access: Mail Send is enough.",
                "Enter the API key as the password. The user is the word apikey for every account.",
            ],
        ),
    },
    MailService {
        id: "mailgun",
        name: "Mailgun",
        host_end: ".mailgun.org",
        fields: &[("host", "smtp.mailgun.org"), ("port", "587"), ("auth.user", "postmaster@YOUR_DOMAIN")],
        guide: Guide::new(
            ("Mailgun: sending domains", "https://app.mailgun.com/mg/sending/domains"),
            &[
                "Under Sending, Domains, add the domain that you send from, and verify its DNS records.",
                "Open the domain's settings, then SMTP credentials, and reset the password of a user, or add one.",
                "Enter the whole user name, such as postmaster@mg.example.com, and the password.",
                "For a domain in the EU region, change the host to smtp.eu.mailgun.org.",
            ],
        ),
    },
    MailService {
        id: "postmark",
        name: "Postmark",
        host_end: ".postmarkapp.com",
        fields: &[("host", "smtp.postmarkapp.com"), ("port", "587")],
        guide: Guide::new(
            ("Postmark: servers", "https://account.postmarkapp.com/servers"),
            &[
                "Under Sender Signatures, verify the domain or address that you send from.",
                "Open a server, then API Tokens, and copy the Server API token.",
                "Enter the token both as user and as password.",
                "Until Postmark has approved the account, it sends to addresses of your own domain only.",
            ],
        ),
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_service_is_known_by_its_host() {
        for service in ALL {
            let host = service.fields.iter().find(|(name, _)| *name == "host").map(|(_, host)| *host);
            let found = MailService::of(&json!({ "host": host }));
            assert_eq!(found.map(|found| found.id), Some(service.id));
            assert!(MailService::find(service.id).is_some());
            assert!(service.guide.page(&Value::Null).is_some_and(|(_, url)| url.starts_with("https://")));
        }
        assert!(MailService::of(&json!({ "host": "mail.example.com" })).is_none());
        assert!(MailService::of(&json!({})).is_none());
    }
}
