//! Device authorization (RFC 8628): a device requests codes, and a user enters the user code in a browser, signs in and
//! approves or denies the device. Guesses of user codes are limited per browser, per IP address and in total; when the
//! total limit is reached, known browsers and IP addresses without failures may continue.

use super::attempts::{check_all, count_each, of_networks};
use super::code::{CodeRecipient, authorize};
use super::refusal::InteractionRefusal;
use super::rows::{self, RowCaller};
use super::session::Error;
use super::start::{self, new_interaction};
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::authorization::request::{AuthorizationRequest, Device};
use claimsmith_domain::id::InteractionId;
use claimsmith_domain::lockout::Limit;
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_domain::outsider_rows::RowKind;
use claimsmith_domain::random::Random;
use claimsmith_domain::user_code;
use claimsmith_services::app::App;
use claimsmith_services::audit::{Actor, Entry};
use claimsmith_services::refusal_sampling::RefusalReason;
use claimsmith_services::tokens;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::sessions::devices::{self, DeviceAuthorization};
use claimsmith_storage::sessions::grants::GrantedScopes;
use claimsmith_storage::sessions::{Session, attempts, interactions, known_browsers};
use claimsmith_storage::{self as storage, Json};
use serde_json::json;

/// Lifetime of the codes, in seconds.
pub const LIFETIME_S: i64 = 600;
/// Minimum polling interval of a device, in seconds.
pub const INTERVAL_S: i64 = 5;
/// Maximum retries if a generated user code is taken.
const MAX_CONFLICTS: usize = 3;

const HOUR_MS: i64 = 3_600_000;
const MINUTE_MS: i64 = 60_000;
/// Limit of wrong codes per browser.
const BROWSER_LIMIT: Limit =
    Limit { failures: 10, window_ms: HOUR_MS, lockout_ms: 10 * MINUTE_MS, longest_lockout_ms: HOUR_MS };
/// Limit of wrong codes per IP address. The lockout does not grow, since many users may share the address.
const ADDRESS_LIMIT: Limit =
    Limit { failures: 100, window_ms: HOUR_MS, lockout_ms: HOUR_MS, longest_lockout_ms: HOUR_MS };
/// Total limit of wrong codes. At this rate per minute, guessing 43 bits is infeasible.
const LIMIT: Limit =
    Limit { failures: 500, window_ms: MINUTE_MS, lockout_ms: MINUTE_MS, longest_lockout_ms: MINUTE_MS };
/// Retry delay for an IP address that exceeds this node's rate limit, in milliseconds.
const PAUSE_MS: i64 = 1000;

/// The audit key of an entered code.
const ENTERED: AuditKey = AuditKey::DeviceAuthorizationCodeSubmit;

/// The codes of a device. No `Debug`: both are secrets.
pub struct DeviceCodes {
    /// The code with which the device polls for its tokens.
    pub device_code: String,
    /// The code that the device displays.
    pub user_code: String,
}

/// The interaction that an accepted user code started.
pub struct AcceptedUserCode {
    /// The id of its interaction.
    pub interaction_id: InteractionId,
    /// The cookie of the interaction. It contains the code, which is not stored elsewhere.
    pub cookie: String,
    /// The URL of the next page.
    pub redirect_to: String,
}

/// Issues codes for the request of a device.
pub async fn ask(
    app: &App,
    origin: &RequestOrigin,
    request: AuthorizationRequest,
) -> Result<DeviceCodes, InteractionRefusal> {
    let (application_id, now) = (request.client_id.clone(), app.clock.now_ms());
    let caller = RowCaller { client_id: Some(&application_id), ..RowCaller::default() };
    rows::take(app, RowKind::DeviceCodes, origin, caller, start::bytes_of(&request))?;
    let request = Json(Some(request));
    let mut conflicts = 0;
    loop {
        let codes = DeviceCodes {
            device_code: app.random.secret(43)?,
            user_code: app.random.text(user_code::ALPHABET, user_code::LENGTH)?,
        };
        let device = DeviceAuthorization {
            id: app.random.id(21)?.into(),
            hash: tokens::hash(&codes.device_code),
            user_code_hash: tokens::hash(&codes.user_code),
            application_id: application_id.clone(),
            request: request.clone(),
            address: origin.ip.map(|ip| ip.to_string()),
            poll_interval: INTERVAL_S,
            polled_at: None,
            user_id: None,
            grant_id: None,
            authorization_details: None,
            denied_at: None,
            created_at: now,
            expires_at: now + LIFETIME_S * 1000,
            consumed_at: None,
        };
        let actor = Actor::Application { id: application_id.clone() };
        let mut work = UnitOfWork::begin(&app.db, actor, origin.clone(), now).await?;
        match devices::insert(&mut work, &device).await {
            Err(storage::Error::Conflict) if conflicts < MAX_CONFLICTS => conflicts += 1,
            Err(error) => return Err(error.into()),
            Ok(()) => {
                let details = json!({ "deviceAuthorizationId": device.id });
                work.audit(AuditKey::DeviceAuthorizationCreate, details).await?;
                work.commit().await?;
                return Ok(codes);
            }
        }
    }
}

/// The browser in which a code is entered, by the hashes of its cookies.
#[derive(Clone, Copy)]
pub struct DeviceBrowser<'h> {
    /// Hash of the cookie of the code page.
    pub page: &'h str,
    /// Hash of the cookie of a known browser, in which a user has signed in before.
    pub known: Option<&'h str>,
}

