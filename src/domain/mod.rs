//! Pure types and rules: what an application may do, which scopes may be granted, what a valid name is. Uses serde and
//! the standard library alone; no database, no HTTP, no plugins.

pub mod algorithm;
pub mod application;
pub mod authorization;
pub mod backchannel_logout;
pub mod client_address;
pub mod client_authentication;
pub mod event;
pub mod event_pattern;
pub mod exchange;
pub mod factor_policy;
pub mod few;
pub mod fold;
pub mod header;
pub mod hook;
pub mod id;
pub mod id_list;
pub mod id_token;
pub mod identifier;
pub mod interaction;
pub mod interaction_event;
pub mod language;
pub mod lockout;
pub mod loopback;
pub mod management;
pub mod mfa;
pub mod name;
pub mod object;
pub mod organization;
pub mod origin;
pub mod password_policy;
pub mod phone;
pub mod present;
pub mod profile;
pub mod role;
pub mod scope;
pub mod search;
pub mod sign_in_experience;
<<<<<<< HEAD
pub mod staged_factors;
=======
pub mod submitted_interaction;
>>>>>>> main
pub mod text;
pub mod user;
pub mod user_claims;
pub mod user_code;
pub mod user_scope;
pub mod user_settings;
