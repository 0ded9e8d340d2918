//! An authenticator app: the one-time passwords that it shows (RFC 6238).

use crate::TestServer;

/// What an authenticator with this secret, in base32, shows at the server's time.
#[must_use]
pub fn one_time_password(server: &TestServer, secret: &str) -> String {
    let secret = totp_rs::Secret::try_from_base32(secret).unwrap();
    let authenticator = totp_rs::Builder::new().with_secret(secret).build().unwrap();
    authenticator.generate(u64::try_from(server.clock.now_ms() / 1000).unwrap()).to_string()
}
