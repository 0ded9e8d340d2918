//! The cost of a plugin call and of loading a plugin: `cargo bench -p claimsmith-runtime --bench plugin`.

#![expect(clippy::unwrap_used, reason = "a benchmark may panic")]

use claimsmith_runtime::{ClaimsRequest, Context, Grant, Host, HostOptions, Language, Limits, Source};
use criterion::{Criterion, criterion_group, criterion_main};
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

fn request() -> ClaimsRequest {
    let grant = Grant {
        grant_type: "urn:ietf:params:oauth:grant-type:token-exchange".into(),
        subject_token_context: Some(r#"{"ticketId":"T-1","reason":"help"}"#.into()),
    };
    let context = Context { grant: Some(grant), user: Some(r#"{"id":"u1"}"#.into()), ..Context::default() };
    ClaimsRequest { token: r#"{"sub":"u1"}"#.into(), context, environment: [].into(), http: None }
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
