//! The output of `claimsmith plugin test`.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

fn plugin_test(folder: &Path, paths: &[&str]) -> (String, Option<i32>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_claimsmith"));
    let Output { status, stdout, stderr } =
        command.args(["plugin", "test"]).args(paths).current_dir(folder).output().unwrap();
    (String::from_utf8(stdout).unwrap() + &String::from_utf8(stderr).unwrap(), status.code())
}

#[test]
fn the_default_set_passes() {
    let (text, code) = plugin_test(Path::new(env!("CARGO_MANIFEST_DIR")), &["plugins/"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("PASS      roles: role names, sorted\n"), "{text}");
    assert!(text.ends_with("\nplugins: 9; cases: 39, 39 passed, 0 failed\n"), "{text}");
}

#[test]
fn failures_are_printed_and_set_the_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("a.js", "export const getCustomJwtClaims = () => { console.log('here'); return { a: 1, b: 2 }; };");
    write(
        "a.cases.json",
        r#"[{ "name": "right", "input": {}, "expected": { "claims": { "a": 1, "b": 2 } } },
            { "name": "wrong", "input": {}, "expected": { "claims": { "a": 1, "b": 3 } } }]"#,
    );
    write("broken.js", "export const (");
    write("quiet.js", "export const getCustomJwtClaims = () => ({});");
    write("gone.cases.json", "[]");
    let (text, code) = plugin_test(folder.path(), &["."]);
    assert_eq!(code, Some(1), "{text}");
    for part in [
        "PASS      a: right\n",
        "FAIL      a: wrong\n            other claims (- expected, + actual):\n",
        "            -   \"b\": 3\n            +   \"b\": 2\n",
        "            log, info: here\n",
        "FAIL      broken: cannot be tested\n            ",
        "NO CASES  quiet: ",
        "FAIL      gone.cases.json belongs to no plugin in .\n",
        "\nplugins: 3; cases: 2, 1 passed, 1 failed; 1 cannot be tested; 1 without cases; 1 case files without a plugin\n",
    ] {
        assert!(text.contains(part), "{part:?} is missing in:\n{text}");
    }

    let (text, code) = plugin_test(folder.path(), &["quiet.js"]);
    assert_eq!(code, Some(0), "{text}");
}

#[test]
fn nothing_to_test_is_a_failure() {
    let folder = tempfile::tempdir().unwrap();
    let (text, code) = plugin_test(folder.path(), &["."]);
    assert_eq!(code, Some(1), "{text}");
    let (text, code) = plugin_test(folder.path(), &["none.js"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("none.js cannot be read"), "{text}");
}
