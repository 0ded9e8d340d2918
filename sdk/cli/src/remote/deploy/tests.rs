//! Which files an upload sends, and how the answer is printed.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use super::{DeployArgs, Upload, quoted, rendered};
use crate::remote::Usage;
use serde_json::json;
use std::path::Path;

fn args(file: &Path) -> DeployArgs {
    DeployArgs { file: file.to_owned(), ..DeployArgs::default() }
}

fn names(upload: &Upload) -> (&str, &str, Option<&str>, Option<&str>) {
    let name = |sent: &Option<super::UploadedFile>| sent.as_ref().map(|sent| sent.file_name.clone().leak() as &str);
    (&upload.name, upload.language.media_type(), name(&upload.manifest), name(&upload.cases))
}

#[test]
fn what_stands_beside_a_file_belongs_to_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for name in ["a.js", "a.toml", "b.ts", "b.cases.json", "c.wasm", "c.json", "other.toml"] {
        std::fs::write(path(name), name).unwrap();
    }
    let sent = |args: &DeployArgs| Upload::read(args).unwrap();
    assert_eq!(names(&sent(&args(&path("a.js")))), ("a", "text/javascript", Some("a.toml"), None));
    assert_eq!(names(&sent(&args(&path("b.ts")))), ("b", "application/typescript", None, Some("b.cases.json")));
    assert_eq!(names(&sent(&args(&path("c.wasm")))), ("c", "application/wasm", None, None));

    // What cosign writes is called after the whole name of the file.
    assert!(sent(&args(&path("a.js"))).signature.is_none());
    std::fs::write(path("a.js.sig"), "MEUC").unwrap();
    assert_eq!(sent(&args(&path("a.js"))).signature.unwrap().file_name, "a.js.sig");

    // Under another name the file's companions are still its own, and those that are named win.
    let renamed = DeployArgs { name: Some("x".to_owned()), ..args(&path("a.js")) };
    assert_eq!(names(&sent(&renamed)), ("x", "text/javascript", Some("a.toml"), None));
    let named = DeployArgs { manifest: Some(path("other.toml")), ..args(&path("a.js")) };
    assert_eq!(names(&sent(&named)).2, Some("other.toml"));
}

#[test]
fn a_missing_or_invalid_plugin_file_is_an_error_before_any_request() {
    let error = Upload::read(&args(Path::new("notes.txt"))).err().unwrap();
    assert!(error.downcast::<Usage>().unwrap().to_string().contains(".js, .ts or .wasm"));
    let error = Upload::read(&args(Path::new("/nowhere/a.js"))).err().unwrap();
    assert_eq!(error.to_string(), "/nowhere/a.js cannot be read");
}

#[test]
fn an_etag_gets_the_quotes_that_a_shell_took() {
    assert_eq!(["7", "\"7\"", "W/\"7\"", "*"].map(quoted), ["\"7\"", "\"7\"", "W/\"7\"", "*"]);
}

#[test]
fn the_result_of_the_upload_is_printed() {
    let answer = |active: bool, http: serde_json::Value| {
        json!({
            "plugin": { "state": "active", "lastError": null, "deployment": { "http": { "granted": null } } },
            "version": { "id": "3", "digest": "sha256:ab", "active": active, "http": http },
        })
    };
    assert_eq!(
        rendered("x", true, &answer(true, json!(null))),
        "x: version 3 is new, and active\n  digest  sha256:ab\n  state   active"
    );
    assert!(rendered("x", true, &answer(false, json!(null))).contains("claimsmith plugin activate x 3\n"));
    assert!(rendered("x", false, &answer(true, json!(null))).starts_with("x: nothing has changed; version 3 "));
    let asks = rendered("x", true, &answer(true, json!({ "hosts": ["api.example.com"] })));
    assert!(asks.contains("declared, and not granted: {\"hosts\":[\"api.example.com\"]}"), "{asks}");
}
