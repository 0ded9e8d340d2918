//! The cost of a plugin call and of loading a plugin: `cargo bench -p claimsmith-runtime --bench plugin`.

#![expect(clippy::unwrap_used, reason = "a benchmark may panic")]

use claimsmith_runtime::{ClaimsRequest, Context, Grant, Host, HostOptions, Language, Limits, Source};
use criterion::{Criterion, criterion_group, criterion_main};
use serde_json::json;
use std::{path::PathBuf, time::Duration};
use tokio::runtime::Runtime;

const JAVASCRIPT: &str = "export const getCustomJwtClaims = async ({ context }) => ({ \
     ticket_id: context.grant?.subjectTokenContext?.ticketId });";

fn host(cache_dir: Option<PathBuf>) -> Host {
    let options = HostOptions {
        cache_dir,
        concurrency: 8,
        queue: 64,
        max_memory: 64 << 20,
        max_source: 1 << 20,
        parallel_compilation: true,
        metered: false,
    };
    Host::new(options).unwrap()
}

fn source(language: Language, bytes: impl Into<Vec<u8>>) -> Source {
    Source::new("bench", language, bytes.into())
}

/// What the server tells of an impersonation of somebody with a role and an organization.
fn request() -> ClaimsRequest {
    let grant = Grant {
        grant_type: "urn:ietf:params:oauth:grant-type:token-exchange".into(),
        subject_token_context: Some(r#"{"ticketId":"T-1","reason":"help"}"#.into()),
    };
    let user = json!({
        "id": "casey0000001", "username": "casey", "primaryEmail": "casey@example.com", "primaryPhone": null,
        "name": "Casey", "avatar": null, "customData": { "plan": "pro" }, "identities": {}, "lastSignInAt": null,
        "createdAt": 1_760_000_000_000_u64, "updatedAt": 1_760_000_000_000_u64,
        "profile": { "givenName": "Casey" }, "applicationId": null, "isSuspended": false, "hasPassword": true,
        "ssoIdentities": [], "mfaVerificationFactors": [],
        "roles": [{ "id": "role00000001", "name": "customer", "description": "",
            "scopes": [{ "id": "scope0000001", "name": "read:orders", "description": "", "resourceId": "resource0001" }] }],
        "organizations": [{ "id": "org000000001", "name": "Acme", "description": null }],
        "organizationRoles": [{ "organizationId": "org000000001", "roleId": "orgrole00001", "roleName": "member" }],
    });
    let application = json!({
        "tenantId": "default", "id": "application1", "name": "Support desk", "description": null, "type": "MachineToMachine",
        "oidcClientMetadata": { "redirectUris": [], "postLogoutRedirectUris": [] },
        "customClientMetadata": { "allowTokenExchange": true }, "customData": {}, "isThirdParty": false,
        "createdAt": 1_760_000_000_000_u64,
    });
    let token = json!({
        "jti": "token0000001", "kind": "AccessToken", "scope": "read:orders", "clientId": "application1",
        "aud": "https://api.example.com", "accountId": "casey0000001", "gty": grant.grant_type,
        "extra": { "subjectTokenId": "subject00001" },
    });
    let context = Context {
        grant: Some(grant),
        user: Some(user.to_string().into()),
        application: Some(application.to_string().into()),
        ..Context::default()
    };
    ClaimsRequest { token: token.to_string().into(), context, environment: [].into(), http: None, cache: None }
}

fn calls(c: &mut Criterion) {
    let runtime = Runtime::new().unwrap();
    let component = wat::parse_str(include_str!("../../sdk/runtime/tests/guests/claims.wat")).unwrap();
    for (name, source) in [
        ("call/component", source(Language::Wasm, component)),
        ("call/javascript", source(Language::JavaScript, JAVASCRIPT)),
    ] {
        let plugin = runtime.block_on(host(None).load(&source)).unwrap();
        let (request, limits) = (request(), Limits::default());
        c.bench_function(name, |b| {
            b.to_async(&runtime).iter(async || plugin.get_custom_jwt_claims(&request, &limits).await.result.unwrap());
        });
    }
}

fn loads(c: &mut Criterion) {
    let runtime = Runtime::new().unwrap();
    let source = source(Language::JavaScript, JAVASCRIPT);
    let mut group = c.benchmark_group("load/javascript");
    group.sample_size(10).measurement_time(Duration::from_secs(20));
    let cold = host(None);
    runtime.block_on(cold.load(&source)).unwrap();
    group.bench_function("changed", |b| b.iter(|| runtime.block_on(cold.load(&source)).unwrap()));
    let folder = tempfile::tempdir().unwrap();
    let warm = host(Some(folder.path().to_owned()));
    runtime.block_on(warm.load(&source)).unwrap();
    group.bench_function("cached", |b| b.iter(|| runtime.block_on(warm.load(&source)).unwrap()));
    group.bench_function("first, cached, with its host", |b| {
        b.iter(|| runtime.block_on(host(Some(folder.path().to_owned())).load(&source)).unwrap());
    });
}

criterion_group!(benches, calls, loads);
criterion_main!(benches);
