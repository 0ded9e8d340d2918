//! Multi-factor authentication: the secrets of second factors, encrypted at rest, and the QR code of a TOTP secret.

use claimsmith_domain::id::FactorId;
use claimsmith_domain::random::{self, RandomError};
use claimsmith_services::encryption::{Cipher, EncryptionError, Purpose};
use claimsmith_storage::users::User;
use data_encoding::{BASE32_NOPAD, BASE64};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use qrcode::QrCode;
use qrcode::render::svg;
use qrcode::types::QrError;

/// Bytes of a new secret, as RFC 4226 section 4 recommends.
const SECRET_BYTES: usize = 20;
/// Minimum (RFC 4226 section 4) and maximum bytes of an imported secret.
const ALLOWED_SECRET_BYTES: std::ops::RangeInclusive<usize> = 16..=64;

/// The reason that the secret of a factor could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FactorSecretError {
    /// Encryption or decryption failed.
    #[error(transparent)]
    Encryption(#[from] EncryptionError),
    /// The secret does not have the format of its type.
    #[error("the backup codes of a user cannot be read")]
    Form(#[from] serde_json::Error),
}

/// Encrypts the secret of the factor with this id.
pub(crate) fn encrypt(cipher: &Cipher, factor_id: &FactorId, secret: &str) -> Result<String, EncryptionError> {
    cipher.encrypt(Purpose::MfaFactor, factor_id, secret.as_bytes())
}

/// Decrypts the secret of a factor.
pub(crate) fn decrypt(cipher: &Cipher, factor_id: &FactorId, sealed: &str) -> Result<String, EncryptionError> {
    let secret = cipher.decrypt(Purpose::MfaFactor, factor_id, sealed)?;
    std::str::from_utf8(&secret).map(str::to_owned).map_err(|_| EncryptionError::Damaged)
}

/// A new secret for one-time passwords, in base 32 (RFC 4648 section 6).
pub(crate) fn new_totp_secret() -> Result<String, RandomError> {
    Ok(BASE32_NOPAD.encode(&random::bytes::<SECRET_BYTES>()?))
}

/// Whether a text is a valid secret for one-time passwords.
#[must_use]
pub fn is_totp_secret(text: &str) -> bool {
    text.len() <= 128
        && BASE32_NOPAD.decode(text.as_bytes()).is_ok_and(|bytes| ALLOWED_SECRET_BYTES.contains(&bytes.len()))
}

/// The QR code of a user's secret for authenticator apps.
pub fn qr_code_of(service: &str, user: &User, secret: &str) -> Result<String, QrError> {
    let names = [&user.username, &user.primary_email, &user.primary_phone];
    let name = names.into_iter().flatten().next().map_or(user.id.as_str(), String::as_str);
    qr_code(service, name, secret)
}

/// A QR code of the `otpauth` URI of a secret, as a data URI.
fn qr_code(service: &str, user: &str, secret: &str) -> Result<String, QrError> {
    let encode = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
    let (service, user) = (encode(service), encode(user));
    let uri = format!("otpauth://totp/{service}:{user}?secret={secret}&issuer={service}");
    let picture = QrCode::new(uri)?.render::<svg::Color>().min_dimensions(200, 200).build();
    Ok(format!("data:image/svg+xml;base64,{}", BASE64.encode(picture.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_base_32_of_enough_bits() -> Result<(), Box<dyn std::error::Error>> {
        let new = new_totp_secret()?;
        assert_eq!((new.len(), is_totp_secret(&new)), (32, true));
        for bad in ["", "abc", "GEZDGNBVGY3TQOJQ", "0189", &"A".repeat(136)] {
            assert!(!is_totp_secret(bad), "{bad}");
        }
        assert!(qr_code("https://id.example.com", "ada@example.com", &new)?.starts_with("data:image/svg+xml;base64,"));
        Ok(())
    }
}
