//! The steps of an interaction, as the audit log names them.

use claimsmith_domain::documents::sign_in_experience::methods::Channel;
use claimsmith_domain::federated::ConnectorKind;
use claimsmith_domain::interaction::InteractionEvent;

/// A step of an interaction.
#[derive(Clone, Copy, Debug)]
pub(super) enum InteractionStep {
    /// The captcha was solved.
    Captcha,
    /// The interaction began, or its event changed.
    Update,
    /// A password was verified.
    Password,
    /// A new user chose a username and a password.
    NewPasswordIdentity,
    /// The user was identified.
    Identify,
    /// Profile data were added.
    Profile,
    /// A secret for one-time passwords was generated.
    NewTotp,
    /// A one-time password was verified.
    Totp,
    /// Backup codes were generated.
    NewBackupCodes,
    /// A backup code was verified.
    BackupCode,
    /// A code was sent by email or text message.
    NewCode(Channel),
    /// A code was entered.
    Code(Channel),
    /// A code of a second factor was sent.
    NewFactorCode(Channel),
    /// A code of a second factor was entered.
    FactorCode(Channel),
    /// A sign-in at an upstream began.
    NewFederated(ConnectorKind),
    /// A callback of an upstream arrived.
    Federated(ConnectorKind),
    /// A one-time token of a link was used.
    OneTimeToken,
    /// The registration of a passkey began.
    NewPasskey,
    /// A passkey was requested as a second factor.
    AskPasskey,
    /// A passkey was verified or registered.
    Passkey,
    /// A passkey was requested for sign-in.
    AskSignInPasskey,
    /// A passkey was verified for sign-in.
    SignInPasskey,
    /// A passkey was staged.
    BindPasskey,
    /// One-time passwords were staged.
    BindTotp,
    /// Backup codes were staged.
    BindBackupCodes,
    /// Codes were staged as a second factor.
    BindCode(Channel),
    /// The user trusts the browser.
    TrustDevice,
    /// Another account of the browser was chosen.
    SwitchAccount,
    /// The user decided on consent.
    Consent,
    /// The interaction was submitted.
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
    /// Whether the step authenticates the user.
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
