//! The first start of a server, made once for the tests that run at the same time: what it left is copied into the home of
//! each, which saves the migrations, the keys and the demo data of every one.

use crate::{Home, Kind, TestServer};
use std::path::Path;
use std::sync::{Arc, Weak};
use tokio::sync::Mutex;

static SQLITE: Mutex<Weak<Home>> = Mutex::const_new(Weak::new());
static POSTGRES: Mutex<Weak<Home>> = Mutex::const_new(Weak::new());

/// The home of a server that was started once and has stopped. Its database and its files go with the last copy.
pub(crate) async fn template(kind: Kind) -> Arc<Home> {
    let mut known = match kind {
        Kind::Sqlite => SQLITE.lock().await,
        Kind::Postgres => POSTGRES.lock().await,
    };
    if let Some(home) = known.upgrade() {
        return home;
    }
    let home = Home::new(kind).await;
    let server = Box::pin(TestServer::start(&home, &[])).await.unwrap();
    server.stop().await;
    *known = Arc::downgrade(&home);
    home
}

/// Copies what is in a folder, with its permissions.
pub(crate) fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    std::fs::set_permissions(to, std::fs::metadata(from).unwrap().permissions()).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let copy = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_folder(&entry.path(), &copy);
        } else {
            std::fs::copy(entry.path(), copy).unwrap();
        }
    }
}
