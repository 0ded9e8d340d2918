//! `claimsmith plugin convert`: converted scripts answer the same, and what cannot be converted is reported.

use super::{plugin_with, write};
use claimsmith_test_support::{CommandOutput, Home, Kind};
use std::fs;
use std::path::{Path, PathBuf};

/// Every sample of `sdk/migrate/samples`, and how it is converted.
const SAMPLES: [(&str, &[&str]); 8] = [
    ("auth0-login", &["auth0"]),
    ("auth0-machine", &["auth0"]),
    ("auth0-rule", &["auth0"]),
    ("logto-plan", &["logto"]),
    ("keycloak-roles", &["keycloak", "--claim", "shop.roles"]),
    ("keycloak-tier", &["keycloak", "--claim", "tier"]),
    ("zitadel-flat-roles", &["zitadel"]),
    ("fusionauth-populate", &["fusionauth"]),
];

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sdk/migrate/samples")
}

/// A command that keeps what it compiles, since there are many.
pub(super) async fn run(home: &Home, arguments: &[&str]) -> CommandOutput {
    let cache = home.folder().join("cache");
    plugin_with(home, &[("XDG_CACHE_HOME", cache.to_str().unwrap())], arguments, "").await
}

/// Converts a script of this text.
pub(super) async fn convert(home: &Home, from: &[&str], file: &str, text: &str) -> CommandOutput {
    write(home, file, text);
    run(home, &[&["convert", "--from"], from, &[file]].concat()).await
}

fn read(home: &Home, file: &str) -> String {
    fs::read_to_string(home.folder().join(file)).unwrap()
}

#[tokio::test]
async fn every_sample_answers_as_its_golden_cases_say() {
    let home = Home::new(Kind::Sqlite).await;
    let scripts = fs::read_dir(samples()).unwrap().filter(|entry| {
        let path = entry.as_ref().unwrap().path();
        path.extension().is_some_and(|extension| extension == "js")
    });
    assert_eq!(scripts.count(), SAMPLES.len());
    for (name, from) in SAMPLES {
        let script = samples().join(format!("{name}.js"));
        let told = run(&home, &[&["convert", "--from"], from, &[script.to_str().unwrap()]].concat()).await.ok();
        assert!(told.starts_with(&format!("{name}/{name}.js: a plugin around a script of ")), "{told}");
        assert!(told.ends_with(&format!("  claimsmith plugin deploy {name}.js\n")), "{told}");
        let converted = read(&home, &format!("{name}/{name}.js"));
        assert!(converted.contains(fs::read_to_string(&script).unwrap().trim_end()), "the script is not as it was");

        let cases = format!("{name}.cases.json");
        fs::copy(samples().join(&cases), home.folder().join(name).join(&cases)).unwrap();
        let told = run(&home, &["test", name]).await.ok();
        assert!(told.contains("PASS ") && told.ends_with(" 0 failed\n"), "{told}");
        run(&home, &["check", name]).await.ok();
    }
}

