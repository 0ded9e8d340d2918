//! Finding plugin files in a folder, with their manifests and golden cases.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use super::*;

fn folder_of(files: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in files {
        fs::write(folder.path().join(file), "x").unwrap();
    }
    folder
}

#[test]
fn finds_plugins_and_nothing_else() {
    let folder = folder_of(&[
        "roles.ts",
        "a-1_b.wasm",
        "roles.toml",
        "roles.cases.json",
        "types.d.ts",
        ".hidden.js",
        "roles.ts~",
        "#roles.ts#",
        "README.md",
        ".js",
    ]);
    fs::create_dir(folder.path().join("nested.js")).unwrap();
    let found = PluginFiles::scan(folder.path()).unwrap();
    let names: Vec<_> = found.iter().map(PluginFiles::name).collect();
    assert_eq!(names, ["a-1_b", "roles"]);
    let languages: Vec<_> = found.iter().map(|files| files.source().unwrap().1).collect();
    assert_eq!(languages, [Language::Wasm, Language::TypeScript]);
}

#[test]
fn a_misnamed_or_doubled_source_is_named_in_the_error() {
    let folder = folder_of(&["Guard.js", "roles.test.js", "test.js", "twice.js", "twice.ts"]);
    let found = PluginFiles::scan(folder.path()).unwrap();
    let errors: Vec<_> = found.iter().map(|files| files.source().unwrap_err().to_string()).collect();
    assert!(errors[0].starts_with("`Guard` is not a valid plugin name"), "{errors:?}");
    assert!(errors[1].starts_with("`roles.test` is not a valid plugin name"), "{errors:?}");
    assert!(errors[2].starts_with("`test` cannot be the name of a plugin: /api/plugins/test is"), "{errors:?}");
    assert_eq!(errors[3], "several files are called twice: twice.js, twice.ts; remove all but one");
    let other = PluginFiles::at(Path::new("roles.py")).unwrap_err();
    assert!(other.to_string().starts_with("roles.py is not a plugin"), "{other}");
}

#[test]
fn a_file_is_read_up_to_its_limit_and_a_pipe_never() {
    let folder = folder_of(&["a.js"]);
    let path = folder.path().join("a.js");
    assert_eq!(read_file(&path, 1).unwrap(), b"x");
    assert!(matches!(read_file(&path, 0), Err(ReadError::TooLarge { size: 1, limit: 0 })));
    assert!(matches!(read_file(folder.path(), 10), Err(ReadError::NotAFile)));
    assert!(matches!(read_file(&folder.path().join("none"), 10), Err(ReadError::Io(_))));
}

#[test]
fn the_signature_of_a_source_is_the_first_file_beside_it() {
    let folder = folder_of(&["a.js", "a.js.sig", "b.js", "b.js.sig", "b.js.sigstore.json", "c.js", "c.sig"]);
    let file = |name: &str| {
        let found = read_signature(&folder.path().join(name)).unwrap();
        found.map(|(path, bytes)| (path.file_name().unwrap().to_string_lossy().into_owned(), bytes))
    };
    assert_eq!(file("a.js"), Some(("a.js.sig".to_owned(), b"x".to_vec())));
    assert_eq!(file("b.js").unwrap().0, "b.js.sigstore.json");
    assert_eq!(file("c.js"), None);
    // They are no plugins themselves.
    let names: Vec<_> = PluginFiles::scan(folder.path()).unwrap().into_iter().map(|files| files.name).collect();
    assert_eq!(names, ["a", "b", "c"]);

    fs::write(folder.path().join("c.js.sig"), vec![b'A'; MAX_SIGNATURE_BYTES + 1]).unwrap();
    let (path, error) = read_signature(&folder.path().join("c.js")).unwrap_err();
    assert!(path.ends_with("c.js.sig") && matches!(error, ReadError::TooLarge { .. }), "{error}");
}
