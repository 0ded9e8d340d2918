//! The sources that this node is storing at the moment, so that loading them right afterwards does not read them back
//! from the database.

use claimsmith_runtime::{Language, Source};
use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The sources of all uploads in progress. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(super) struct Uploads(Arc<Mutex<Vec<Source>>>);

/// A source that is found in [`Uploads`] until this is dropped.
#[derive(Debug)]
pub struct UploadedSource {
    source: Source,
    uploads: Uploads,
}

impl Uploads {
    /// Keeps the source until what is returned is dropped.
    pub(super) fn add(&self, source: Source) -> UploadedSource {
        self.sources().push(source.clone());
        UploadedSource { source, uploads: self.clone() }
    }

    /// The source with this hash.
    pub(super) fn find(&self, plugin: &str, language: Language, digest: &str) -> Option<Source> {
        let is_it =
            |source: &&Source| source.name == plugin && source.language == language && source.digest() == digest;
        self.sources().iter().find(is_it).cloned()
    }

    fn sources(&self) -> MutexGuard<'_, Vec<Source>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Deref for UploadedSource {
    type Target = Source;

    fn deref(&self) -> &Source {
        &self.source
    }
}

impl Drop for UploadedSource {
    fn drop(&mut self) {
        let mut sources = self.uploads.sources();
        // Two uploads of the same bytes have an entry each.
        if let Some(index) = sources.iter().position(|source| source.bytes().as_ptr() == self.source.bytes().as_ptr()) {
            sources.swap_remove(index);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_found_while_its_upload_is_under_way() {
        let uploads = Uploads::default();
        let source = || Source::new("ticket", Language::JavaScript, "export {}".to_owned());
        let digest = source().digest().to_owned();
        let (first, second) = (uploads.add(source()), uploads.add(source()));
        assert!(uploads.find("other", Language::JavaScript, &digest).is_none());
        assert!(uploads.find("ticket", Language::TypeScript, &digest).is_none());
        assert!(uploads.find("ticket", Language::JavaScript, "sha256:other").is_none());
        drop(second);
        let found = uploads.find("ticket", Language::JavaScript, &digest).map(|source| source.bytes().as_ptr());
        assert_eq!(found, Some(first.bytes().as_ptr()), "the bytes themselves, not a copy");
        drop(first);
        assert!(uploads.find("ticket", Language::JavaScript, &digest).is_none());
    }
}
