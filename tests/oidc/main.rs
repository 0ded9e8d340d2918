//! The OIDC endpoints and subject tokens over HTTP: every success and every error.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

mod actor;
mod backchannel_logout;
mod client_authentication;
mod client_credentials;
mod conformance;
mod cors;
mod default_resource;
mod device;
mod discovery;
mod id_token_claims;
mod introspection;
mod keys;
mod management_access;
mod organization;
mod organization_tokens;
mod organizations_resource;
mod page;
mod personal_access_tokens;
mod private_key_jwt;
mod repeatable;
mod request_id;
mod resource_spelling;
mod revocation;
mod sign_in;
mod single_use;
mod subject;
mod subject_tokens;
mod target;
mod token_exchange;
mod token_request;
mod userinfo;
