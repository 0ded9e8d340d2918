//! The request and response bodies of the Management API, a file for each family. The server, the console and the
//! commands use these types, so that none of them falls behind.

#![expect(missing_docs, reason = "comments become descriptions, and many members need none beside their names")]

pub mod captcha_provider;
pub mod configs;
pub mod connectors;
pub mod custom_phrases;
pub mod custom_profile_fields;
pub mod email_templates;
pub mod hook_receivers;
pub mod hooks;
pub mod jwt_customizer;
pub mod plugin_examples;
pub mod plugins;
pub mod roles;
pub mod sign_in_experience;
pub mod sso_connectors;
pub mod tenant;