#[tokio::test]
async fn settings_are_written_and_what_differs_is_reported() {
    let home = Home::new(Kind::Sqlite).await;
    let unsupported = "/* api.redirect.sendUserTo */
exports.onExecutePostLogin = async (event, api) => {
  const { API_KEY } = event.secrets;
  if (event.request.ip === 'x') api.redirect.sendUserTo('https://example.com');
};
";
    let told = convert(&home, &["auth0"], "add-roles.js", unsupported).await.fails(1);
    for found in ["line 4: event.request", "line 4: api.redirect"] {
        assert!(told.contains(&format!("{found}: it is not known here")), "{told}");
    }
    let script = "/* api.redirect.sendUserTo */
exports.onExecutePostLogin = async (event, api) => {
  const { API_KEY, OTHER: other, THIRD = 3 } = event.secrets;
  if (!event.user.email_verified) api.access.deny('Verify your address.');
  await fetch('https://example.com', { headers: { key: API_KEY, other, last: event.secrets['LAST'] } });
  api.idToken.setCustomClaim('level', event.secrets.LEVEL ?? 'low');
};
";
    let told = convert(&home, &["auth0", "--out", "made/here"], "Add Roles!.js", script).await.ok();
    let expected = "made/here/add-roles.js: a plugin around a script of Auth0
made/here/add-roles.toml: its settings
  line 4: .email_verified: it is taken from customData.email_verified of the user, and reading it fails where that says nothing
  line 5: fetch: name the servers in [capabilities.http] of the settings
";
    assert!(told.starts_with(expected), "{told}");
    let settings = "token_kinds = [\"access-token\", \"id-token\"]

# Do not write secrets here; set them with: claimsmith plugin secret set add-roles NAME
[environment]
API_KEY = \"\"
LAST = \"\"
OTHER = \"\"

# The servers that it sends requests to.
# [capabilities.http]
# hosts = [\"api.example.com\"]
";
    assert_eq!(read(&home, "made/here/add-roles.toml"), settings);

    let script = "function machines(ctx, api) {\n  api.v1.claims.setClaim('a', missing);\n}\n";
    let told = convert(&home, &["zitadel"], "machines.js", script).await.ok();
    assert!(!told.contains(".toml") && !told.contains("line "), "{told}");
    let failed = plugin_with(&home, &[], &["run", "machines", "--input", "-"], "{}").await;
    // The script begins at line 4 of the plugin.
    assert!(failed.stdout.contains("is not defined") && failed.stdout.contains("(<input>:5:"), "{failed:?}");
}

#[tokio::test]
async fn what_cannot_be_converted_is_refused_and_leaves_nothing() {
    let home = Home::new(Kind::Sqlite).await;
    let action = "exports.onExecutePostLogin = async (event, api) => {};\n";
    let axios = format!("// no require('here')\nconst a = 1;\n\nconst axios = require('axios');\n{action}");
    let http = "let http = require('zitadel/http')\nfunction a(ctx, api) {}";
    let table: [(&[&str], &str, &str, i32); 11] = [
        (&["okta"], action, "invalid value 'okta'", 2),
        (&["auth0"], &axios, "line 4: require('axios'): a plugin is one file and requires nothing", 1),
        (&["zitadel"], http, "line 1: require('zitadel/http'): fetch answers at once there", 1),
        (&["zitadel"], "require('fs')\nfunction a(ctx, api) {}", "line 1: require('fs'): a plugin is one file", 1),
        (&["keycloak"], "exports = 1;", "name the claim with --claim NAME", 2),
        (&["auth0", "--claim", "a"], action, "--claim is for Keycloak", 2),
        (
            &["auth0"],
            "# Notes\nNothing here.\n",
            "this is not a script of Auth0: it has no exports.onExecutePostLogin",
            1,
        ),
        (&["fusionauth"], "// function populate()\n", "this is not a script of FusionAuth", 1),
        (&["keycloak", "--claim", "a"], "A user, in words.\n", "does not load: line 1:", 1),
        (&["keycloak", "--claim", "a"], "user;\n\nif (user {\n  exports = 1;\n}\n", "does not load: line 3:", 1),
        (&["auth0"], &format!("{action}null.member;\n"), "top-level code failed", 1),
    ];
    for (from, text, said, code) in table {
        let told = convert(&home, from, "script.js", text).await.fails(code);
        assert!(told.contains(said), "{said}: {told}");
        assert!(!home.folder().join("script").exists(), "{said}");
    }
    fs::write(home.folder().join("script.js"), b"\x89PNG\r\n").unwrap();
    let told = run(&home, &["convert", "--from", "logto", "script.js"]).await.fails(1);
    assert!(told.contains("script.js is not a script"), "{told}");
    let told = run(&home, &["convert", "--from", "logto", "nowhere.js"]).await.fails(1);
    assert!(told.contains("nowhere.js cannot be read"), "{told}");
    let told = convert(&home, &["auth0"], "test.js", action).await.fails(2);
    assert!(told.contains("rename test.js"), "{told}");

    let told = convert(&home, &["auth0", "--out", "."], "script.js", action).await.fails(2);
    assert!(told.contains("./script.js exists already"), "{told}");
    assert_eq!(read(&home, "script.js"), action);
}
