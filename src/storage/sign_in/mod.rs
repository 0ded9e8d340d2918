//! The sign-in settings: global ones, those of applications, the captcha provider, and custom texts.

pub mod applications;
pub mod captcha;
pub mod custom_profile_fields;
pub mod phrases;
pub mod settings;
