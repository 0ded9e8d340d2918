//! Whether a certificate of a PostgreSQL is one that `libpq` accepts. Beside what webpki accepts, these are two kinds that
//! the manual makes: one that signed itself, is a CA by its extensions, and is trusted itself; and one without extensions
//! (version 1), signed by a trusted CA. Both have their name in the common name alone.

use std::sync::Arc;
use tokio_rustls::rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use tokio_rustls::rustls::client::{VerifierBuilderError, WebPkiServerVerifier, verify_server_name};
use tokio_rustls::rustls::crypto::{
    CryptoProvider, WebPkiSupportedAlgorithms, verify_tls12_signature, verify_tls13_signature,
    verify_tls13_signature_with_raw_key,
};
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, SubjectPublicKeyInfoDer, UnixTime};
use tokio_rustls::rustls::server::ParsedCertificate;
use tokio_rustls::rustls::{CertificateError, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};
use x509_parser::asn1_rs::{Any, FromDer as _};
use x509_parser::certificate::X509Certificate;
use x509_parser::time::ASN1Time;

/// What has to be true of a certificate (`sslmode`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trust {
    /// Nothing.
    Anybody,
    /// A trusted root signed it, or it is one.
    Roots,
    /// The same, and it has the name of the host.
    RootsAndName,
}

/// Verifies certificates.
#[derive(Debug)]
pub(super) struct LikeLibpq {
    trust: Trust,
    roots: Vec<CertificateDer<'static>>,
    host: String,
    /// Verifies the usual certificates; none without roots.
    usual: Option<Arc<WebPkiServerVerifier>>,
    algorithms: WebPkiSupportedAlgorithms,
}

impl LikeLibpq {
    pub(super) fn new(
        trust: Trust,
        roots: Vec<CertificateDer<'static>>,
        host: &str,
        provider: &Arc<CryptoProvider>,
    ) -> Result<Self, VerifierBuilderError> {
        let mut store = RootCertStore::empty();
        // Roots that webpki cannot read are left to this module.
        store.add_parsable_certificates(roots.iter().cloned());
        let usual = if store.is_empty() {
            None
        } else {
            let builder = WebPkiServerVerifier::builder_with_provider(Arc::new(store), Arc::clone(provider));
            Some(builder.build()?)
        };
        let algorithms = provider.signature_verification_algorithms;
        Ok(Self { trust, roots, host: host.to_owned(), usual, algorithms })
    }

    /// Whether a trusted root is or signed this certificate, and it is valid now.
    fn is_trusted(&self, der: &CertificateDer<'_>, now: UnixTime) -> Option<()> {
        let certificate = parsed(der)?;
        let now = ASN1Time::from_timestamp(i64::try_from(now.as_secs()).ok()?).ok()?;
        if !certificate.validity().is_valid_at(now) {
            return None;
        }
        // Only a certificate without extensions: what extensions forbid, such as a client's certificate that serves, is
        // left to webpki.
        let signs = |root: &CertificateDer<'_>| {
            parsed(root).is_some_and(|root| {
                certificate.extensions().is_empty()
                    && root.name_constraints().is_ok_and(|constraints| constraints.is_none())
                    && root.subject().as_raw() == certificate.issuer().as_raw()
                    && root.is_ca()
                    && root.key_usage().is_ok_and(|usage| usage.is_none_or(|usage| usage.value.key_cert_sign()))
                    && root.validity().is_valid_at(now)
                    && self.is_signed(der, root.public_key().raw).is_some()
            })
        };
        self.roots.iter().any(|root| root == der || signs(root)).then_some(())
    }

    /// Whether a public key, as in a certificate, made the signature of a certificate.
    fn is_signed(&self, certificate: &[u8], key: &[u8]) -> Option<()> {
        let (_, certificate, _) = element(certificate)?;
        let (signed, _, rest) = element(certificate)?;
        let (_, algorithm, rest) = element(rest)?;
        let (_, signature, _) = element(rest)?;
        let (_, key, _) = element(key)?;
        let (_, key_algorithm, rest) = element(key)?;
        let (_, key, _) = element(rest)?;
        // The first byte of a bit string is the number of unused bits.
        let (signature, key) = (signature.strip_prefix(&[0])?, key.strip_prefix(&[0])?);
        let mut suitable = self.algorithms.all.iter().filter(|known| {
            known.signature_alg_id().as_ref() == algorithm && known.public_key_alg_id().as_ref() == key_algorithm
        });
        suitable.any(|known| known.verify_signature(key, signed, signature).is_ok()).then_some(())
    }

    /// Whether a certificate has the name of the host: in the alternative names, or, only without them, in the common
    /// name.
    fn has_name(&self, der: &CertificateDer<'_>, name: &ServerName<'_>) -> bool {
        let Some(certificate) = parsed(der) else { return false };
        match certificate.subject_alternative_name() {
            Ok(None) => {
                let common_name = certificate.subject().iter_common_name().last();
                let common_name = common_name.and_then(|name| name.as_str().ok());
                common_name.is_some_and(|common_name| common_name.eq_ignore_ascii_case(&self.host))
            }
            Ok(Some(_)) => {
                ParsedCertificate::try_from(der).is_ok_and(|parsed| verify_server_name(&parsed, name).is_ok())
            }
            Err(_) => false,
        }
    }
}

impl ServerCertVerifier for LikeLibpq {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if self.trust == Trust::Anybody {
            return Ok(ServerCertVerified::assertion());
        }
        let usual = match &self.usual {
            Some(usual) => usual.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now),
            None => Err(Error::InvalidCertificate(CertificateError::UnknownIssuer)),
        };
        let is_trusted = match &usual {
            Ok(_) => return usual,
            // Its chain was verified before its name.
            Err(Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) => true,
            Err(_) => self.is_trusted(end_entity, now).is_some(),
        };
        if !is_trusted {
            return usual;
        }
        if self.trust == Trust::RootsAndName && !self.has_name(end_entity, server_name) {
            return Err(Error::InvalidCertificate(CertificateError::NotValidForName));
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, cert, dss, &self.algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        // webpki reads no certificate of version 1; its key is read here.
        verify_tls13_signature(message, cert, dss, &self.algorithms).or_else(|error| {
            let certificate = parsed(cert).ok_or(error)?;
            let key = SubjectPublicKeyInfoDer::from(certificate.public_key().raw);
            verify_tls13_signature_with_raw_key(message, &key, dss, &self.algorithms)
        })
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}

fn parsed<'c>(der: &'c CertificateDer<'_>) -> Option<X509Certificate<'c>> {
    let (rest, certificate) = X509Certificate::from_der(der).ok()?;
    rest.is_empty().then_some(certificate)
}

/// The first element of DER: all of it, what it contains, and what follows.
fn element(der: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let (rest, element) = Any::from_der(der).ok()?;
    Some((der.strip_suffix(rest)?, element.data, rest))
}
