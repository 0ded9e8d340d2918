//! Limits that hold at every place of their kind: before each hash of a password, at each answer to a wrong one, and for
//! each count of client addresses. A new place is added here together with its limit.

use super::server_sources;
use std::collections::BTreeSet;

/// Who may have a password hashed, by the file, and the limit that comes before it.
const TICKETS: [(&str, &str, &str); 8] = [
    ("HashTicket::of_attempt(", "src/identity/interaction/attempts.rs", "the attempt is counted"),
    ("HashTicket::of_attempt(", "src/management/users/password.rs", "a client of the Management API"),
    ("HashTicket::of_management(", "src/management/users/mod.rs", "a client of the Management API"),
    ("HashTicket::of_management(", "src/management/users/password.rs", "a client of the Management API"),
    ("admit_new_password(", "src/identity/accounts/password.rs", "counted for the address"),
    ("admit_new_password(", "src/identity/interaction/profile.rs", "after the captcha, counted for the address"),
    ("admit_new_password(", "src/identity/own_account/password.rs", "after the proof, counted for the address"),
    ("admit_new_password(", "src/http/console/first_sign_in.rs", "after the one-time link, counted for the address"),
];
/// Who compares or shows the least share of an address. Limits count all of its networks.
const SHARES: [&str; 2] = ["src/pages/sign_in/device.rs", "src/services/refusal_sampling/windows.rs"];

/// The files outside of a module that hold one of these texts.
fn holders(texts: &[&str], module: &str) -> BTreeSet<String> {
    let sources = server_sources().into_iter().filter(|(path, _)| !path.starts_with(module));
    let holds = sources.filter(|(_, text)| texts.iter().any(|wanted| text.contains(wanted)));
    holds.map(|(path, _)| path.to_str().unwrap().to_owned()).collect()
}

#[test]
fn a_limit_comes_before_every_hash() {
    for wanted in ["HashTicket::of_attempt(", "HashTicket::of_management(", "admit_new_password("] {
        let expected = TICKETS.iter().filter(|(text, ..)| *text == wanted).map(|(_, path, _)| (*path).to_owned());
        assert_eq!(holders(&[wanted], "src/services/passwords"), expected.collect(), "{wanted}");
    }
    // Nobody hashes by themselves, and without a ticket only what nobody can ask for.
    assert_eq!(holders(&["argon2::", "bcrypt::"], "src/services/passwords"), BTreeSet::new());
    assert_eq!(
        holders(&["digest_at_least_cost("], "src/services/passwords"),
        ["src/identity/bootstrap/demo.rs".to_owned()].into()
    );
}

#[test]
fn every_wrong_password_waits_for_the_deadline() {
    let verifying = holders(&["attempt.ticket()"], "src/services/passwords");
    assert_eq!(verifying.len(), 2, "{verifying:?}");
    assert_eq!(holders(&["wait_for_deadline(app)", "wait_for_deadline(&app)"], "src/services/passwords"), verifying);
}

#[test]
fn limits_count_all_networks_of_an_address() {
    let sharing = holders(&["client_address::share", "use claimsmith_domain::client_address::share"], "src/domain");
    assert_eq!(sharing, SHARES.map(str::to_owned).into(), "count `client_address::networks`");
}
