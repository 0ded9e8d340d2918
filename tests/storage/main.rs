//! The storage contract: every repository function, on both databases.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod account_center;
mod accounts;
mod activity;
mod administrator_invitations;
mod administrators;
mod application_access;
mod applications;
mod at_once;
mod attempts;
mod audit;
mod authorization_cache;
mod avatars;
mod backchannel_logouts;
mod backpressure;
mod bulk;
mod client_assertions;
mod connectors;
mod console;
mod console_access;
mod counted_in_advance;
mod coverage;
mod custom_profile_fields;
mod deliveries;
mod devices;
mod dispatch;
mod doctor;
mod encrypted;
mod federation;
mod grants;
mod hook_receivers;
mod hooks;
mod impersonations;
mod issuances;
mod locked_out;
mod member_counts;
mod messages;
mod migrations;
mod named;
mod operations;
mod organization_guests;
mod organization_roles;
mod organizations;
mod outages;
mod outsider_rows;
mod password_age;
mod password_work;
mod plugin_breakers;
mod plugin_calls;
mod plugin_logs;
mod plugin_rollouts;
mod plugins;
mod population_runs;
mod postgres_tls;
mod presented;
mod recordings;
mod resources;
mod revisions;
mod role_holders;
mod roles;
mod sessions;
mod settings;
mod sign_in;
mod sign_in_places;
mod signing_keys;
mod statement_timeout;
mod subject_tokens;
mod transactions;
mod trigrams;
mod trusted_devices;
mod users;
mod verification_codes;
mod verification_records;

use claimsmith_storage::{self as storage, Db, Tx};
use claimsmith_test_support::{Fixture, Home, Kind};
use std::fmt::Debug;
use std::sync::Arc;

/// An empty database that is up to date.
struct Store {
    db: Db,
    home: Arc<Home>,
}

impl Fixture for Store {
    async fn given(kind: Kind) -> Self {
        let home = Home::new(kind).await;
        let db = home.db().await;
        storage::migrate(&db).await.unwrap();
        Self { db, home }
    }
}

impl Store {
    async fn begin(&self) -> Tx {
        self.db.begin().await.unwrap()
    }
}

/// Asserts that two rows are the same in every column.
#[track_caller]
fn assert_same<T: Debug>(one: &T, other: &T) {
    assert_eq!(format!("{one:#?}"), format!("{other:#?}"));
}

/// The ids of rows, in their order.
fn ids<'r, T, I: AsRef<str> + 'r>(rows: &'r [T], id: impl Fn(&T) -> &I) -> Vec<&'r str> {
    rows.iter().map(|row| id(row).as_ref()).collect()
}
