//! The next step of a valid authorization request: a page, a code, or an error.

use super::acr;
use super::request::{AuthorizationRequest, Prompt};
use super::screen::Screen;
use crate::console::built_in;
use crate::id::{SessionId, UserId};

/// An account that is signed in in this browser.
#[derive(Clone, Debug)]
pub struct SignedInAccount {
    /// The session.
    pub session_id: SessionId,
    /// The user.
    pub user_id: UserId,
    /// Time of the sign-in, Unix milliseconds.
    pub authenticated_at: i64,
    /// Authentication methods (`amr`, RFC 8176).
    pub amr: Vec<String>,
    /// Whether the user authenticated at a built-in application, where the sign-in settings do not decide how.
    pub own_client: bool,
}

/// The result of the interaction of this request.
#[derive(Clone, Debug, Default)]
pub struct InteractionResult {
    /// The session that the user signed in to or chose.
    pub session_id: Option<SessionId>,
    /// Whether the user provided credentials in this interaction.
    pub authenticated: bool,
    /// Whether the user consented; `None` until asked.
    pub consented: Option<bool>,
}

/// The next step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextStep {
    /// Redirect the browser to a page.
    Ask(Screen),
    /// Issue a code for the account of this session.
    Issue(SessionId),
    /// Return an error code of OpenID Connect Core section 3.1.2.6 and a description to the application.
    Refuse(&'static str, &'static str),
}

/// The next step for a browser with these accounts, most recently used first.
#[must_use]
pub fn next_step(
    request: &AuthorizationRequest,
    accounts: &[SignedInAccount],
    result: &InteractionResult,
    now: i64,
) -> NextStep {
    if result.consented == Some(false) {
        return NextStep::Refuse("access_denied", "the user denied the request");
    }
    let silent = request.asks(Prompt::None);
    let chosen = match &result.session_id {
        Some(id) => accounts.iter().find(|account| account.session_id == *id),
        None => match &request.hinted_user {
            Some(hinted) => accounts.iter().find(|account| account.user_id == *hinted),
            None => accounts.first(),
        },
    };
    let Some(account) = chosen else {
        return if silent { LOGIN_REQUIRED } else { NextStep::Ask(first_screen(request)) };
    };
    // A different user than the application expects.
    if request.hinted_user.as_ref().is_some_and(|hinted| account.user_id != *hinted) {
        return NextStep::Refuse("login_required", "another user is signed in than id_token_hint names");
    }
    if result.session_id.is_none() && !silent && request.asks(Prompt::SelectAccount) {
        return NextStep::Ask(Screen::SwitchAccount);
    }
    let is_old = request.max_age.is_some_and(|seconds| now - account.authenticated_at > seconds.saturating_mul(1000));
    let came_by_link = request.one_time_token_hash.is_some();
    let is_step_up = acr::is_step_up(&request.acr_values, &account.amr);
    // A sign-in at another application does not count for the built-in ones, which administer.
    let is_elsewhere = built_in::is_client(&request.client_id) && !account.own_client;
    let again = is_elsewhere
        || came_by_link
        || request.asks(Prompt::Login)
        || request.asks(Prompt::Create)
        || is_old
        || is_step_up;
    if again && !result.authenticated {
        return if silent { LOGIN_REQUIRED } else { NextStep::Ask(first_screen(request)) };
    }
    if !silent && request.screen == Some(Screen::Register) && result.session_id.is_none() {
        return NextStep::Ask(Screen::Register);
    }
    NextStep::Issue(account.session_id.clone())
}

const LOGIN_REQUIRED: NextStep = NextStep::Refuse("login_required", "the user is not signed in");

fn first_screen(request: &AuthorizationRequest) -> Screen {
    if request.one_time_token_hash.is_some() {
        return Screen::OneTimeToken;
    }
    if request.direct_sign_in.is_some() {
        return Screen::Direct;
    }
    if request.asks(Prompt::Create) { Screen::Register } else { request.screen.unwrap_or_default() }
}

