//! Compilations in the background: no rollback and no other plugin waits for them.

use super::compile::{Compiler, SourceRejection};
use crate::supervisor::contain;
use claimsmith_domain::documents::plugin::Origin;
use claimsmith_runtime::{Language, Source};
use std::{
    collections::HashMap,
    sync::{Arc, OnceLock},
};
use tokio::{sync::Notify, task::JoinHandle};

/// The compilations in progress, by plugin.
pub(super) struct Compilations {
    compiler: Compiler,
    begun: HashMap<(Origin, String), Compilation>,
    /// Notified when one of the folder ends.
    folder_done: Arc<Notify>,
    /// The same for the store, which another task follows.
    store_done: Arc<Notify>,
}

struct Compilation {
    digest: String,
    language: Language,
    verdict: Arc<OnceLock<Result<(), SourceRejection>>>,
    task: Option<JoinHandle<()>>,
}

impl Compilations {
    pub(super) fn new(compiler: Compiler) -> Self {
        Self { compiler, begun: HashMap::new(), folder_done: Arc::default(), store_done: Arc::default() }
    }

    /// Notified when a compilation of this origin has ended, so that its followers read the state again.
    pub(super) fn done(&self, origin: Origin) -> &Arc<Notify> {
        match origin {
            Origin::Folder => &self.folder_done,
            Origin::Store => &self.store_done,
        }
    }

    /// The result of compiling this version, which is started if necessary; `None` while it is in progress. Returned
    /// once.
    pub(super) fn outcome(&mut self, origin: Origin, source: &Source) -> Option<Result<(), SourceRejection>> {
        let key = (origin, source.name.clone());
        let same = |one: &&Compilation| one.digest == source.digest() && one.language == source.language;
        if let Some(begun) = self.begun.get(&key).filter(same) {
            let verdict = begun.verdict.get().cloned()?;
            self.begun.remove(&key);
            return Some(verdict);
        }
        let (digest, language) = (source.digest().to_owned(), source.language);
        let verdict = Arc::new(OnceLock::new());
        let (compiler, source, told, done) =
            (self.compiler.clone(), source.clone(), Arc::clone(&verdict), Arc::clone(self.done(origin)));
        let task = tokio::spawn(async move {
            // It is set only here.
            let _ = told.set(verdict_of(compiler.compile_own(&source, false)).await);
            done.notify_one();
        });
        self.begun.insert(key, Compilation { digest, language, verdict, task: Some(task) });
        None
    }

    /// Compiles this version for the server's start, which follows it itself.
    pub(super) fn compile(
        &self,
        source: &Source,
        urgent: bool,
    ) -> impl Future<Output = Result<(), SourceRejection>> + Send + use<> {
        let (compiler, source) = (self.compiler.clone(), source.clone());
        async move { verdict_of(compiler.compile_own(&source, urgent)).await }
    }

    /// Cancels the compilations of removed plugins.
    pub(super) fn retain(&mut self, origin: Origin, is_there: impl Fn(&str) -> bool) {
        self.begun.retain(|(of, name), _| *of != origin || is_there(name));
    }
}

/// A compilation that panics has failed, and is retried.
async fn verdict_of(compilation: impl Future<Output = Result<(), SourceRejection>>) -> Result<(), SourceRejection> {
    let compiled = contain("compiling a plugin", compilation).await;
    compiled.unwrap_or_else(|panicked| Err(SourceRejection { text: panicked.to_string(), again: true }))
}

impl Drop for Compilation {
    /// Kills the process, if it is still running.
    fn drop(&mut self) {
        if let Some(task) = self.task.take() {
            task.abort();
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::panic, reason = "a test may panic")]

    use super::*;

    #[tokio::test]
    async fn a_compilation_that_panics_has_failed_and_is_tried_again() {
        let panicked = verdict_of(async { panic!("on purpose") }).await;
        assert!(panicked.is_err_and(|rejected| rejected.again && rejected.text == "the task panicked"));
        assert!(verdict_of(async { Ok(()) }).await.is_ok());
    }
}
