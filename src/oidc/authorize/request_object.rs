//! The request object of a request (`request`, OpenID Connect Core section 6.1). It is refused; the only thing that is
//! read of it is how the client expects the refusal.

use claimsmith_web::extract::form::Form;
use data_encoding::BASE64URL_NOPAD;
use serde_json::{Map, Value};

/// The text of a member of the request object, signed or not. It is no more trustworthy than a parameter.
pub(super) fn text(form: &Form, name: &str) -> Option<String> {
    let payload = form.one("request").ok()??.split('.').nth(1)?;
    let payload = BASE64URL_NOPAD.decode(payload.as_bytes()).ok()?;
    let claims: Map<String, Value> = claimsmith_json::read(&payload, claimsmith_json::INCOMING).ok()?;
    claims.get(name)?.as_str().map(str::to_owned)
}
