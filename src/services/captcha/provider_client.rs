//! Captcha providers that verify answers over HTTP: Turnstile and reCAPTCHA Enterprise. Any answer that the provider
//! does not confirm is refused.

use crate::egress::{Budget, Egress, EgressError, Excess, OutgoingRequest};
use claimsmith_domain::documents::captcha::{CaptchaConfig, RecaptchaMode};
use claimsmith_runtime::json::{self, INCOMING};
use serde::Deserialize;
use serde_json::json;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

const TURNSTILE: &str = "https://challenges.cloudflare.com";
const RECAPTCHA: &str = "https://recaptchaenterprise.googleapis.com";

/// Until the last byte of an answer; the user waits meanwhile.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(5);
/// The most bytes of an answer: they have less than two thousand.
const MAX_ANSWER_BYTES: usize = 64 * 1024;
/// The minimum score where there is no checkbox: Google's recommended initial value.
const MIN_SCORE: f64 = 0.5;

/// The client of the providers.
pub struct ProviderClient {
    egress: Arc<Egress>,
    turnstile: String,
    recaptcha: String,
}

#[derive(Deserialize)]
struct TurnstileAnswer {
    #[serde(default)]
    success: bool,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Assessment {
    token_properties: TokenProperties,
    risk_analysis: RiskAnalysis,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct TokenProperties {
    valid: bool,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RiskAnalysis {
    score: f64,
}

impl ProviderClient {
    /// With the providers' real URLs.
    pub(crate) fn new(egress: Arc<Egress>) -> Self {
        Self { egress, turnstile: TURNSTILE.to_owned(), recaptcha: RECAPTCHA.to_owned() }
    }

    /// Whether the configured provider confirms an answer that came from this IP address.
    pub async fn confirms(&self, config: &CaptchaConfig, answer: &str, address: Option<IpAddr>) -> bool {
        let confirmed = match config {
            CaptchaConfig::ProofOfWork { .. } => return false,
            CaptchaConfig::Turnstile { secret_key, .. } => match secret_key {
                Some(secret) => self.turnstile(secret.as_str(), answer, address).await,
                None => return false,
            },
            CaptchaConfig::RecaptchaEnterprise { site_key, secret_key, project_id, mode, .. } => match secret_key {
                Some(secret) => {
                    let (site, project) = (site_key.as_str(), project_id.as_str());
                    let has_box = *mode == Some(RecaptchaMode::Checkbox);
                    self.recaptcha((site, secret.as_str(), project), has_box, answer, address).await
                }
                None => return false,
            },
        };
        confirmed.unwrap_or_else(|error| {
            tracing::warn!(%error, provider = config.kind(), "the captcha provider does not answer");
            false
        })
    }

    async fn turnstile(&self, secret: &str, answer: &str, address: Option<IpAddr>) -> Result<bool, EgressError> {
        let form = {
            let mut form = form_urlencoded::Serializer::new(String::new());
            form.append_pair("secret", secret).append_pair("response", answer);
            if let Some(address) = address {
                form.append_pair("remoteip", &address.to_string());
            }
            form.finish()
        };
        let url = format!("{}/turnstile/v0/siteverify", self.turnstile);
        let headers = vec![("content-type".to_owned(), "application/x-www-form-urlencoded".to_owned())];
        let body = self.post(url, headers, form).await?;
        Ok(body.and_then(|body| json::read::<TurnstileAnswer>(&body, INCOMING).ok()).is_some_and(|told| told.success))
    }

    async fn recaptcha(
        &self,
        (site, secret, project): (&str, &str, &str),
        has_box: bool,
        answer: &str,
        address: Option<IpAddr>,
    ) -> Result<bool, EgressError> {
        let mut event = json!({ "token": answer, "siteKey": site });
        if let Some(address) = address {
            event["userIpAddress"] = json!(address.to_string());
        }
        // The name of a project needs no escaping, but it is untrusted text.
        let project: String = form_urlencoded::byte_serialize(project.as_bytes()).collect();
        let url = format!("{}/v1/projects/{project}/assessments", self.recaptcha);
        let headers = vec![
            ("content-type".to_owned(), "application/json".to_owned()),
            ("x-goog-api-key".to_owned(), secret.to_owned()),
        ];
        let body = self.post(url, headers, json!({ "event": event }).to_string()).await?;
        let told = body.and_then(|body| json::read::<Assessment>(&body, INCOMING).ok()).unwrap_or_default();
        Ok(told.token_properties.valid && (has_box || told.risk_analysis.score >= MIN_SCORE))
    }

    /// The body of a successful response; otherwise `None`.
    async fn post(
        &self,
        url: String,
        headers: Vec<(String, String)>,
        body: String,
    ) -> Result<Option<Vec<u8>>, EgressError> {
        let request = OutgoingRequest { method: "POST".to_owned(), url, headers, body: Some(body.into()) };
        let budget = Budget { time: REQUEST_TIMEOUT, response_bytes: MAX_ANSWER_BYTES, excess: Excess::Refused };
        let answer = self.egress.send(request, &budget).await?;
        if answer.status == 200 {
            return Ok(Some(answer.body));
        }
        tracing::warn!(status = answer.status, "the captcha provider refuses the request: is its configuration right?");
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;
    use tokio::task::JoinHandle;

    /// A server that answers one request with this, and returns the request.
    async fn provider(status: &str, body: &str) -> (ProviderClient, JoinHandle<String>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let answer = format!(
            "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
            body.len()
        );
        let asked = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut request = Vec::new();
            while !is_whole(&request) {
                let mut piece = [0; 4096];
                let length = stream.read(&mut piece).await.unwrap();
                assert!(length > 0, "the request ended early");
                request.extend_from_slice(&piece[..length]);
            }
            stream.write_all(answer.as_bytes()).await.unwrap();
            stream.shutdown().await.unwrap();
            String::from_utf8(request).unwrap()
        });
        let egress = Arc::new(Egress::unguarded());
        (ProviderClient { egress, turnstile: base.clone(), recaptcha: base }, asked)
    }

    /// Whether a request is complete.
    fn is_whole(request: &[u8]) -> bool {
        let text = String::from_utf8_lossy(request).to_lowercase();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap_or("0");
        body.len() >= length.parse::<usize>().unwrap()
    }

    fn config(text: &str) -> CaptchaConfig {
        serde_json::from_str(text).unwrap()
    }

    #[tokio::test]
    async fn turnstile_is_asked_and_believed() {
        let config = config(r#"{ "type": "Turnstile", "siteKey": "site", "secretKey": "se&cret" }"#);
        for (status, body, expected) in [
            ("200 OK", r#"{"success":true,"hostname":"a.test"}"#, true),
            ("200 OK", r#"{"success":false,"error-codes":["timeout-or-duplicate"]}"#, false),
            ("200 OK", "{}", false),
            ("200 OK", "<html>", false),
            ("500 Internal Server Error", r#"{"success":true}"#, false),
        ] {
            let (client, asked) = provider(status, body).await;
            let address = Some(IpAddr::from([192, 0, 2, 7]));
            assert_eq!(client.confirms(&config, "an+answer", address).await, expected, "{status} {body}");
            let request = asked.await.unwrap();
            assert!(request.starts_with("POST /turnstile/v0/siteverify HTTP/1.1\r\n"), "{request}");
            let expected = "secret=se%26cret&response=an%2Banswer&remoteip=192.0.2.7";
            assert!(request.ends_with(expected), "{request}");
        }
    }

    #[tokio::test]
    async fn recaptcha_is_asked_and_its_score_counts() {
        let invisible =
            r#"{ "type": "RecaptchaEnterprise", "siteKey": "site", "secretKey": "key", "projectId": "my/project" }"#;
        let checkbox = invisible.replace('}', r#", "mode": "checkbox" }"#);
        let good = r#"{"tokenProperties":{"valid":true},"riskAnalysis":{"score":0.5}}"#;
        let doubtful = r#"{"tokenProperties":{"valid":true},"riskAnalysis":{"score":0.4}}"#;
        let invalid = r#"{"tokenProperties":{"valid":false},"riskAnalysis":{"score":0.9}}"#;
        for (given, body, expected) in [
            (invisible, good, true),
            (invisible, doubtful, false),
            (invisible, invalid, false),
            (checkbox.as_str(), doubtful, true),
            (checkbox.as_str(), invalid, false),
            (invisible, "{}", false),
        ] {
            let (client, asked) = provider("200 OK", body).await;
            assert_eq!(client.confirms(&config(given), "answer", None).await, expected, "{given} {body}");
            let request = asked.await.unwrap();
            assert!(request.starts_with("POST /v1/projects/my%2Fproject/assessments HTTP/1.1\r\n"), "{request}");
            assert!(request.to_lowercase().contains("\r\nx-goog-api-key: key\r\n"), "{request}");
            assert!(request.ends_with(r#"{"event":{"token":"answer","siteKey":"site"}}"#), "{request}");
        }
    }

    #[tokio::test]
    async fn who_cannot_be_reached_confirms_nothing() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        drop(listener);
        let egress = Arc::new(Egress::unguarded());
        let client = ProviderClient { egress, turnstile: base.clone(), recaptcha: base };
        let turnstile = config(r#"{ "type": "Turnstile", "siteKey": "site", "secretKey": "secret" }"#);
        assert!(!client.confirms(&turnstile, "answer", None).await);
    }
}
