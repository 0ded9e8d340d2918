//! JSON documents of the API and of the database: their members, bounds, defaults, and OpenAPI schemas. Rules that
//! involve several documents are in the rest of `domain`.

pub mod account_center;
pub mod algorithm;
pub mod application;
pub mod bounded_vec;
pub mod captcha;
pub mod client_authentication;
pub mod connector;
pub mod custom_profile_field;
pub mod fold;
pub mod given;
pub mod hidden;
pub mod hook;
pub mod id_list;
pub mod id_token;
pub mod identifier_type;
pub mod language;
pub mod message;
pub mod mfa;
pub mod one_time_token;
pub mod organization;
pub mod password_policy;
pub mod patch;
pub mod plugin;
pub mod resource;
pub mod role;
pub mod rollout;
pub mod schema;
pub mod sign_in_experience;
pub mod text;
pub mod uri_rule;
pub mod user;
pub mod user_settings;
pub mod username;
