//! A binary alone is enough to begin: where no plugin folder exists, the first start writes the default plugins.

use crate::BINARY;
use claimsmith_test_support::{Home, Kind, Process, both};
use data_encoding::BASE64URL_NOPAD;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

fn names(folder: &Path) -> BTreeSet<String> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

fn claims(token: &str) -> Value {
    let payload = token.split('.').nth(1).unwrap();
    serde_json::from_slice(&BASE64URL_NOPAD.decode(payload.as_bytes()).unwrap()).unwrap()
}

both!(the_first_start_of_a_binary_alone_writes_the_default_plugins, async |home: Arc<Home>| {
    // Neither the folder nor the one that it is in exists.
    let folder = home.folder().join("new").join("plugins");
    let changes = [("CLAIMSMITH_PLUGINS_DIR", folder.to_str().unwrap())];
    let mut server = Process::start(BINARY, &home, &changes).await.unwrap();
    if home.kind() == Kind::Postgres {
        // Nodes of one database must have the same plugins.
        assert!(!folder.exists());
        return;
    }
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("plugins");
    let mut expected = names(&default);
    assert!(expected.remove("README.md"));
    assert_eq!(names(&folder), expected);
    for name in &expected {
        assert_eq!(fs::read(folder.join(name)).unwrap(), fs::read(default.join(name)).unwrap(), "{name}");
    }
    assert_eq!(names(folder.parent().unwrap()), BTreeSet::from(["plugins".to_owned()]), "nothing is left over");
    // They serve, from the first token on.
    let token = claims(&server.exchange(&server.customer_token().await).access_token().await);
    assert_eq!((&token["ticket_id"], &token["roles"]), (&json!("TECH-1234"), &json!(["customer"])), "{token}");
    server.terminate().await;

    // Only the first start: an operator who removes the folder wants no plugins.
    fs::remove_dir_all(&folder).unwrap();
    let server = Process::start(BINARY, &home, &changes).await.unwrap();
    assert!(!folder.exists());
    let token = claims(&server.exchange(&server.customer_token().await).access_token().await);
    assert_eq!(token["ticket_id"], Value::Null, "{token}");
});

both!(a_plugin_folder_that_exists_or_cannot_be_written_stays_as_it_is, async |home: Arc<Home>| {
    let mut server = Process::start(BINARY, &home, &[]).await.unwrap();
    assert_eq!(names(&home.plugins_dir()), BTreeSet::new());
    server.terminate().await;

    let home = Home::new(home.kind()).await;
    let file = home.folder().join("file");
    fs::write(&file, "").unwrap();
    let below = file.join("plugins");
    let server = Process::start(BINARY, &home, &[("CLAIMSMITH_PLUGINS_DIR", below.to_str().unwrap())]).await;
    let warning = "cannot write the default plugins";
    match server {
        Ok(server) if home.kind() == Kind::Sqlite => drop(server.stderr.wait_for(warning).await),
        Ok(server) => assert!(!server.stderr.text().contains(warning), "nothing is written beside PostgreSQL"),
        // The loader has its own say about a folder that cannot be listed.
        Err(log) => assert_eq!(log.contains(warning), home.kind() == Kind::Sqlite, "{log}"),
    }
});
