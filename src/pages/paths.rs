//! The paths of the pages.

use claimsmith_domain::documents::sign_in_experience::methods::Channel;
use claimsmith_domain::id::InteractionId;

/// The path of a page of an interaction, with the interaction in the query.
#[must_use]
pub fn of_interaction(path: &str, id: &InteractionId) -> String {
    let separator = if path.contains('?') { '&' } else { '?' };
    format!("{path}{separator}interaction={id}")
}

/// The page of the account where an email address or phone number is changed.
pub(crate) fn of_channel(channel: Channel) -> &'static str {
    match channel {
        Channel::Email => ACCOUNT_EMAIL,
        Channel::Phone => ACCOUNT_PHONE,
    }
}

/// All pages of a sign-in.
pub const ALL: [&str; 9] =
    [SIGN_IN, REGISTER, RESET_PASSWORD, PROFILE, CONSENT, SWITCH_ACCOUNT, DEVICE, SIGNED_OUT, ACCOUNT];

/// Where browsers request the puzzle of a form.
pub const CAPTCHA: &str = "/api/experience/preflight/captcha";
/// Signing in.
pub const SIGN_IN: &str = "/sign-in";
/// Making an account.
pub const REGISTER: &str = "/register";
/// Signing in with an account elsewhere.
pub const SIGN_IN_SOCIAL: &str = "/sign-in/social/{connectorId}";
/// Registering with one.
pub const REGISTER_SOCIAL: &str = "/register/social/{connectorId}";
/// Agreement to the terms, for new users who return from another server.
pub const REGISTER_ELSEWHERE: &str = "/register/elsewhere";
/// Going straight to another server.
pub const DIRECT: &str = "/direct";
/// Enterprise single sign-on.
pub const SINGLE_SIGN_ON: &str = "/single-sign-on";
/// The redirect URI for other servers; the connector's id follows.
pub const CALLBACK: &str = "/callback";
/// The same as a route.
pub const CALLBACK_OF: &str = "/callback/{connectorId}";
/// Accepting an invitation to an organization.
pub const INVITATION: &str = "/invitation";
/// Continuing with a link from an email.
pub const ONE_TIME_TOKEN: &str = "/one-time-token";
/// Typing a code that was sent.
pub const VERIFICATION_CODE: &str = "/verification-code";
/// Forgotten passwords: the identifier.
pub const RESET_PASSWORD: &str = "/reset-password";
/// Forgotten passwords: the new one.
pub const NEW_PASSWORD: &str = "/reset-password/new";
/// Completing a profile.
pub const PROFILE: &str = "/profile";
/// Proving a second factor by a one-time password.
pub const SECOND_FACTOR: &str = "/second-factor";
/// Proving it by a backup code.
pub const BACKUP_CODE: &str = "/second-factor/backup-code";
/// Signing in with a passkey.
pub const SIGN_IN_PASSKEY: &str = "/sign-in/passkey";
/// Proving a second factor by a passkey.
pub const PASSKEY: &str = "/second-factor/passkey";
/// Making a passkey.
pub const SET_UP_PASSKEY: &str = "/passkey";
/// Proving it by a code that is sent by email.
pub const EMAIL_FACTOR: &str = "/second-factor/email";
/// Proving it by a code that is sent by text message.
pub const PHONE_FACTOR: &str = "/second-factor/phone";
/// Setting up one-time passwords.
pub const SET_UP_FACTOR: &str = "/second-factor/set-up";
/// Setting up codes that are sent by email.
pub const SET_UP_EMAIL: &str = "/second-factor/set-up/email";
/// Setting up codes that are sent by text message.
pub const SET_UP_PHONE: &str = "/second-factor/set-up/phone";
/// Getting backup codes.
pub const NEW_BACKUP_CODES: &str = "/second-factor/backup-codes";
/// Consent for an application.
pub const CONSENT: &str = "/consent";
/// Choosing an account.
pub const SWITCH_ACCOUNT: &str = "/switch-account";
/// Connecting a device: its code.
pub const DEVICE: &str = "/device";
/// Connecting a device: the confirmation.
pub const DEVICE_CONFIRM: &str = "/device/confirm";
/// Once a device is connected.
pub const DEVICE_CONNECTED: &str = "/device/connected";
/// After a device was denied.
pub const DEVICE_DENIED: &str = "/device/denied";
/// After signing out.
pub const SIGNED_OUT: &str = "/signed-out";
/// One's own account.
pub const ACCOUNT: &str = "/account";
/// The return from a sign-in for the account.
pub const ACCOUNT_SIGNED_IN: &str = "/account/signed-in/{id}";
/// Signing in again, or with another account.
pub const ACCOUNT_SIGN_IN: &str = "/account/sign-in";
/// Name and picture.
pub const ACCOUNT_PROFILE: &str = "/account/profile";
/// The picture, as a file.
pub const ACCOUNT_PICTURE: &str = "/account/picture";
/// The fields that the operator asks for.
pub const ACCOUNT_FIELDS: &str = "/account/fields";
/// User name.
pub const ACCOUNT_USERNAME: &str = "/account/user-name";
/// Password.
pub const ACCOUNT_PASSWORD: &str = "/account/password";
/// The section of the password on the page of the account.
pub const ACCOUNT_PASSWORD_SECTION: &str = "/account#password";
/// Where browsers and password managers look for it (A Well-Known URL for Changing Passwords).
pub const CHANGE_PASSWORD: &str = "/.well-known/change-password";
/// Taking an address away.
pub const ACCOUNT_ADDRESS: &str = "/account/address";
/// Another email address.
pub const ACCOUNT_EMAIL: &str = "/account/email";
/// Another phone number.
pub const ACCOUNT_PHONE: &str = "/account/phone";
/// Linking an account elsewhere.
pub const ACCOUNT_LINK: &str = "/account/identity/link";
/// The redirect URI for other servers to the account; the connector's id follows.
pub const ACCOUNT_CALLBACK: &str = "/account/callback/social";
/// The same as a route.
pub const ACCOUNT_CALLBACK_OF: &str = "/account/callback/social/{connectorId}";
/// The redirect URI for enterprise connectors to the account; the connector's id follows.
pub const ACCOUNT_ENTERPRISE_CALLBACK: &str = "/account/callback/sso";
/// The same as a route.
pub const ACCOUNT_ENTERPRISE_CALLBACK_OF: &str = "/account/callback/sso/{connectorId}";
/// Unlinking an account elsewhere.
pub const ACCOUNT_IDENTITY: &str = "/account/identity";
/// Setting up an authenticator.
pub const ACCOUNT_AUTHENTICATOR: &str = "/account/authenticator";
/// Making a passkey for one's own account.
pub const ACCOUNT_PASSKEY: &str = "/account/passkey";
/// The `WebAuthn` options for it.
pub const ACCOUNT_PASSKEY_OPTIONS: &str = "/account/passkey/options";
/// Getting backup codes.
pub const ACCOUNT_BACKUP_CODES: &str = "/account/backup-codes";
/// Naming a second factor.
pub const ACCOUNT_FACTOR_NAME: &str = "/account/factor-name";
/// Taking a second factor away.
pub const ACCOUNT_FACTOR: &str = "/account/factor";
/// Ending the trust in devices.
pub const ACCOUNT_DEVICE: &str = "/account/device";
/// Ending sessions.
pub const ACCOUNT_SESSION: &str = "/account/session";
/// Taking an application's access away.
pub const ACCOUNT_GRANT: &str = "/account/application";
/// Ending an impersonation of the user.
pub const ACCOUNT_IMPERSONATION: &str = "/account/impersonation";
/// The export of the account's data.
pub const ACCOUNT_EXPORT: &str = "/account/export";
/// Deleting the account.
pub const ACCOUNT_DELETE: &str = "/account/delete";
