//! Devices (RFC 8628): one asks for codes, somebody enters the user code in a browser and signs in there, and lets the
//! device in or not. Guessing user codes is limited for each browser, for each address, and in all; when too many fail in
//! all, browsers in which somebody has signed in before and addresses without failures go on.

use super::attempts::{check_all, count_each, of_networks};
use super::code::{CodeRecipient, authorize};
use super::refusal::InteractionRefusal;
use super::rows::{self, RowCaller};
use super::session::Error;
use super::start::{self, new_interaction};
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

/// How long the codes live, in seconds.
pub const LIFETIME_S: i64 = 600;
/// How long a device has to wait between two questions, in seconds.
pub const INTERVAL_S: i64 = 5;
/// How often another user code is made when somebody has the same one.
const MAX_CONFLICTS: usize = 3;

const HOUR_MS: i64 = 3_600_000;
const MINUTE_MS: i64 = 60_000;
/// Wrong codes of one browser.
const BROWSER_LIMIT: Limit =
    Limit { failures: 10, window_ms: HOUR_MS, lockout_ms: 10 * MINUTE_MS, longest_lockout_ms: HOUR_MS };
/// Wrong codes from one address. Its lock-outs do not grow: many people may be behind it.
const ADDRESS_LIMIT: Limit =
    Limit { failures: 100, window_ms: HOUR_MS, lockout_ms: HOUR_MS, longest_lockout_ms: HOUR_MS };
/// Wrong codes of everybody. So many a minute leave 43 bits out of reach.
const LIMIT: Limit =
    Limit { failures: 500, window_ms: MINUTE_MS, lockout_ms: MINUTE_MS, longest_lockout_ms: MINUTE_MS };
/// How long somebody waits who tries faster than this node lets an address try.
const PAUSE_MS: i64 = 1000;

/// The audit key of an entered code.
const ENTERED: &str = "DeviceAuthorization.Code.Submit";

/// What a device gets. No `Debug`: both are secrets.
pub struct DeviceCodes {
    /// With which it asks for its tokens.
    pub device_code: String,
    /// Which it shows.
    pub user_code: String,
}

/// A browser in which a code was entered.
pub struct AcceptedUserCode {
    /// The id of its interaction.
    pub interaction_id: InteractionId,
    /// The cookie of its interaction. It carries the code, which is stored nowhere else.
    pub cookie: String,
    /// Where it goes on.
    pub redirect_to: String,
}

/// Codes for a device that asks for this.
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
                work.audit("DeviceAuthorization.Create", details).await?;
                work.commit().await?;
                return Ok(codes);
            }
        }
    }
}

/// The browser in which a code is entered, by the hashes of its cookies.
#[derive(Clone, Copy)]
pub struct DeviceBrowser<'h> {
    /// Of the cookie of this page.
    pub page: &'h str,
    /// Of the cookie of a browser in which somebody has signed in before.
    pub known: Option<&'h str>,
}

/// Somebody enters a code in this browser. An interaction begins, in which they sign in and are asked about the device.
pub async fn enter(
    app: &App,
    origin: &RequestOrigin,
    browser: DeviceBrowser<'_>,
    typed: &str,
) -> Result<AcceptedUserCode, InteractionRefusal> {
    let outcome = match user_code::read(typed) {
        Some(code) => begin(app, origin, browser, &code).await,
        // It cannot be one, so nothing was guessed.
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
    // The address first: once it is blocked, nothing from there counts against anybody. A browser that is known counts by
    // that too: it does not become another one by forgetting the cookie of this page.
    let browsers = [Some(browser.page), known].into_iter().flatten();
    let browsers = browsers.map(|browser| (hash(&format!("browser:{browser}")), BROWSER_LIMIT));
    let counted: Vec<(String, Limit)> = networks.into_iter().chain(browsers).collect();
    count_each(app, counted.iter().map(|(hash, limit)| (hash.as_str(), *limit))).await?;
    let found = devices::find_waiting(&mut app.db.read().await?, &tokens::hash(code), now).await?;
    let Some((found, request)) = found.and_then(|mut found| found.request.0.take().map(|request| (found, request)))
    else {
        // A failure counts in all, too. Whoever may go on beyond that limit is told that the code is wrong.
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
        attempts::take_back(&mut work, hash, *limit).await?;
    }
    interactions::insert(&mut work, &interaction).await?;
    work.audit(ENTERED, about).await?;
    work.commit().await?;
    let redirect_to = format!("{}/auth/{}", app.issuer.name(), interaction.id);
    Ok(AcceptedUserCode { interaction_id: interaction.id, cookie, redirect_to })
}

/// What failures are counted under.
fn hash(what: &str) -> String {
    tokens::hash(&name(what))
}

fn name(what: &str) -> String {
    format!("user code:{what}")
}

/// Lets a device in, in the session of somebody who confirmed it. `false` when it waits no more: nothing may be
/// committed then.
pub async fn approve(
    work: &mut UnitOfWork,
    random: &Random,
    recipient: CodeRecipient,
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
    work.audit("DeviceAuthorization.Approve", details).await?;
    Ok(true)
}

/// Tells a device no. `false` when it waits no more.
pub async fn deny(work: &mut UnitOfWork, device: &Device) -> Result<bool, Error> {
    let now = work.now();
    let denied = devices::deny(work, &device.id, now).await?;
    if denied {
        work.audit("DeviceAuthorization.Deny", json!({ "deviceAuthorizationId": device.id })).await?;
    }
    Ok(denied)
}

/// Keeps a refusal for the audit log, without the code.
fn note(app: &App, origin: &RequestOrigin, refusal: &InteractionRefusal) {
    if matches!(refusal, InteractionRefusal::Failed(_)) {
        return;
    }
    let (_, code) = refusal.status_and_code();
    let (reason, message) =
        (RefusalReason { client_id: None, address: origin.ip, key: ENTERED, code }, refusal.message());
    if app.refusals.admit(&reason, &message) {
        let entry = Entry::refused(ENTERED, code, &message).from(origin);
        if !entry.at(app.clock.now_ms()).is_ok_and(|log| app.issuer.note(log)) {
            app.refusals.fold(&reason, &message);
        }
    }
}
