//! What there is to list: as many users, audit log entries, tokens and impersonations as are asked for, and some thousands of
//! everything else.

use crate::Args;
use anyhow::{Context, Result};
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::clock::Clock;
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_domain::id::{ApplicationId, HookId, OrganizationId, RoleId, UserId};
use claimsmith_storage::audit::{self, StoredAuditEntry};
use claimsmith_storage::hooks::outbox::{self, NewDelivery, OutboxEvent};
use claimsmith_storage::issuing::issuances::Issuance;
use claimsmith_storage::issuing::{self, WriteBatch};
use claimsmith_storage::organizations::members;
use claimsmith_storage::statistics::activity::{self, Sample};
use claimsmith_storage::users::activity::DAY_MS;
use claimsmith_storage::users::{self, User};
use claimsmith_storage::{Db, Json, SharedDocument, applications, organizations, roles};
use claimsmith_test_support::{Process, seed};
use serde_json::json;

const HOUR_MS: i64 = 3_600_000;
/// Users of one transaction.
const BATCH: usize = 5000;
/// Entries of the audit log, and records of tokens, of one statement: SQLite binds 32,766 values at most.
const ROWS: usize = 1000;
/// Of so many users one holds the role; of so many of these one is a member of the organization.
const USERS_PER_HOLDER: usize = 10;
const HOLDERS_PER_MEMBER: usize = 10;
/// Of so many users one is suspended.
const USERS_PER_SUSPENDED: u32 = 1000;
const FIRST: [&str; 8] = ["Ada", "Grace", "Alan", "Edsger", "Barbara", "Donald", "Margaret", "Ken"];
const LAST: [&str; 8] = ["Lovelace", "Hopper", "Turing", "Dijkstra", "Liskov", "Knuth", "Hamilton", "Thompson"];
/// Over so many days entries, tokens and impersonations are spread.
const DAYS: i64 = 60;
/// Administrators who act for others.
const ACTORS: usize = 50;
/// Of ten entries seven are of tokens; the others have all keys in turn.
const TOKEN_KEYS: [&str; 7] = [
    "ExchangeTokenBy.AuthorizationCode",
    "ExchangeTokenBy.ClientCredentials",
    "ExchangeTokenBy.RefreshToken",
    "ExchangeTokenBy.RefreshToken",
    "ExchangeTokenBy.TokenExchange",
    "ExchangeTokenBy.TokenExchange",
    "ExchangeTokenBy.TokenExchange",
];

/// One of each kind, which has the most of what its pages list.
pub(crate) struct Filled {
    pub(crate) user: UserId,
    pub(crate) organization: OrganizationId,
    pub(crate) application: ApplicationId,
    pub(crate) role: RoleId,
    pub(crate) hook: HookId,
}

/// Makes all of it.
pub(crate) async fn all(server: &Process, db: &Db, args: &Args) -> Result<Filled> {
    let (role, organization) = (seed::new_role("User"), seed::new_organization());
    let mut tx = db.begin().await?;
    roles::insert(&mut tx, &role).await?;
    organizations::insert(&mut tx, &organization).await?;
    tx.commit().await?;
    let amount = usize::try_from(args.amount)?;
    let ids = people(db, args.amount, &role.id, &organization.id).await?;
    let user = ids.get(ids.len() / 2 / USERS_PER_HOLDER * USERS_PER_HOLDER).context("no users")?.clone();
    let application = few(db, args.others).await?;
    log(db, &ids, &user, &application, amount).await?;
    counts(db).await?;
    tokens(db, &ids, &application, amount, false).await?;
    tokens(db, &ids, &application, amount, true).await?;
    let hook = hooks(server, db, args.others).await?;
    Ok(Filled { user, organization: organization.id, application, role: role.id, hook })
}

