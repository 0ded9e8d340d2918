//! The log: every request has its id in it, and no secret is in it.

use crate::{BINARY, mint};
use claimsmith_test_support::{Answer, Home, Process, both};
use serde_json::{Value, json};
use std::sync::Arc;

/// The lines of the log with this request id; each one is a JSON object.
fn lines_of(server: &Process, id: &str) -> Vec<Value> {
    let lines: Vec<Value> = server.stderr.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    lines.into_iter().filter(|line| line.to_string().contains(&format!("\"request_id\":\"{id}\""))).collect()
}

both!(lines_carry_the_id_of_their_request, async |home: Arc<Home>| {
    let changes = [("CLAIMSMITH_LOG_FORMAT", "json"), ("CLAIMSMITH_LOG_FILTER", "info")];
    let mut server = Process::start(BINARY, &home, &changes).await.unwrap();
    let request = server.exchange("sub_000000000000000000000").request().header("x-request-id", "find-me");
    Answer::of(request).await.expect(400);
    let made = server.form("/oidc/token").send().await.expect(401).header("x-request-id").unwrap().to_owned();
    assert!(server.terminate().await.success());
    for (id, error) in [("find-me", "invalid_request"), (made.as_str(), "invalid_client")] {
        let lines = lines_of(&server, id);
        assert!(lines.iter().any(|line| line["error"] == error), "{id}: {lines:?}\n{}", server.stderr.text());
    }
});

both!(no_secret_reaches_the_log, async |home: Arc<Home>| {
    // Everything that the server and the libraries under it would ever say.
    let changes = [("CLAIMSMITH_LOG_FILTER", "trace,wasmtime=info,cranelift=info,regalloc2=info")];
    let mut server = Process::start(BINARY, &home, &changes).await.unwrap();
    let (machine, demo) = (server.machine().clone(), server.demo().clone());
    let mut secrets = vec![machine.client_secret.clone(), demo.web_client_secret.clone()];

    let actor = mint(&home, &demo.engineer_user_id, &demo.web_client_id).await;
    let management = server.management_token().await;
    let subject_token = server.customer_token().await;
    let exchanged = server.exchange(&subject_token).actor(&actor).as_web().access_token().await;
    // Also where something is wrong with them.
    server.exchange(&subject_token).actor(&actor).as_web().send().await.expect(400);
    server.form("/oidc/token").basic(&machine.client_id, "wrong-but-private").send().await.expect(401);
    let by_body = server.client_credentials().without("resource").with("client_secret", &machine.client_secret);
    by_body.send().await.expect(400);
    server.introspect_as_web(&exchanged).await;
    server.bearer(&exchanged).get("/api/plugins").await.expect(403);
    let body = json!({ "userId": "nobody", "password": "correct horse battery" });
    server.bearer(&management).post("/api/subject-tokens", body).await.expect(404);
    let created = json!({ "name": "with a secret", "type": "MachineToMachine" });
    let created = server.bearer(&management).post("/api/applications", created).await.expect(200);
    let path = format!("/api/applications/{}/secrets", created.text("id"));
    let secret = server.bearer(&management).post(&path, json!({ "name": "second" })).await.expect(201).text("value");
    server.form("/oidc/token/revocation").with("token", &exchanged).as_web().send().await.expect(200);
    assert!(server.terminate().await.success());

    secrets.extend([actor, management, subject_token, exchanged, secret]);
    secrets.extend(demo.customer_password.into_iter().chain(demo.engineer_password));
    secrets.extend(["wrong-but-private".to_owned(), "correct horse battery".to_owned()]);
    secrets.extend(home.environment(&[]).remove("CLAIMSMITH_ENCRYPTION_KEY"));
    secrets.extend(std::fs::read_to_string(home.data_dir().join("encryption.key")));
    let log = server.stderr.text();
    assert!(log.contains("TRACE") && log.contains("token request refused"));
    for secret in secrets {
        for line in log.lines() {
            assert!(!line.contains(&secret), "{secret} is in {line}");
        }
    }
});
