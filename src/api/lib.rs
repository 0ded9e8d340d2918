//! The request and response bodies of the Management API, a file for each family. The server, the console and the
//! commands use these types, so that none of them falls behind.

// The example of a plugin has many members.
#![recursion_limit = "256"]
#![expect(missing_docs, reason = "comments become descriptions, and many members need none beside their names")]

pub mod account_center;
pub mod administrator_invitations;
pub mod application_access;
pub mod applications;
pub mod captcha_provider;
pub mod configs;
pub mod connectors;
pub mod custom_phrases;
pub mod custom_profile_fields;
pub mod dashboard;
pub mod email_templates;
pub mod hook_receivers;
pub mod hooks;
pub mod impersonations;
pub mod issuances;
pub mod jwt_customizer;
pub mod logs;
pub mod one_time_tokens;
pub mod organization_invitations;
pub mod organization_roles;
pub mod organization_scopes;
pub mod organizations;
pub mod plugin_examples;
pub mod plugin_rollouts;
pub mod plugins;
pub mod population_runs;
pub mod recordings;
pub mod resources;
pub mod roles;
pub mod sentinel_activities;
pub mod sign_in_experience;
pub mod sso_connectors;
pub mod subject_tokens;
pub mod tenant;
pub mod users;
pub mod verification_codes;
