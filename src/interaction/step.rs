//! The steps of an interaction, as the audit log names them.

use crate::domain::interaction::InteractionEvent;

/// A step.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// It began, or goes on as another event.
    Update,
    /// Somebody proved a password.
    Password,
    /// Somebody new chose a user name and a password.
    NewPasswordIdentity,
    /// It is known who it is.
    Identify,
    /// Somebody gave more about themselves.
    Profile,
    /// Somebody was given a secret for one-time passwords.
    NewTotp,
    /// Somebody proved a one-time password.
    Totp,
    /// Somebody was given backup codes.
    NewBackupCodes,
    /// Somebody proved a backup code.
    BackupCode,
    /// Somebody set up one-time passwords.
    BindTotp,
    /// Somebody kept their backup codes.
    BindBackupCodes,
    /// Another account of the browser was chosen.
    SwitchAccount,
    /// Somebody said what an application may have.
    Consent,
    /// It is over.
    Submit,
}

macro_rules! keys {
    ($event:expr, $what:literal) => {
        match $event {
            InteractionEvent::SignIn => concat!("Interaction.SignIn.", $what),
            InteractionEvent::Register => concat!("Interaction.Register.", $what),
            InteractionEvent::ForgotPassword => concat!("Interaction.ForgotPassword.", $what),
        }
    };
}

impl Step {
    /// The key of its audit entry.
    pub(super) fn key(self, event: InteractionEvent) -> &'static str {
        match self {
            Self::Update => keys!(event, "Update"),
            Self::Password => keys!(event, "Verification.Password.Submit"),
            Self::NewPasswordIdentity => keys!(event, "Verification.NewPasswordIdentity.Submit"),
            Self::Identify => keys!(event, "Identifier.Submit"),
            Self::Profile => keys!(event, "Profile.Update"),
            Self::NewTotp => keys!(event, "Verification.Totp.Create"),
            Self::Totp => keys!(event, "Verification.Totp.Submit"),
            Self::NewBackupCodes => keys!(event, "Verification.BackupCode.Create"),
            Self::BackupCode => keys!(event, "Verification.BackupCode.Submit"),
            Self::BindTotp => keys!(event, "BindMfa.Totp.Submit"),
            Self::BindBackupCodes => keys!(event, "BindMfa.BackupCode.Submit"),
            Self::SwitchAccount => keys!(event, "Account.Update"),
            Self::Consent => keys!(event, "Consent.Submit"),
            Self::Submit => keys!(event, "Submit"),
        }
    }
}
