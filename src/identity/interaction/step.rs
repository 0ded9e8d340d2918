//! The steps of an interaction, as the audit log names them.

use claimsmith_domain::audit_key::{AuditKey, AuditStep};
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
    pub(super) fn key(self, event: InteractionEvent) -> AuditKey {
        let step = match self {
            Self::Captcha => return AuditKey::InteractionCreateCaptcha,
            Self::Update => AuditStep::Update,
            Self::Password => AuditStep::VerificationPasswordSubmit,
            Self::NewPasswordIdentity => AuditStep::VerificationNewPasswordIdentitySubmit,
            Self::Identify => AuditStep::IdentifierSubmit,
            Self::Profile => AuditStep::ProfileUpdate,
            Self::NewTotp => AuditStep::VerificationTotpCreate,
            Self::Totp => AuditStep::VerificationTotpSubmit,
            Self::NewBackupCodes => AuditStep::VerificationBackupCodeCreate,
            Self::BackupCode => AuditStep::VerificationBackupCodeSubmit,
            Self::NewCode(Channel::Email) => AuditStep::VerificationEmailVerificationCodeCreate,
            Self::NewCode(Channel::Phone) => AuditStep::VerificationPhoneVerificationCodeCreate,
            Self::Code(Channel::Email) => AuditStep::VerificationEmailVerificationCodeSubmit,
            Self::Code(Channel::Phone) => AuditStep::VerificationPhoneVerificationCodeSubmit,
            Self::NewFactorCode(Channel::Email) => AuditStep::VerificationMfaEmailVerificationCodeCreate,
            Self::NewFactorCode(Channel::Phone) => AuditStep::VerificationMfaPhoneVerificationCodeCreate,
            Self::FactorCode(Channel::Email) => AuditStep::VerificationMfaEmailVerificationCodeSubmit,
            Self::FactorCode(Channel::Phone) => AuditStep::VerificationMfaPhoneVerificationCodeSubmit,
            Self::NewFederated(ConnectorKind::Social) => AuditStep::VerificationSocialCreate,
            Self::NewFederated(ConnectorKind::Enterprise) => AuditStep::VerificationEnterpriseSsoCreate,
            Self::Federated(ConnectorKind::Social) => AuditStep::VerificationSocialSubmit,
            Self::Federated(ConnectorKind::Enterprise) => AuditStep::VerificationEnterpriseSsoSubmit,
            Self::OneTimeToken => AuditStep::VerificationOneTimeTokenSubmit,
            Self::BindCode(Channel::Email) => AuditStep::BindMfaEmailVerificationCodeSubmit,
            Self::BindCode(Channel::Phone) => AuditStep::BindMfaPhoneVerificationCodeSubmit,
            Self::NewPasskey | Self::AskPasskey => AuditStep::VerificationWebAuthnCreate,
            Self::Passkey => AuditStep::VerificationWebAuthnSubmit,
            Self::AskSignInPasskey => AuditStep::VerificationSignInPasskeyCreate,
            Self::SignInPasskey => AuditStep::VerificationSignInPasskeySubmit,
            Self::BindPasskey => AuditStep::BindMfaWebAuthnSubmit,
            Self::BindTotp => AuditStep::BindMfaTotpSubmit,
            Self::BindBackupCodes => AuditStep::BindMfaBackupCodeSubmit,
            Self::TrustDevice => AuditStep::TrustedDeviceSubmit,
            Self::SwitchAccount => AuditStep::AccountUpdate,
            Self::Consent => AuditStep::ConsentSubmit,
            Self::Submit => AuditStep::Submit,
        };
        AuditKey::Step(event, step)
    }
}
