//! Prepares the previous versions of plugins that answer while a breaker is open (`on_open = "previous version"`): reads
//! them from the database and has them tested.

use super::reading::{effective, language};
use crate::plugins::trust::GivenSignature;
use crate::plugins::{Plugins, PreviousVersion, WantedStandby};
use crate::supervisor::contain;
use claimsmith_runtime::Source;
use claimsmith_storage::{self as storage, Db, plugins};
use std::time::Duration;

/// Prepares them as long as it is polled.
pub(super) async fn keep(db: &Db, all: &Plugins, poll: Duration) {
    loop {
        for wanted in all.wanted_standbys() {
            // A panic was logged; the next round tries again.
            if let Ok(Err(error)) = contain("previous version of a plugin", prepare(db, all, &wanted)).await {
                tracing::warn!(%error, "the previous version of a plugin cannot be read; trying again");
            }
        }
        tokio::time::sleep(poll).await;
    }
}

async fn prepare(db: &Db, all: &Plugins, wanted: &WantedStandby) -> storage::Result<()> {
    match read(db, wanted).await? {
        Ok(previous) => all.prepare_standby(wanted, previous).await,
        Err(problem) => all.refuse_standby(wanted, problem),
    }
    Ok(())
}

/// The previous version, or why there is none.
async fn read(db: &Db, wanted: &WantedStandby) -> storage::Result<Result<PreviousVersion, String>> {
    let name = &*wanted.name;
    let mut tx = db.read().await?;
    // One that nobody ever activated does not come into service by a failure of the active one.
    let Some(number) = plugins::versions::served_before(&mut tx, name).await? else {
        return Ok(Err("there is no version before the active one".to_owned()));
    };
    let missing = || Ok(Err(format!("version {number} cannot be read")));
    let (Some(row), Some(version), Some(active)) = (
        plugins::find(&mut tx, name).await?,
        plugins::versions::find(&mut tx, name, number).await?,
        plugins::versions::find(&mut tx, name, wanted.active).await?,
    ) else {
        return missing();
    };
    let bytes = plugins::versions::source(&mut tx, name, number).await?;
    let signature = plugins::versions::signature(&mut tx, name, number).await?;
    let signature = GivenSignature::of(signature.as_deref());
    let (Some(bytes), Some(language)) = (bytes, language(&version.language)) else { return missing() };
    let Ok(http) = effective(version.http, row.http_grant) else { return missing() };
    let source = Source::new(name, language, bytes);
    if source.digest() != version.digest {
        return missing();
    }
    Ok(Ok(PreviousVersion { source, signature, number, http, cases: active.cases }))
}
