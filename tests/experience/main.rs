//! The Interaction API over HTTP: signing in and registering, step by step.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

mod administrators;
mod avatar;
mod breached_passwords;
mod browser;
mod built_in;
mod captcha;
mod code_attacks;
mod codes;
mod deadlines;
mod disposable_domains;
mod elsewhere;
mod events;
mod extra_profile;
mod factors;
mod forgotten_password;
mod hashing;
mod imported_passwords;
mod joining;
mod linking;
mod lockout;
mod modes;
mod moving_here;
mod one_time_tokens;
mod origins;
mod outsiders;
mod passkeys;
mod password_expiration;
mod profile;
mod register;
mod retention;
mod session;
mod sessions_end;
mod sign_in;
mod uniform;
mod usernames;
