//! TLS of outgoing connections. The certificate must be valid for the name: there is no way to accept any other.

use super::error::EgressError;
use super::stream::BoundedStream;
use rustls_platform_verifier::BuilderVerifierExt;
use std::sync::Arc;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::aws_lc_rs::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// An encrypted connection.
pub(crate) type TlsStream = tokio_rustls::client::TlsStream<BoundedStream>;

/// Encrypts a connection of a protocol other than HTTP, to a server with a certificate for `name` from an authority
/// that the machine trusts or, if there are any, from one of those in `authorities` (PEM).
pub(crate) async fn encrypt(
    stream: BoundedStream,
    name: &str,
    authorities: Option<&str>,
) -> Result<TlsStream, EgressError> {
    let bad = |message: &str| EgressError::BadRequest(message.to_owned());
    let server = ServerName::try_from(name.to_owned()).map_err(|_| bad("no certificate has this host name"))?;
    let authorities = authorities.map(str::to_owned);
    // Reads files.
    let made = tokio::task::spawn_blocking(move || configuration(authorities.as_deref())).await;
    let configuration = made.map_err(|error| bad(&error.to_string()))?.map_err(|error| bad(&error))?;
    let connector = TlsConnector::from(Arc::new(configuration));
    connector
        .connect(server, stream)
        .await
        .map_err(|error| EgressError::Broken { host: name.to_owned(), reason: error.to_string() })
}

/// Trusts the authorities that the machine trusts or, if there are any, those in `authorities` (PEM). Reads files.
pub(super) fn configuration(authorities: Option<&str>) -> Result<ClientConfig, String> {
    let builder = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    let Some(authorities) = authorities else {
        let builder = builder.with_platform_verifier().map_err(|error| error.to_string())?;
        return Ok(builder.with_no_client_auth());
    };
    let unreadable = || "the certificates of the authorities cannot be read".to_owned();
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(authorities.as_bytes()) {
        roots.add(certificate.map_err(|_| unreadable())?).map_err(|_| unreadable())?;
    }
    if roots.is_empty() {
        return Err(unreadable());
    }
    Ok(builder.with_root_certificates(roots).with_no_client_auth())
}
