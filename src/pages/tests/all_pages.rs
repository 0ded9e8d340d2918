//! Every page, with everything that it can show.

use super::full_account::{PICTURE, full_account, inputs};
use crate::account::address::AccountAddressPage;
use crate::account::authenticator::{AccountAuthenticatorPage, AccountCodesPage};
use crate::account::deletion::AccountDeletePage;
use crate::account::passkey::AccountPasskeyPage;
use crate::account::proof::{AccountProofPage, SentView};
use crate::console::{ConsoleAgain, ConsoleInvited, ConsoleNotice, ConsoleSetup, SignedInAccount};
use crate::demo::{ClaimView, DemoPage, PersonView, TraceView};
use crate::error_page::ErrorPage;
use crate::form::FieldError;
use crate::form_post::FormPostPage;
use crate::frame::{ApplicationView, Frame};
use crate::mailbox::{LetterView, MailboxPage, MailboxView};
use crate::not_found::NotFoundPage;
use crate::paths;
use crate::sign_in::backup_codes::BackupCodesPage;
use crate::sign_in::choose_account::{AccountView, ChooseAccountPage};
use crate::sign_in::consent::{ConsentPage, OrganizationView, ResourceView, ScopeView};
use crate::sign_in::credentials::SignInPage;
use crate::sign_in::device::{DeviceCodePage, DeviceConfirmPage, DeviceDonePage};
use crate::sign_in::enterprise::EnterprisePage;
use crate::sign_in::invitation::{InvitationPage, InvitationState};
use crate::sign_in::leave::{ChoiceView, EnterpriseChoicePage};
use crate::sign_in::one_time_token::OneTimeTokenPage;
use crate::sign_in::passkey::PasskeyPage;
use crate::sign_in::profile::ProfilePage;
use crate::sign_in::register::RegisterPage;
use crate::sign_in::reset_password::{NewPasswordPage, ResetPasswordPage};
use crate::sign_in::second_factor::SecondFactorPage;
use crate::sign_in::set_up_code::SetUpCodePage;
use crate::sign_in::set_up_factor::SetUpFactorPage;
use crate::sign_in::verification_code::{NoAccountPage, VerificationCodePage};
use crate::sign_out::{SignOutPage, SignedOutPage};
use crate::welcome::WelcomePage;
use askama::Template;
use axum::http::StatusCode;
use claimsmith_domain::documents::account_center::AccountCenter;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_domain::documents::sign_in_experience::methods::Channel;
use claimsmith_identity::interaction::captcha::PageCaptcha;
use serde_json::json;

/// With everything that settings can add.
pub(super) fn frame(application: &str) -> Frame {
    let mut frame = Frame::plain("en").unwrap();
    frame.settings = serde_json::from_value(
        json!({"termsOfUseUrl": "https://a.test/terms?\"x", "privacyPolicyUrl": "https://a.test/privacy",
            "supportEmail": "help@a.test", "agreeToTermsPolicy": "Manual", "trustedDevice": { "enabled": true }}),
    )
    .unwrap();
    frame.application = Some(ApplicationView {
        name: application.to_owned(),
        logo: None,
        terms_url: Some("https://app.test/terms".to_owned()),
        privacy_url: None,
        is_third_party: true,
    });
    frame
}