/// The consent page that the user must see first, if any. `given`: a live grant covers the request.
///
/// A device always needs confirmation, whatever was granted before: an attacker may have sent its code to the user (RFC
/// 8628 section 5.4).
#[must_use]
pub fn consent_screen(
    request: &AuthorizationRequest,
    is_third_party: bool,
    given: bool,
    result: &InteractionResult,
) -> Option<Screen> {
    if result.consented.is_some() {
        return None;
    }
    if request.device.is_some() {
        return Some(Screen::Device);
    }
    (is_third_party && (request.asks(Prompt::Consent) || !given)).then_some(Screen::Consent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::authorization::request::{Device, ResponseMode};

    const NOW: i64 = 1_000_000;

    fn request(prompts: &[Prompt], max_age: Option<i64>, hinted: Option<&str>) -> AuthorizationRequest {
        AuthorizationRequest {
            client_id: "store".into(),
            redirect_uri: "https://store.example.com/cb".to_owned(),
            response_mode: ResponseMode::Query,
            state: None,
            nonce: None,
            scope: vec!["openid".to_owned()],
            resources: Vec::new(),
            code_challenge: None,
            prompts: prompts.to_vec(),
            max_age,
            login_hint: None,
            one_time_token_hash: None,
            direct_sign_in: None,
            ui_locales: None,
            hinted_user: hinted.map(Into::into),
            screen: None,
            acr_values: Vec::new(),
            organization_id: None,
            pushed_hash: None,
            device: None,
        }
    }

    fn account(name: &str, seconds_ago: i64) -> SignedInAccount {
        SignedInAccount {
            session_id: format!("session of {name}").as_str().into(),
            user_id: name.into(),
            authenticated_at: NOW - seconds_ago * 1000,
            amr: vec!["pwd".to_owned()],
            own_client: false,
        }
    }

    #[test]
    fn asks_what_the_request_and_the_browser_demand() {
        let (casey, sam) = (account("casey", 100), account("sam", 5));
        let issue = |name: &str| NextStep::Issue(format!("session of {name}").as_str().into());
        let sign_in = || NextStep::Ask(Screen::SignIn);
        let fresh = |name: &str, authenticated| InteractionResult {
            session_id: Some(format!("session of {name}").as_str().into()),
            authenticated,
            consented: None,
        };
        let nobody = InteractionResult::default();
        for (prompts, max_age, hinted, accounts, result, expected) in [
            (vec![], None, None, vec![], &nobody, sign_in()),
            (vec![], None, None, vec![&casey, &sam], &nobody, issue("casey")),
            (vec![Prompt::None], None, None, vec![], &nobody, LOGIN_REQUIRED),
            (vec![Prompt::None], None, None, vec![&casey], &nobody, issue("casey")),
            (vec![Prompt::Login], None, None, vec![&casey], &nobody, sign_in()),
            (vec![Prompt::Login], None, None, vec![&casey], &fresh("casey", true), issue("casey")),
            // The account was chosen, without signing in again.
            (vec![Prompt::Login], None, None, vec![&casey], &fresh("casey", false), sign_in()),
            (vec![Prompt::Create], None, None, vec![&casey], &nobody, NextStep::Ask(Screen::Register)),
            (vec![Prompt::SelectAccount], None, None, vec![&casey], &nobody, NextStep::Ask(Screen::SwitchAccount)),
            (vec![Prompt::SelectAccount], None, None, vec![&casey, &sam], &fresh("sam", false), issue("sam")),
            (vec![Prompt::SelectAccount], None, None, vec![], &nobody, sign_in()),
            (vec![], Some(50), None, vec![&casey], &nobody, sign_in()),
            (vec![], Some(50), None, vec![&sam], &nobody, issue("sam")),
            (vec![], Some(0), None, vec![&sam], &nobody, sign_in()),
            (vec![], Some(0), None, vec![&sam], &fresh("sam", true), issue("sam")),
            (vec![Prompt::None], Some(50), None, vec![&casey], &nobody, LOGIN_REQUIRED),
            (vec![], None, Some("sam"), vec![&casey, &sam], &nobody, issue("sam")),
            (vec![Prompt::None], None, Some("lee"), vec![&casey], &nobody, LOGIN_REQUIRED),
            (vec![], None, Some("lee"), vec![&casey], &nobody, sign_in()),
        ] {
            let accounts: Vec<SignedInAccount> = accounts.into_iter().cloned().collect();
            let step = next_step(&request(&prompts, max_age, hinted), &accounts, result, NOW);
            assert_eq!(step, expected, "{prompts:?} {max_age:?} {hinted:?}");
        }
        let other = next_step(&request(&[], None, Some("lee")), &[casey], &fresh("casey", true), NOW);
        assert!(matches!(other, NextStep::Refuse("login_required", _)), "{other:?}");
        let denied = InteractionResult { consented: Some(false), ..fresh("sam", true) };
        let step = next_step(&request(&[], None, None), &[sam], &denied, NOW);
        assert!(matches!(step, NextStep::Refuse("access_denied", _)), "{step:?}");
    }

    #[test]
    fn a_sign_in_elsewhere_is_not_good_for_the_servers_own_applications() {
        let casey = account("casey", 0);
        let at_own = SignedInAccount { own_client: true, ..casey.clone() };
        let issue = NextStep::Issue(casey.session_id.clone());
        let again =
            InteractionResult { session_id: Some(casey.session_id.clone()), authenticated: true, consented: None };
        let chosen = InteractionResult { authenticated: false, ..again.clone() };
        for client_id in ["claimsmith-console", "claimsmith-cli", "store"] {
            let is_own = client_id != "store";
            let asks = |prompts: &[Prompt], account: &SignedInAccount, result: &InteractionResult| {
                let request = AuthorizationRequest { client_id: client_id.into(), ..request(prompts, None, None) };
                next_step(&request, std::slice::from_ref(account), result, NOW)
            };
            let elsewhere = if is_own { NextStep::Ask(Screen::SignIn) } else { issue.clone() };
            assert_eq!(asks(&[], &casey, &InteractionResult::default()), elsewhere, "{client_id}");
            assert_eq!(asks(&[], &casey, &chosen), elsewhere, "{client_id}");
            let silent = if is_own { LOGIN_REQUIRED } else { issue.clone() };
            assert_eq!(asks(&[Prompt::None], &casey, &InteractionResult::default()), silent, "{client_id}");
            assert_eq!(asks(&[], &casey, &again), issue, "{client_id}");
            assert_eq!(asks(&[], &at_own, &InteractionResult::default()), issue, "{client_id}");
        }
    }

    #[test]
    fn an_application_that_wants_a_second_factor_has_it_proved_once() {
        let password = "urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport";
        let factor = "http://schemas.openid.net/pape/policies/2007/06/multi-factor";
        let casey = account("casey", 100);
        let by_factor =
            SignedInAccount { amr: vec!["pwd".to_owned(), "otp".to_owned(), "mfa".to_owned()], ..casey.clone() };
        let issue = NextStep::Issue(casey.session_id.clone());
        let again =
            InteractionResult { session_id: Some(casey.session_id.clone()), authenticated: true, consented: None };
        let nothing = InteractionResult::default();
        for (classes, prompts, account, result, expected) in [
            (vec![factor], vec![], &casey, &nothing, NextStep::Ask(Screen::SignIn)),
            (vec![factor], vec![], &by_factor, &nothing, issue.clone()),
            (vec![factor], vec![Prompt::None], &casey, &nothing, LOGIN_REQUIRED),
            // A request that cannot be met is not an error.
            (vec![factor], vec![], &casey, &again, issue.clone()),
            // Either class is accepted.
            (vec![factor, password], vec![], &casey, &nothing, issue.clone()),
            (vec!["1", "2"], vec![], &casey, &nothing, issue.clone()),
        ] {
            let mut request = request(&prompts, None, None);
            request.acr_values = classes.iter().map(ToString::to_string).collect();
            assert_eq!(next_step(&request, std::slice::from_ref(account), result, NOW), expected, "{classes:?}");
        }
    }

    #[test]
    fn third_parties_need_consent_once() {
        let (plain, again) = (request(&[], None, None), request(&[Prompt::Consent], None, None));
        let consented = InteractionResult { consented: Some(true), ..InteractionResult::default() };
        for (request, third_party, given, result, needed) in [
            (&plain, false, false, &InteractionResult::default(), false),
            (&again, false, false, &InteractionResult::default(), false),
            (&plain, true, false, &InteractionResult::default(), true),
            (&plain, true, true, &InteractionResult::default(), false),
            (&again, true, true, &InteractionResult::default(), true),
            (&again, true, true, &consented, false),
        ] {
            assert_eq!(consent_screen(request, third_party, given, result), needed.then_some(Screen::Consent));
        }
    }

    #[test]
    fn a_device_is_asked_about_every_time() {
        let device = Device { id: "d".into(), user_code_hash: String::new(), address: None };
        let of_device = AuthorizationRequest { device: Some(device), ..request(&[], None, None) };
        for (third_party, given) in [(false, false), (false, true), (true, true)] {
            assert_eq!(
                consent_screen(&of_device, third_party, given, &InteractionResult::default()),
                Some(Screen::Device)
            );
            for answer in [true, false] {
                let result = InteractionResult { consented: Some(answer), ..InteractionResult::default() };
                assert_eq!(consent_screen(&of_device, third_party, given, &result), None);
            }
        }
    }
}
