//! The plugins that are not loaded yet since the server started, and their compilations, which run beside each other.

use super::{compile::SourceRejection, folder::FolderChange, trust::GivenSignature};
use claimsmith_domain::documents::plugin::Origin;
use claimsmith_runtime::Source;
use std::collections::BTreeMap;
use tokio::task::{AbortHandle, JoinSet};

/// What is left of the start. Dropped, it ends the compilations.
#[derive(Default)]
pub(super) struct Starting {
    waiting: BTreeMap<String, Waiting>,
    compiling: JoinSet<Compiled>,
}

/// A plugin that is not loaded yet.
struct Waiting {
    origin: Origin,
    change: FolderChange,
    compilation: Option<AbortHandle>,
}

/// The end of a compilation.
pub(super) struct Compiled {
    pub(super) name: String,
    pub(super) outcome: Result<(), SourceRejection>,
}

impl Starting {
    pub(super) fn add(&mut self, name: String, origin: Origin, change: FolderChange) {
        self.waiting.insert(name, Waiting { origin, change, compilation: None });
    }

    /// The sources of all of them with their signatures, by name.
    pub(super) fn sources(&self) -> Vec<(String, Origin, Source, GivenSignature)> {
        let source = |(name, waiting): (&String, &Waiting)| match &waiting.change {
            FolderChange::Readable { source, signature, .. } => {
                Some((name.clone(), waiting.origin, source.clone(), signature.clone()))
            }
            FolderChange::Disabled(_) | FolderChange::Broken(_) => None,
        };
        self.waiting.iter().filter_map(source).collect()
    }

    /// Takes one out to be loaded; `None` if something else was decided about it meanwhile.
    pub(super) fn take(&mut self, name: &str) -> Option<(Origin, FolderChange)> {
        self.waiting.remove(name).map(|waiting| (waiting.origin, waiting.change))
    }

    /// Forgets one that has changed or is gone, with its compilation.
    pub(super) fn forget(&mut self, name: &str) {
        if let Some(compilation) = self.waiting.remove(name).and_then(|waiting| waiting.compilation) {
            compilation.abort();
        }
    }

    /// Begins to compile one.
    pub(super) fn compile(
        &mut self,
        name: String,
        compilation: impl Future<Output = Result<(), SourceRejection>> + Send + 'static,
    ) {
        let Some(waiting) = self.waiting.get_mut(&name) else { return };
        let compiled = async move { Compiled { name, outcome: compilation.await } };
        waiting.compilation = Some(self.compiling.spawn(compiled));
    }

    /// The next compilation that ends; `None` if there is none. May be cancelled.
    pub(super) async fn next(&mut self) -> Option<Compiled> {
        loop {
            // One that was aborted has no end.
            if let Ok(compiled) = self.compiling.join_next().await? {
                return Some(compiled);
            }
        }
    }
}
