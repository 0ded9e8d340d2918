//! A conversation with a relay (RFC 5321): one connection for each message, within a time limit. Only the codes of the
//! relay's replies are kept: its texts may repeat what it was sent.

use super::SendFailure;
use super::relay::Relay;
use super::start_tls::{self, Certificate, broken};
use crate::egress::{Egress, encrypt};
use claimsmith_domain::connector::{SmtpConfig, SmtpEncryption};
use lettre::Message;
use lettre::transport::smtp;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{AsyncSmtpConnection, AsyncTokioStream};
use lettre::transport::smtp::extension::ClientId;
use std::time::Duration;
use tokio::time::timeout;

/// Bytes that a relay may say in one conversation.
const MAX_BYTES_READ: usize = 256 << 10;
/// How long a relay may take to answer QUIT, after it has accepted the message.
const QUIT_TIMEOUT: Duration = Duration::from_secs(1);

/// Sends an e-mail.
pub(super) async fn send(
    egress: &Egress,
    config: &SmtpConfig,
    email: &Message,
    time: Duration,
) -> Result<(), SendFailure> {
    let too_slow = || SendFailure::later(format!("the relay did not take the message within {} ms", time.as_millis()));
    let mut connection = timeout(time, converse(egress, config, email)).await.map_err(|_| too_slow())??;
    // The relay has accepted the message; its reply no longer matters.
    let _ = timeout(QUIT_TIMEOUT, connection.quit()).await;
    Ok(())
}

async fn converse(egress: &Egress, config: &SmtpConfig, email: &Message) -> Result<AsyncSmtpConnection, SendFailure> {
    let hello = hello(email);
    let stream = open(egress, config, &hello).await?;
    let mut connection =
        AsyncSmtpConnection::connect_with_transport(stream, &hello).await.map_err(|error| not_yet(&error))?;
    if let Some(auth) = &config.auth {
        let credentials = Credentials::new(auth.user.as_str().to_owned(), auth.pass.as_str().to_owned());
        let signed_in = connection.auth(&[Mechanism::Plain, Mechanism::Login], &credentials).await;
        // Retried, since the operator may correct the password meanwhile.
        signed_in.map_err(|error| not_yet(&error))?;
    }
    connection.send(email.envelope(), &email.formatted()).await.map_err(|error| failure(&error))?;
    Ok(connection)
}

/// Connects, and encrypts as the configuration says.
async fn open(
    egress: &Egress,
    config: &SmtpConfig,
    hello: &ClientId,
) -> Result<Box<dyn AsyncTokioStream>, SendFailure> {
    let stream = egress.connect(config.host.as_str(), config.port, MAX_BYTES_READ).await?;
    let authorities =
        config.tls.as_ref().and_then(|tls| tls.ca.as_ref()).map(claimsmith_domain::documents::text::Text::as_str);
    let certificate = Certificate { name: config.certificate_name(), authorities };
    match config.encryption() {
        SmtpEncryption::None => Ok(Box::new(Relay::plain(stream, false).map_err(broken)?)),
        SmtpEncryption::Implicit => {
            let encrypted = encrypt(stream, certificate.name, certificate.authorities).await?;
            Ok(Box::new(Relay::encrypted(encrypted, false).map_err(broken)?))
        }
        SmtpEncryption::StartTls => start_tls::upgrade(stream, &hello.to_string(), certificate, true).await,
        SmtpEncryption::Opportunistic => start_tls::upgrade(stream, &hello.to_string(), certificate, false).await,
    }
}

/// The name in EHLO: the domain of the sender.
fn hello(email: &Message) -> ClientId {
    let domain = email.envelope().from().map(|address| address.domain().to_owned());
    domain.filter(|domain| domain.is_ascii()).map_or_else(ClientId::default, ClientId::Domain)
}

/// Maps an error. A permanent refusal of a message is final.
fn failure(error: &smtp::Error) -> SendFailure {
    let code = error.status().map(|code| code.to_string());
    match code {
        Some(code) if error.is_permanent() => SendFailure::never(format!("the relay refused the message: {code}")),
        Some(code) => SendFailure::later(format!("the relay answered {code}")),
        None if error.is_response() => SendFailure::later("the relay's answer cannot be read"),
        None => SendFailure::later(format!("the conversation with the relay failed: {error}")),
    }
}

/// The same before the relay has heard of the message: another attempt may succeed after any refusal.
fn not_yet(error: &smtp::Error) -> SendFailure {
    let code = error.status().map(|code| format!("the relay answered {code}"));
    SendFailure { is_final: false, error: code.unwrap_or_else(|| failure(error).error), hold: None }
}
