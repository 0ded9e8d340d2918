//! The steps of an interaction, as the audit log names them.

use claimsmith_domain::documents::sign_in_experience::methods::Channel;
use claimsmith_domain::federated::ConnectorKind;
use claimsmith_domain::interaction::InteractionEvent;

/// A step.
#[derive(Clone, Copy, Debug)]
pub(super) enum InteractionStep {
    /// Somebody answered what tells people from programs.
    Captcha,
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
    /// A code was sent, over email or by text message.
    NewCode(Channel),
    /// Somebody typed a code that was sent.
    Code(Channel),
    /// The same for a code that is a second factor.
    NewFactorCode(Channel),
    /// Somebody typed one.
    FactorCode(Channel),
    /// Somebody was sent to another server to sign in.
    NewFederated(ConnectorKind),
    /// Somebody came back from there.
    Federated(ConnectorKind),
    /// Somebody came by a link that was sent.
    OneTimeToken,
    /// Somebody was asked to make a passkey.
    NewPasskey,
    /// Somebody was asked for a passkey.
    AskPasskey,
    /// Somebody proved a passkey, or made one.
    Passkey,
    /// Somebody was asked for a passkey in place of a password.
    AskSignInPasskey,
    /// Somebody proved one.
    SignInPasskey,
    /// Somebody set up a passkey.
    BindPasskey,
    /// Somebody set up one-time passwords.
    BindTotp,
    /// Somebody kept their backup codes.
    BindBackupCodes,
    /// Somebody wants codes as a second factor.
    BindCode(Channel),
    /// Somebody said that they trust the browser.
    TrustDevice,
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

impl InteractionStep {
    /// Whether somebody proves who they are by it.
    pub(super) fn is_proof(self) -> bool {
        matches!(
            self,
            Self::Password
                | Self::Totp
                | Self::BackupCode
                | Self::Code(_)
                | Self::FactorCode(_)
                | Self::Federated(_)
                | Self::OneTimeToken
                | Self::Passkey
                | Self::SignInPasskey
                | Self::Submit
        )
    }

    /// The key of its audit entry.
    pub(super) fn key(self, event: InteractionEvent) -> &'static str {
        match self {
            Self::Captcha => "Interaction.Create.Captcha",
            Self::Update => keys!(event, "Update"),
            Self::Password => keys!(event, "Verification.Password.Submit"),
            Self::NewPasswordIdentity => keys!(event, "Verification.NewPasswordIdentity.Submit"),
            Self::Identify => keys!(event, "Identifier.Submit"),
            Self::Profile => keys!(event, "Profile.Update"),
            Self::NewTotp => keys!(event, "Verification.Totp.Create"),
            Self::Totp => keys!(event, "Verification.Totp.Submit"),
            Self::NewBackupCodes => keys!(event, "Verification.BackupCode.Create"),
            Self::BackupCode => keys!(event, "Verification.BackupCode.Submit"),
            Self::NewCode(Channel::Email) => keys!(event, "Verification.EmailVerificationCode.Create"),
            Self::NewCode(Channel::Phone) => keys!(event, "Verification.PhoneVerificationCode.Create"),
            Self::Code(Channel::Email) => keys!(event, "Verification.EmailVerificationCode.Submit"),
            Self::Code(Channel::Phone) => keys!(event, "Verification.PhoneVerificationCode.Submit"),
            Self::NewFactorCode(Channel::Email) => keys!(event, "Verification.MfaEmailVerificationCode.Create"),
            Self::NewFactorCode(Channel::Phone) => keys!(event, "Verification.MfaPhoneVerificationCode.Create"),
            Self::FactorCode(Channel::Email) => keys!(event, "Verification.MfaEmailVerificationCode.Submit"),
            Self::FactorCode(Channel::Phone) => keys!(event, "Verification.MfaPhoneVerificationCode.Submit"),
            Self::NewFederated(ConnectorKind::Social) => keys!(event, "Verification.Social.Create"),
            Self::NewFederated(ConnectorKind::Enterprise) => keys!(event, "Verification.EnterpriseSso.Create"),
            Self::Federated(ConnectorKind::Social) => keys!(event, "Verification.Social.Submit"),
            Self::Federated(ConnectorKind::Enterprise) => keys!(event, "Verification.EnterpriseSso.Submit"),
            Self::OneTimeToken => keys!(event, "Verification.OneTimeToken.Submit"),
            Self::BindCode(Channel::Email) => keys!(event, "BindMfa.EmailVerificationCode.Submit"),
            Self::BindCode(Channel::Phone) => keys!(event, "BindMfa.PhoneVerificationCode.Submit"),
            Self::NewPasskey | Self::AskPasskey => keys!(event, "Verification.WebAuthn.Create"),
            Self::Passkey => keys!(event, "Verification.WebAuthn.Submit"),
            Self::AskSignInPasskey => keys!(event, "Verification.SignInPasskey.Create"),
            Self::SignInPasskey => keys!(event, "Verification.SignInPasskey.Submit"),
            Self::BindPasskey => keys!(event, "BindMfa.WebAuthn.Submit"),
            Self::BindTotp => keys!(event, "BindMfa.Totp.Submit"),
            Self::BindBackupCodes => keys!(event, "BindMfa.BackupCode.Submit"),
            Self::TrustDevice => keys!(event, "TrustedDevice.Submit"),
            Self::SwitchAccount => keys!(event, "Account.Update"),
            Self::Consent => keys!(event, "Consent.Submit"),
            Self::Submit => keys!(event, "Submit"),
        }
    }
}
