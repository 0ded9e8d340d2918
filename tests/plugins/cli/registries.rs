//! `claimsmith plugin push`, `pull` and `deploy oci://…` against a registry, good and bad.

use super::registry_stub::{Mood, Registry, digest_of};
use super::{BINARY, claims, plugin, plugin_with, write};
use claimsmith_test_support::{CommandOutput, Home, Process, both};
use data_encoding::BASE64;
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::sync::Arc;

fn hello(number: u32) -> String {
    format!("export const getCustomJwtClaims = () => ({{ hello: {number} }});\n")
}

/// Pushes a plugin with settings and golden cases, and answers its reference by digest.
async fn pushed(home: &Home, registry: &Registry, tag: &str) -> String {
    write(home, "hello.js", &hello(1));
    write(home, "hello.toml", "order = 7\n");
    write(home, "hello.cases.json", r#"[{ "name": "one", "input": {}, "expected": { "claims": { "hello": 1 } } }]"#);
    let reference = format!("oci://{}/team/hello:{tag}", registry.host());
    plugin(home, &["push", &reference, "hello.js"]).await.ok().trim().to_owned()
}

both!(a_plugin_travels_by_a_registry, async |home: Arc<Home>| {
    let server = Process::start(BINARY, &home, &[]).await.unwrap();
    let registry = Registry::start().await;
    let place = pushed(&home, &registry, "1.0").await;
    assert!(place.starts_with(&format!("oci://{}/team/hello@sha256:", registry.host())), "{place}");
    // The same files have the same digest.
    assert_eq!(pushed(&home, &registry, "again").await, place);

    let tag = format!("oci://{}/team/hello:1.0", registry.host());
    let text = plugin(&home, &["pull", &tag, "--to", "pulled"]).await.ok();
    assert!(text.starts_with(&format!("{place}\n  pulled/hello.js\n")), "{text}");
    let read = |name: &str| fs::read_to_string(home.folder().join("pulled").join(name)).unwrap();
    assert_eq!((read("hello.js"), read("hello.toml")), (hello(1), "order = 7\n".to_owned()));
    let text = plugin(&home, &["pull", &tag, "--to", "pulled"]).await.fails(2);
    assert!(text.contains("is there already"), "{text}");
    plugin(&home, &["pull", &tag, "--to", "pulled", "--force"]).await.ok();

    // Only a digest is deployed: a tag may be moved.
    let text = plugin(&home, &["deploy", &tag]).await.fails(2);
    assert!(text.contains("deploy needs a digest"), "{text}");
    let told = plugin(&home, &["deploy", &place, "--label", "1.0"]).await;
    assert!(told.stderr.contains("with the settings of hello.toml"), "{told:#?}");
    assert!(told.ok().starts_with("hello: version 1 is new, and active"));
    assert_eq!(claims(&server).await["hello"], 1);
    let shown = plugin(&home, &["show", "hello", "--json"]).await.json();
    assert_eq!(shown["order"], 7);
    plugin(&home, &["deploy", &place, "--name", "other"]).await.ok();
    plugin(&home, &["deploy", &place, "--manifest", "hello.toml"]).await.fails(2);
});

both!(a_bad_registry_changes_nothing, async |home: Arc<Home>| {
    let _server = Process::start(BINARY, &home, &[]).await.unwrap();
    let registry = Registry::start().await;
    let place = pushed(&home, &registry, "1.0").await;
    let digest = place.rsplit_once('@').unwrap().1.to_owned();
    for (mood, reason) in [
        (Mood::Slow, "the manifest took longer than 1 s".to_owned()),
        (Mood::EndlessManifest, "its manifest has more than 4194304 bytes".to_owned()),
        (Mood::EndlessBlob, "it sent more than the".to_owned()),
        (Mood::Redirecting, "redirects to http://elsewhere.example/manifest; redirects of manifests".to_owned()),
        (Mood::LyingAboutManifests, "another manifest than was asked for: the digest is sha256:".to_owned()),
        (Mood::LyingAboutBlobs, "Invalid digest. Expected sha256:".to_owned()),
        (Mood::Index, format!("not {digest}")),
        (Mood::NeedsLogin, format!("it needs a login: docker login {}", registry.host())),
    ] {
        registry.turn(mood);
        for arguments in [
            &["deploy", place.as_str(), "--registry-seconds", "1"][..],
            &["pull", place.as_str(), "--to", "pulled", "--registry-seconds", "1"],
        ] {
            let text = plugin(&home, arguments).await.fails(1);
            assert!(text.contains(&reason) && text.contains(&registry.host()), "{mood:?}: {text}");
        }
        assert!(!home.folder().join("pulled").exists(), "{mood:?}");
    }
    // By its tag an index is told from a plugin.
    registry.turn(Mood::Index);
    let tag = format!("oci://{}/team/hello:1.0", registry.host());
    let text = plugin(&home, &["pull", &tag, "--to", "pulled"]).await.fails(1);
    assert!(text.contains("it is an index of several manifests"), "{text}");
    registry.turn(Mood::Good);
    let text = plugin(&home, &["pull", &format!("oci://{}/team/absent:1", registry.host())]).await.fails(1);
    assert!(text.contains("there is no oci://"), "{text}");
    assert_eq!(plugin(&home, &["list", "--json"]).await.json(), json!([]));
});

both!(credentials_are_those_of_docker, async |home: Arc<Home>| {
    let registry = Registry::start().await;
    let place = pushed(&home, &registry, "1.0").await;
    registry.turn(Mood::NeedsLogin);
    let folder = home.folder().join("docker");
    fs::create_dir(&folder).unwrap();
    let config = |value: &Value| fs::write(folder.join("config.json"), value.to_string()).unwrap();
    let docker = folder.to_str().unwrap().to_owned();
    let pull = async |to: &str| -> CommandOutput {
        let variables = [("DOCKER_CONFIG", docker.as_str()), ("PATH", docker.as_str())];
        plugin_with(&home, &variables, &["pull", &place, "--to", to], "").await
    };
    let kept = |password: &str| {
        let auth = BASE64.encode(format!("ada:{password}").as_bytes());
        json!({ "auths": { registry.host(): { "auth": auth } } })
    };
    config(&kept("secret"));
    pull("kept").await.ok();
    config(&kept("wrong"));
    let text = pull("refused").await.fails(1);
    assert!(text.contains("does not accept the credentials") && !text.contains("wrong"), "{text}");
    config(&json!({ "auths": {} }));
    assert!(pull("refused").await.fails(1).contains("docker login"));
    fs::write(folder.join("config.json"), "{").unwrap();
    assert!(pull("refused").await.fails(1).contains("config.json"));

    // A helper is asked on its standard input.
    let helper = folder.join("docker-credential-stub");
    let script = format!(
        "#!/bin/sh\nread host\n[ \"$host\" = {} ] || exit 1\necho '{{\"ServerURL\":\"\",\"Username\":\"ada\",\"Secret\":\"secret\"}}'\n",
        registry.host()
    );
    fs::write(&helper, script).unwrap();
    fs::set_permissions(&helper, fs::Permissions::from_mode(0o755)).unwrap();
    config(&json!({ "credHelpers": { registry.host(): "stub" } }));
    pull("helped").await.ok();
    config(&json!({ "credsStore": "stub" }));
    pull("stored").await.ok();
});

both!(what_cosign_attached_comes_along, async |home: Arc<Home>| {
    let registry = Registry::start().await;
    let place = pushed(&home, &registry, "1.0").await;
    let digest = place.rsplit_once('@').unwrap().1.to_owned();
    let payload = json!({
        "critical": {
            "identity": { "docker-reference": "" }, "image": { "docker-manifest-digest": digest },
            "type": "cosign container image signature",
        },
        "optional": null,
    })
    .to_string();
    let layer = json!({
        "mediaType": "application/vnd.dev.cosign.simplesigning.v1+json", "size": payload.len(),
        "digest": digest_of(payload.as_bytes()), "annotations": { "dev.cosignproject.cosign/signature": "MEUC" },
    });
    let manifest = json!({ "schemaVersion": 2, "config": layer, "layers": [layer] }).to_string();
    registry.put(&format!("{}.sig", digest.replace(':', "-")), &manifest, &[&payload]);

    plugin(&home, &["pull", &place, "--to", "pulled"]).await.ok();
    let text = fs::read_to_string(home.folder().join("pulled/hello.js.registry.json")).unwrap();
    let document: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(document["kind"], "claimsmith.registry-signature.v1");
    assert_eq!(digest_of(&BASE64.decode(document["manifest"].as_str().unwrap().as_bytes()).unwrap()), digest);
    let signed = json!([{ "payload": BASE64.encode(payload.as_bytes()), "signature": "MEUC" }]);
    assert_eq!(document["signatures"], signed);
});

both!(errors_of_the_call_are_told_before_anything_is_sent, async |home: Arc<Home>| {
    write(&home, "hello.js", &hello(1));
    for arguments in [
        &["push", "oci://registry.example.com/hello", "hello.js"][..],
        &["push", "registry.example.com/hello:1", "hello.js"],
        &["pull", "oci://hello:1"],
        &["pull", "oci://registry.example.com/hello@sha256:abc"],
        &["deploy", "oci://registry.example.com/hello"],
    ] {
        let text = plugin(&home, arguments).await.fails(2);
        assert!(text.starts_with("claimsmith: \"") && text.contains("oci://"), "{text}");
    }
    let digest = format!("oci://registry.example.com/hello@sha256:{}", "a".repeat(64));
    assert!(plugin(&home, &["push", &digest, "hello.js"]).await.fails(2).contains("push to a tag"));
});
