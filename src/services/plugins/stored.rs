//! Uploaded plugins, as read from the database.

use super::folder::{Broken, FolderChange, FolderEntry};
use super::rollouts::RolloutPlan;
use super::trust::GivenSignature;
use claimsmith_runtime::{Kind, Manifest, Secrets, Source};

/// One plugin of the store.
#[derive(Debug)]
pub struct StoredPlugin {
    /// Its name.
    pub name: String,
    /// `None` if it is unchanged since the store was last passed in.
    pub change: Option<StoredChange>,
}

/// The change of a stored plugin.
#[derive(Debug)]
pub enum StoredChange {
    /// No version of it is active, or its settings disable it.
    Resting(Box<Manifest>),
    /// Its row is unreadable.
    Broken {
        /// Its settings, if these could be read.
        manifest: Option<Box<Manifest>>,
        /// The kind of its active version, if known.
        kind: Option<Kind>,
        /// What is wrong.
        error: String,
    },
    /// This version is to be activated.
    Active(Box<ActiveVersion>),
}

/// A version to activate, with its settings, source and secrets.
#[derive(Debug)]
pub struct ActiveVersion {
    /// Its settings.
    pub manifest: Manifest,
    /// Its source.
    pub source: Source,
    /// Its secrets, decrypted.
    pub secrets: Secrets,
    /// Its number.
    pub number: i64,
    /// The signature of its source.
    pub signature: GivenSignature,
    /// A version beside it.
    pub rollout: Option<Box<RolloutPlan>>,
}

impl From<StoredPlugin> for FolderEntry {
    fn from(StoredPlugin { name, change }: StoredPlugin) -> Self {
        let change = change.map(|change| match change {
            StoredChange::Resting(manifest) => FolderChange::Disabled(*manifest),
            StoredChange::Broken { manifest, kind, error } => {
                FolderChange::Broken(Broken { manifest, kind, error, misnamed: false })
            }
            StoredChange::Active(active) => {
                let ActiveVersion { manifest, source, secrets, number, signature, rollout } = *active;
                FolderChange::Readable { manifest, source, secrets, number: Some(number), signature, rollout }
            }
        });
        Self { name, change }
    }
}
