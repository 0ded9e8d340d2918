//! The settings of sign-in: those of everybody, those of one application, the captcha provider, and texts in the
//! operator's own words.

pub mod applications;
pub mod captcha;
pub mod custom_profile_fields;
pub mod phrases;
pub mod settings;