async fn people(db: &Db, count: u32, role: &RoleId, organization: &OrganizationId) -> Result<Vec<UserId>> {
    let numbers: Vec<u32> = (0..count).collect();
    let mut ids = Vec::with_capacity(numbers.len());
    for batch in numbers.chunks(BATCH) {
        let mut tx = db.begin().await?;
        let first = ids.len();
        for number in batch {
            let user = person(*number);
            users::insert(&mut tx, &user).await?;
            ids.push(user.id);
        }
        let holders: Vec<UserId> = ids[first..].iter().step_by(USERS_PER_HOLDER).cloned().collect();
        roles::assign_to_users(&mut tx, role, &holders).await?;
        let joined: Vec<UserId> = holders.into_iter().step_by(HOLDERS_PER_MEMBER).collect();
        members::add(&mut tx, organization, &joined).await?;
        tx.commit().await?;
    }
    Ok(ids)
}

fn person(number: u32) -> User {
    let pick = |names: [&'static str; 8], step: u32| names[usize::try_from(number / step % 8).unwrap()];
    User {
        username: Some(format!("user_{number}")),
        primary_email: Some(format!("user_{number}@example.com")),
        primary_phone: Some(format!("49{number}")),
        name: Some(format!("{} {} {number}", pick(FIRST, 1), pick(LAST, 8))),
        custom_data: Json(json!({ "plan": number % 3 })),
        is_suspended: number % USERS_PER_SUSPENDED == 1,
        created_at: 1_700_000_000_000 + i64::from(number),
        ..seed::new_user()
    }
}

/// Organizations and applications; answers one of these.
async fn few(db: &Db, count: usize) -> Result<ApplicationId> {
    let mut tx = db.begin().await?;
    let mut found = None;
    for number in 0..count {
        let organization =
            organizations::Organization { name: format!("Company {number}"), ..seed::new_organization() };
        organizations::insert(&mut tx, &organization).await?;
        let name = format!("Application {number}");
        let application = applications::Application { name, ..seed::new_application(ApplicationType::Traditional) };
        applications::insert(&mut tx, &application).await?;
        found = Some(application.id);
    }
    tx.commit().await?;
    found.context("no applications")
}

/// The time of one of so many entries: the first is now, the last `DAYS` ago.
fn time_of(number: usize, count: usize, now: i64) -> i64 {
    now - i64::try_from(number).unwrap() * (DAYS * DAY_MS) / i64::try_from(count).unwrap()
}

/// The audit log of the last days, a hundredth of a percent of it about one user.
async fn log(db: &Db, ids: &[UserId], user: &UserId, application: &ApplicationId, count: usize) -> Result<()> {
    let now = Clock::system().now_ms();
    let entry = |number: usize| {
        let all = AuditKey::ALL;
        let key = TOKEN_KEYS.get(number % 10).copied().unwrap_or_else(|| all[number / 10 % all.len()].text());
        let whom = if number.is_multiple_of(10_000) { user } else { &ids[number % ids.len()] };
        let result = if number.is_multiple_of(50) { "Error" } else { "Success" };
        let ticket = number.is_multiple_of(5).then(|| format!("TICKET-{}", number % 50_000));
        let payload = json!({
            "key": key, "result": result, "userId": whom, "applicationId": application, "ip": "203.0.113.7",
            "context": { "ticketId": ticket, "reason": "The invoice does not load" },
        });
        StoredAuditEntry {
            id: format!("log_of_the_bench{number}"),
            key: key.to_owned(),
            payload: Json(payload),
            created_at: time_of(number, count, now),
        }
    };
    let numbers: Vec<usize> = (0..count).collect();
    for batch in numbers.chunks(ROWS) {
        let entries: Vec<StoredAuditEntry> = batch.iter().map(|number| entry(*number)).collect();
        let mut tx = db.begin().await?;
        audit::append(&mut tx, &entries).await?;
        tx.commit().await?;
    }
    Ok(())
}

/// What happened in the last thirty days: by the minute in the last two, and by the hour before.
async fn counts(db: &Db) -> Result<()> {
    const MINUTE: i64 = 60_000;
    let kinds = ["signIns", "tokens", "plugins", "deliveries"];
    let sample = |kind: &str, name: usize| Sample {
        kind: kind.to_owned(),
        name: format!("name_{name}"),
        count: 7,
        failures: 1,
        microseconds: 9000,
        slowest: 3000,
    };
    let samples: Vec<Sample> = kinds.iter().flat_map(|kind| (0..4).map(|name| sample(kind, name))).collect();
    let now = Clock::system().now_ms() / MINUTE * MINUTE;
    let (minutes, hours) = (0..2 * 24 * 60, 2 * 24..30 * 24);
    let mut tx = db.begin().await?;
    for (back, node) in
        minutes.map(|minute| (minute * MINUTE, "bench")).chain(hours.map(|hour| (hour * 60 * MINUTE, "")))
    {
        activity::add(&mut tx, now - back, node, &samples).await?;
    }
    tx.commit().await?;
    Ok(())
}

/// Tokens of users; or those by which administrators act for users, of which the ones of the last hour are live.
async fn tokens(db: &Db, ids: &[UserId], application: &ApplicationId, count: usize, exchanged: bool) -> Result<()> {
    let now = Clock::system().now_ms();
    let context = |number: usize| json!({ "ticketId": format!("TICKET-{}", number % 50_000), "reason": "An invoice" });
    let record = |number: usize| {
        let created_at = time_of(number, count, now);
        Issuance {
            // It begins with the time, as those of the server do.
            jti: format!("{created_at:012x}of_the_bench{number}{exchanged}"),
            user_id: Some(ids[number * 7 % ids.len()].clone()),
            application_id: application.clone(),
            actor_id: exchanged.then(|| ids[number % ACTORS].clone()),
            organization_id: None,
            resource: None,
            scope: "openid".to_owned(),
            exchanged,
            subject_token_id: exchanged.then(|| format!("subject{number}").into()),
            context: exchanged.then(|| SharedDocument::from(context(number))),
            grant_id: None,
            family_id: None,
            opaque_hash: None,
            claims: None,
            created_at,
            // Records of others are deleted an hour after their tokens have expired.
            expires_at: if exchanged { created_at + HOUR_MS } else { now + DAY_MS },
            revoked_at: None,
        }
    };
    let numbers: Vec<usize> = (0..count).collect();
    for batch in numbers.chunks(ROWS) {
        let records: Vec<Issuance> = batch.iter().map(|number| record(*number)).collect();
        let mut tx = db.begin().await?;
        let written = WriteBatch { issuances: records.iter().collect(), ..WriteBatch::default() };
        issuing::write(&mut tx, &written, now).await?;
        tx.commit().await?;
    }
    Ok(())
}

/// Webhooks that wait; answers the last one, for which there are deliveries.
async fn hooks(server: &Process, db: &Db, count: usize) -> Result<HookId> {
    let management = server.management().await;
    let mut id = String::new();
    for number in 0..count {
        let body = json!({
            "name": format!("Webhook {number}"), "events": ["Role.Deleted"], "paused": true,
            "config": { "url": "http://127.0.0.1:9/" },
        });
        id = management.post("/api/hooks", body).await.expect(201).text("id");
    }
    let (hook_id, now) = (HookId::from(id), Clock::system().now_ms());
    let payload = json!({ "event": "Role.Deleted", "createdAt": "2026-11-21T10:36:46.123Z", "data": null }).to_string();
    let mut tx = db.begin().await?;
    for number in 0..count {
        let event = OutboxEvent {
            id: format!("event_of_the_bench{number}"),
            kind: "Role.Deleted".to_owned(),
            payload: payload.clone(),
            created_at: now,
        };
        let delivery = NewDelivery {
            id: format!("msg_{}", event.id).into(),
            event_id: event.id.clone(),
            hook_id: hook_id.clone(),
            entity: None,
            created_at: now,
        };
        outbox::append(&mut tx, &event, &[delivery]).await?;
    }
    tx.commit().await?;
    Ok(hook_id)
}