/// Every page, with `text` in every place that shows untrusted text.
#[expect(clippy::too_many_lines, reason = "one list of all pages")]
pub(super) fn pages(frame: &Frame, text: &str) -> Vec<(&'static str, String)> {
    let csrf = text;
    let error = |field| Some(FieldError::at(field, text));
    let sign_in = |is_code| {
        let error = error("identifier");
        SignInPage { frame, csrf, error, identifier: text, has_agreed: false, is_code, has_new_password: true }
            .render()
            .unwrap()
    };
    let register = |is_code| {
        let error = error("password");
        RegisterPage { frame, csrf, error, username: text, identifier: text, is_code, has_agreed: true }
            .render()
            .unwrap()
    };
    let console_setup = |known| {
        let error = error("password");
        ConsoleSetup { frame, error, code: text, known, is_first: true, identifier: text, name: text }.render().unwrap()
    };
    let [puzzle, foreign] = [PageCaptcha::Puzzle, PageCaptcha::ProviderWidget].map(|asks| {
        let mut frame = frame.clone();
        frame.captcha = Some(asks);
        frame
    });
    let asked = |frame: &Frame| {
        let error = error("identifier");
        SignInPage { frame, csrf, error, identifier: text, has_agreed: false, is_code: false, has_new_password: false }
            .render()
            .unwrap()
    };
    let profile = |identifier: Option<&str>| {
        ProfilePage {
            frame,
            csrf,
            error: error(""),
            username: Some(text).filter(|_| identifier.is_none()),
            asks_password: identifier.is_none(),
            identifier,
            channels: &[Channel::Email],
            inputs: inputs(text),
        }
        .render()
        .unwrap()
    };
    let code =
        VerificationCodePage { frame, csrf, error: error("code"), address: text, is_resent: true, back: "/sign-in" };
    let action = paths::REGISTER_ELSEWHERE;
    let no_account = NoAccountPage { frame, csrf, error: error("agree"), action, address: text, has_agreed: false };
    let reset_password = ResetPasswordPage { frame, csrf, error: error("identifier"), identifier: text };
    let new_password = NewPasswordPage { frame, csrf, error: error("password"), identifier: text };
    let one_time_token = |is_void| OneTimeTokenPage { frame, csrf, address: text, is_void }.render().unwrap();
    let enterprise = EnterprisePage { frame, csrf, error: error("email"), email: text };
    let choices = vec![ChoiceView { id: text.to_owned(), name: text.to_owned() }];
    let enterprise_choice = EnterpriseChoicePage { frame, csrf, email: text, choices };
    let invitation = |state| InvitationPage { frame, organization: text, address: text, state }.render().unwrap();
    let others = &FactorType::ALL;
    let second_factor = |kind, is_sent| {
        let page = SecondFactorPage { frame, csrf, error: error("code"), kind, others, address: text, is_sent };
        page.render().unwrap()
    };
    let set_up_factor = SetUpFactorPage {
        frame,
        csrf,
        error: error("code"),
        verification_id: text,
        secret: text,
        qr_code: text,
        others,
        is_skippable: true,
    };
    let set_up_code = |channel, identifier, is_sent| {
        let error = error(if is_sent { "code" } else { "identifier" });
        let page = SetUpCodePage {
            frame,
            csrf,
            error,
            channel,
            identifier,
            address: text,
            is_sent,
            others,
            is_skippable: is_sent,
        };
        page.render().unwrap()
    };
    let passkey = |is_new| {
        PasskeyPage { frame, csrf, error: error("form"), is_new, others, is_skippable: is_new }.render().unwrap()
    };
    let codes = [text.to_owned(), text.to_owned()];
    let backup_codes = BackupCodesPage { frame, csrf, verification_id: text, codes: &codes };
    let consent = ConsentPage {
        frame,
        csrf,
        user: text,
        avatar: Some(PICTURE),
        scopes: vec!["profile", text],
        resources: vec![ResourceView {
            name: text,
            scopes: vec![
                ScopeView { name: "read:x", description: Some(text) },
                ScopeView { name: text, description: None },
            ],
        }],
        organizations: vec![OrganizationView { id: text, name: text, is_chosen: true }],
        destination: Some(text),
    };
    let accounts = vec![AccountView { session_id: text, name: text, avatar: Some(PICTURE), detail: Some(text) }];
    let choose_account = ChooseAccountPage { frame, csrf, accounts };
    let device_code = DeviceCodePage { frame, csrf, error: error("user_code"), user_code: text };
    let device_confirm = DeviceConfirmPage {
        frame,
        csrf,
        user_code: text,
        user: text,
        avatar: None,
        scopes: vec!["openid", text],
        resources: vec![ResourceView { name: text, scopes: vec![ScopeView { name: text, description: None }] }],
        organizations: vec![OrganizationView { id: text, name: text, is_chosen: false }],
        other_network: Some(text),
    };
    let error_page = ErrorPage {
        code: Some(text),
        details: Some(text),
        request_id: Some(text),
        onward: Some(("https://a.test/?\"x", text)),
        ..ErrorPage::new(frame)
    };
    let form_post = FormPostPage { frame, redirect_uri: text, parameters: vec![("state", text), (text, "code")] };
    let claims = || ClaimView::of_access_token(json!({ "sub": text, text: [text], "act": {} }).as_object().unwrap());
    let traces = || vec![TraceView { time: "1970".to_owned(), name: text.to_owned(), details: text.to_owned() }];
    let person = PersonView {
        name: text.to_owned(),
        id_token: claims(),
        access_token: claims(),
        user_info: Some(claims()),
        acted: Some(claims()),
        may_act: true,
        entries: traces(),
        deliveries: traces(),
    };
    let stranger = DemoPage { frame, csrf, error: error("reason"), person: None, reason: "", ticket: "" };
    let demo = DemoPage { frame, csrf, error: error("reason"), person: Some(person), reason: text, ticket: text };
    let letter = |is_email: bool| LetterView {
        recipient: text.to_owned(),
        subject: is_email.then(|| text.to_owned()),
        text: text.to_owned(),
        link: Some(text.to_owned()),
        time: text.to_owned(),
        is_over: true,
    };
    let letters = vec![letter(true), letter(false)];
    let (settings, of_url) = (
        json!({ "deletionEnabled": true }),
        json!({ "deleteAccountUrl": "https://a.test/delete?\"x", "fields": { "name": "ReadOnly", "session": "ReadOnly",
            "username": "ReadOnly", "mfa": "ReadOnly", "social": "ReadOnly", "email": "ReadOnly" } }),
    );
    let settings = [settings, of_url].map(|settings| serde_json::from_value::<AccountCenter>(settings).unwrap());
    let account = |settings: &AccountCenter| full_account(frame, settings, text).render().unwrap();
    let proof = |has_password: bool, is_sent: bool| {
        let error = error(if is_sent { "proof_code" } else { "current_password" });
        let error = error.filter(|_| has_password || is_sent);
        let (entered, codes) = (vec![(text, text)], vec![(Channel::Email, text.to_owned())]);
        let codes = if has_password { Vec::new() } else { codes };
        let sent = is_sent.then_some(SentView { record: text, channel: Channel::Phone, address: text });
        AccountProofPage { frame, csrf, error, path: text, entered, has_password, codes, sent }.render().unwrap()
    };
    let address = |channel, record: Option<&str>| {
        let error = error(if record.is_some() { "code" } else { "identifier" });
        AccountAddressPage { frame, csrf, error, channel, identifier: text, record }.render().unwrap()
    };
    let account_passkey = AccountPasskeyPage { frame, csrf, error: error("form") };
    let authenticator =
        AccountAuthenticatorPage { frame, csrf, error: error("code"), secret: text, qr_code: text }.render();
    vec![
        ("account", account(&settings[0])),
        ("account_to_read", account(&settings[1])),
        ("account_proof", proof(true, false)),
        ("account_proof_without_password", proof(false, false)),
        ("account_proof_by_code", proof(false, true)),
        ("account_email", address(Channel::Email, None)),
        ("account_phone", address(Channel::Phone, Some(text))),
        ("account_passkey", account_passkey.render().unwrap()),
        ("account_authenticator", authenticator.unwrap()),
        ("account_codes", AccountCodesPage { frame, codes: &codes }.render().unwrap()),
        ("account_delete", AccountDeletePage { frame, csrf }.render().unwrap()),
        ("demo", demo.render().unwrap()),
        ("demo_signed_out", stranger.render().unwrap()),
        ("sign_in", sign_in(false)),
        ("sign_in_by_code", sign_in(true)),
        ("sign_in_with_puzzle", asked(&puzzle)),
        ("sign_in_asked_elsewhere", asked(&foreign)),
        ("register", register(false)),
        ("register_by_code", register(true)),
        ("profile", profile(None)),
        ("address", profile(Some(text))),
        ("verification_code", code.render().unwrap()),
        ("no_account", no_account.render().unwrap()),
        ("reset_password", reset_password.render().unwrap()),
        ("new_password", new_password.render().unwrap()),
        ("enterprise", enterprise.render().unwrap()),
        ("enterprise_choice", enterprise_choice.render().unwrap()),
        ("invitation", invitation(InvitationState::Pending(text, text))),
        ("accepted_invitation", invitation(InvitationState::Accepted)),
        ("one_time_token", one_time_token(false)),
        ("void_one_time_token", one_time_token(true)),
        ("second_factor", second_factor(FactorType::Totp, false)),
        ("backup_code", second_factor(FactorType::BackupCode, false)),
        ("factor_by_email", second_factor(FactorType::EmailVerificationCode, false)),
        ("factor_by_phone", second_factor(FactorType::PhoneVerificationCode, true)),
        ("set_up_factor", set_up_factor.render().unwrap()),
        ("set_up_email", set_up_code(Channel::Email, Some(text), true)),
        ("set_up_phone", set_up_code(Channel::Phone, None, false)),
        ("passkey", passkey(false)),
        ("new_passkey", passkey(true)),
        ("backup_codes", backup_codes.render().unwrap()),
        ("consent", consent.render().unwrap()),
        ("choose_account", choose_account.render().unwrap()),
        ("device_code", device_code.render().unwrap()),
        ("device_confirm", device_confirm.render().unwrap()),
        ("device_done", DeviceDonePage { frame, is_connected: true }.render().unwrap()),
        ("error", error_page.render().unwrap()),
        ("form_post", form_post.render().unwrap()),
        ("sign_out", SignOutPage { frame, csrf, action: text, name: text }.render().unwrap()),
        ("signed_out", SignedOutPage { frame, sign_in_again: Some(text) }.render().unwrap()),
        (
            "welcome",
            WelcomePage { frame, base_url: text, has_demo: true, has_account_page: true, is_ready: true }
                .render()
                .unwrap(),
        ),
        (
            "console_notice",
            ConsoleNotice { frame, status: StatusCode::FORBIDDEN, title: text, text, ways: &[(text, text.to_owned())] }
                .render()
                .unwrap(),
        ),
        (
            "console_again",
            ConsoleAgain {
                frame,
                sign_in: text.to_owned(),
                action: text.to_owned(),
                fields: &[(text.to_owned(), text.to_owned())],
            }
            .render()
            .unwrap(),
        ),
        ("console_setup", console_setup(None)),
        ("console_recovery", console_setup(Some(text))),
        (
            "console_invited",
            ConsoleInvited {
                frame,
                error: error("identifier"),
                code: text,
                lead: text,
                accounts: &[SignedInAccount { id: text, name: text }],
                sign_in: text.to_owned(),
                identifier: text,
                name: text,
            }
            .render()
            .unwrap(),
        ),
        ("not_found", NotFoundPage { frame }.render().unwrap()),
        ("mailbox_closed", MailboxPage { frame, view: MailboxView::Closed }.render().unwrap()),
        ("mailbox_open_button", MailboxPage { frame, view: MailboxView::OpenButton(text) }.render().unwrap()),
        ("mailbox", MailboxPage { frame, view: MailboxView::Open(letters) }.render().unwrap()),
    ]
}