/// Handles a user code entered in a browser. Starts an interaction, in which the user signs in and is asked about the
/// device.
pub async fn enter(
    app: &App,
    origin: &RequestOrigin,
    browser: DeviceBrowser<'_>,
    typed: &str,
) -> Result<AcceptedUserCode, InteractionRefusal> {
    let outcome = match user_code::read(typed) {
        Some(code) => begin(app, origin, browser, &code).await,
        // Not a well-formed code, so it does not count as a guess.
        None => Err(InteractionRefusal::UnknownUserCode),
    };
    if let Err(refusal) = &outcome {
        note(app, origin, refusal);
    }
    outcome
}

async fn begin(
    app: &App,
    origin: &RequestOrigin,
    browser: DeviceBrowser<'_>,
    code: &str,
) -> Result<AcceptedUserCode, InteractionRefusal> {
    let now = app.clock.now_ms();
    if !app.sign_in_attempts.admits(origin.ip, now) {
        return Err(InteractionRefusal::Blocked(PAUSE_MS));
    }
    let all = hash("all");
    let known = match browser.known {
        Some(hash) if known_browsers::is_anybodys(&mut app.db.read().await?, hash, now).await? => Some(hash),
        _ => None,
    };
    let networks = of_networks(&name("address:"), origin.ip, ADDRESS_LIMIT);
    if known.is_none() {
        check_all(app, &all, LIMIT.failures, (&networks, ADDRESS_LIMIT)).await?;
    }
    // The IP address first: once it is blocked, its attempts no longer count against browsers. A known browser also
    // counts under its own cookie, so that deleting the cookie of this page does not reset its count.
    let browsers = [Some(browser.page), known].into_iter().flatten();
    let browsers = browsers.map(|browser| (hash(&format!("browser:{browser}")), BROWSER_LIMIT));
    let counted: Vec<(String, Limit)> = networks.into_iter().chain(browsers).collect();
    count_each(app, counted.iter().map(|(hash, limit)| (hash.as_str(), *limit))).await?;
    let found = devices::find_waiting(&mut app.db.read().await?, &tokens::hash(code), now).await?;
    let Some((found, request)) = found.and_then(|mut found| found.request.0.take().map(|request| (found, request)))
    else {
        // A failure also counts in the total. Browsers and IP addresses that may exceed that limit still get the
        // refusal of a wrong code.
        let mut tx = app.db.begin().await?;
        attempts::count(&mut tx, &all, LIMIT, now).await?;
        tx.commit().await?;
        return Err(InteractionRefusal::UnknownUserCode);
    };
    let device = Device {
        id: found.id,
        user_code_hash: found.user_code_hash,
        address: found.address.and_then(|address| address.parse().ok()),
    };
    let about = json!({ "deviceAuthorizationId": device.id });
    let request = AuthorizationRequest { device: Some(device), ..request };
    let caller = RowCaller { client_id: Some(&request.client_id), ..RowCaller::default() };
    rows::take(app, RowKind::Interactions, origin, caller, start::bytes_of(&request))?;
    let actor = Actor::Application { id: request.client_id.clone() };
    let (interaction, cookie) = new_interaction(app, request, None, code)?;
    let mut work = UnitOfWork::begin(&app.db, actor, origin.clone(), now).await?;
    for (hash, limit) in &counted {
        attempts::undo_failure(&mut work, hash, *limit).await?;
    }
    interactions::insert(&mut work, &interaction).await?;
    work.audit(ENTERED, about).await?;
    work.commit().await?;
    let redirect_to = format!("{}/auth/{}", app.issuer.name(), interaction.id);
    Ok(AcceptedUserCode { interaction_id: interaction.id, cookie, redirect_to })
}

/// The hash under which failures are counted.
fn hash(what: &str) -> String {
    tokens::hash(&name(what))
}

fn name(what: &str) -> String {
    format!("user code:{what}")
}

/// Approves a device in the session of the user who confirmed it. `false` if the device no longer waits: the
/// transaction must not be committed then.
pub async fn approve(
    work: &mut UnitOfWork,
    random: &Random,
    recipient: CodeRecipient<'_>,
    (request, device): (&AuthorizationRequest, &Device),
    session: &Session,
    given: &GrantedScopes,
) -> Result<bool, Error> {
    let now = work.now();
    let (grant_id, authorized) = authorize(work, random, recipient, request, session, given).await?;
    let authorized = Json(Some(authorized));
    if !devices::approve(work, &device.id, (&session.user_id, &grant_id), &authorized, now).await? {
        return Ok(false);
    }
    let details = json!({
        "deviceAuthorizationId": device.id, "userId": session.user_id, "sessionId": session.id, "grantId": grant_id,
    });
    work.audit(AuditKey::DeviceAuthorizationApprove, details).await?;
    Ok(true)
}

/// Denies a device. `false` if it no longer waits.
pub async fn deny(work: &mut UnitOfWork, device: &Device) -> Result<bool, Error> {
    let now = work.now();
    let denied = devices::deny(work, &device.id, now).await?;
    if denied {
        work.audit(AuditKey::DeviceAuthorizationDeny, json!({ "deviceAuthorizationId": device.id })).await?;
    }
    Ok(denied)
}

/// Logs a refusal for the audit log, without the code.
fn note(app: &App, origin: &RequestOrigin, refusal: &InteractionRefusal) {
    if matches!(refusal, InteractionRefusal::Failed(_)) {
        return;
    }
    let code = refusal.code().text();
    let (reason, message) =
        (RefusalReason { client_id: None, address: origin.ip, key: ENTERED, code, plugin: None }, refusal.message());
    if app.refusals.admit(&reason, &message) {
        let entry = Entry::refused(ENTERED, code, &message).from(origin);
        if !entry.at(app.clock.now_ms()).is_ok_and(|log| app.issuer.note(log)) {
            app.refusals.fold(&reason, &message);
        }
    }
}
