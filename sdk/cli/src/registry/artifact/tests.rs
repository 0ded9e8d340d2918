//! Manifests that are plugins, and those that are not.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use super::{Language, build, parse, signatures};
use serde_json::{Value, json};

fn digest() -> String {
    format!("sha256:{}", "a".repeat(64))
}

fn manifest(layers: &Value) -> Vec<u8> {
    serde_json::to_vec(&json!({ "schemaVersion": 2, "layers": layers })).unwrap()
}

fn layer(media_type: &str) -> Value {
    json!({ "mediaType": media_type, "digest": digest(), "size": 3 })
}

#[test]
fn what_is_pushed_is_read_again() {
    let file = |name: &'static str| (name, name.as_bytes().to_vec());
    for (language, name) in
        [(Language::JavaScript, "plans.js"), (Language::TypeScript, "plans.ts"), (Language::Wasm, "plans.wasm")]
    {
        let pushed = build(language, file(name), Some(file("plans.toml")), Some(file("plans.cases.json"))).unwrap();
        let found = parse(&pushed.manifest).unwrap();
        assert_eq!((found.language, found.title.as_deref()), (language, Some(name)));
        assert_eq!(found.layers().count(), 3);
        assert_eq!(pushed.blobs.len(), 4, "with the configuration");
        for layer in found.layers() {
            let (_, bytes) = pushed.blobs.iter().find(|(digest, _)| *digest == layer.digest).unwrap();
            assert_eq!(bytes.len(), layer.size);
        }
        let again = build(language, file(name), Some(file("plans.toml")), Some(file("plans.cases.json"))).unwrap();
        assert_eq!(again.manifest, pushed.manifest, "the same files have the same digest");
    }
    let alone = build(Language::Wasm, file("plans.wasm"), Some(("plans.toml", Vec::new())), None).unwrap();
    assert_eq!(parse(&alone.manifest).unwrap().layers().count(), 1, "as `wkg` pushes it");
}

#[test]
fn what_is_not_a_plugin_is_refused_with_the_reason() {
    let wasm = "application/wasm";
    let large = json!([{ "mediaType": wasm, "digest": digest(), "size": 65_u64 << 20 }]);
    let lying = json!([{ "mediaType": wasm, "digest": "sha256:../../etc", "size": 3 }]);
    let negative = json!([{ "mediaType": wasm, "digest": digest(), "size": -1 }]);
    let table = [
        (b"{".to_vec(), "cannot be read"),
        (b"[]".to_vec(), "cannot be read"),
        (json!({ "schemaVersion": 2, "manifests": [] }).to_string().into_bytes(), "index of several"),
        (
            json!({ "schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "layers": [] })
                .to_string()
                .into_bytes(),
            "index of several",
        ),
        (json!({ "schemaVersion": 1, "layers": [] }).to_string().into_bytes(), "schema version 1"),
        (json!({ "schemaVersion": 2 }).to_string().into_bytes(), "no layers"),
        (manifest(&json!([])), "no layer with a component"),
        (manifest(&json!([layer("application/vnd.oci.image.layer.v1.tar+gzip")])), "not a plugin"),
        (manifest(&json!([layer(wasm), layer(wasm)])), "two layers"),
        (manifest(&large), "bytes; at most"),
        (manifest(&lying), "digest of a layer"),
        (manifest(&negative), "cannot be read"),
    ];
    for (text, reason) in table {
        let error = parse(&text).err().unwrap_or_default();
        assert!(error.contains(reason), "{}: {error:?}", String::from_utf8_lossy(&text));
    }
}

#[test]
fn what_cosign_attached_is_found() {
    let signed = |signature: Value| {
        let mut layer = layer("application/vnd.dev.cosign.simplesigning.v1+json");
        layer["annotations"] = signature;
        layer
    };
    let one = signed(json!({ "dev.cosignproject.cosign/signature": "MEUC" }));
    let found = signatures(&manifest(&json!([one, layer("text/plain")]))).unwrap();
    assert_eq!(found.iter().map(|(_, signature)| signature.as_str()).collect::<Vec<_>>(), ["MEUC"]);
    assert!(signatures(&manifest(&json!([signed(json!({}))]))).unwrap_err().contains("annotation"));
    let many = manifest(&Value::Array(vec![one; 17]));
    assert!(signatures(&many).unwrap_err().contains("17 signatures"));
}
