//! Where the pages are.

/// All of those that are there for a sign-in.
pub const ALL: [&str; 7] = [SIGN_IN, REGISTER, PROFILE, CONSENT, SWITCH_ACCOUNT, DEVICE, SIGNED_OUT];

/// Signing in.
pub const SIGN_IN: &str = "/sign-in";
/// Making an account.
pub const REGISTER: &str = "/register";
/// Completing a profile.
pub const PROFILE: &str = "/profile";
/// Proving a second factor by a one-time password.
pub const SECOND_FACTOR: &str = "/second-factor";
/// Proving it by a backup code.
pub const BACKUP_CODE: &str = "/second-factor/backup-code";
/// Setting up one-time passwords.
pub const SET_UP_FACTOR: &str = "/second-factor/set-up";
/// Getting backup codes.
pub const NEW_BACKUP_CODES: &str = "/second-factor/backup-codes";
/// Letting an application in.
pub const CONSENT: &str = "/consent";
/// Choosing an account.
pub const SWITCH_ACCOUNT: &str = "/switch-account";
/// Connecting a device: its code.
pub const DEVICE: &str = "/device";
/// Connecting a device: whether it is one's own.
pub const DEVICE_CONFIRM: &str = "/device/confirm";
/// Once a device is connected.
pub const DEVICE_CONNECTED: &str = "/device/connected";
/// Once somebody said no to a device.
pub const DEVICE_DENIED: &str = "/device/denied";
/// After signing out.
pub const SIGNED_OUT: &str = "/signed-out";
