//! Serves the screens against a running server, for development: this crate compiles within seconds, the server does
//! not. Every visitor acts as an administrator with all permissions, so it listens on localhost only. With `reader`
//! after the port, only reads are offered.
//!
//! `cargo run -p claimsmith-console --example development -- data/bootstrap.json 3005 reader`

use axum::body::Body;
use axum::extract::Request;
use axum::http::{Method, Response, StatusCode};
use axum::middleware::{Next, from_fn};
use claimsmith_console::{Access, Api, Called, Console, Operator, OperatorRole, router};
use data_encoding::BASE64URL_NOPAD;
use serde_json::Value;
use std::error::Error;
use std::fs::{self, File};
use std::io::Read as _;
use std::sync::Arc;

type Failed = Box<dyn Error + Send + Sync>;

/// The Management API of a running server, with its machine-to-machine credentials.
#[derive(Clone)]
struct Remote {
    server: String,
    client: reqwest::Client,
    id: String,
    secret: String,
    is_for_reader: bool,
}

impl Remote {
    /// Forwards a request, with an access token.
    async fn forward(&self, request: Request) -> Result<Response<Body>, Failed> {
        let Self { server, client, id, secret, .. } = self;
        let form = [("grant_type", "client_credentials"), ("resource", &format!("{server}/api")), ("scope", "all")];
        let token = client.post(format!("{server}/oidc/token")).basic_auth(id, Some(secret)).form(&form);
        let token: Value = token.send().await?.json().await?;
        let (parts, body) = request.into_parts();
        let body = axum::body::to_bytes(body, usize::MAX).await?;
        let mut sent = client.request(parts.method, format!("{server}{}", parts.uri)).headers(parts.headers).body(body);
        if !parts.uri.path().starts_with("/oidc/") {
            sent = sent.bearer_auth(text(&token["access_token"])?);
        }
        let answer = sent.send().await?;
        let (status, headers) = (answer.status(), answer.headers().clone());
        let mut response = Response::new(Body::from(answer.bytes().await?));
        *response.status_mut() = status;
        response.headers_mut().extend(headers);
        Ok(response)
    }
}

fn text(value: &Value) -> Result<String, Failed> {
    value.as_str().map(str::to_owned).ok_or_else(|| format!("a text was expected: {value}").into())
}

impl Api for Remote {
    fn call(&self, _: &Operator, request: Request) -> Called {
        let remote = self.clone();
        Box::pin(async move {
            remote.forward(request).await.unwrap_or_else(|error| {
                let mut response = Response::new(Body::from(error.to_string()));
                *response.status_mut() = StatusCode::BAD_GATEWAY;
                response
            })
        })
    }

    fn access(&self, _: &Operator, method: &Method, _: &str) -> Access {
        if self.is_for_reader && *method != Method::GET { Access::Denied } else { Access::Allowed }
    }

    fn secret(&self) -> Option<String> {
        let mut bytes = [0; 32];
        File::open("/dev/urandom").and_then(|mut file| file.read_exact(&mut bytes)).ok()?;
        Some(BASE64URL_NOPAD.encode(&bytes))
    }
}

#[tokio::main]
async fn main() -> Result<(), Failed> {
    let report = std::env::args().nth(1).unwrap_or_else(|| "data/bootstrap.json".to_owned());
    let port = std::env::args().nth(2).unwrap_or_else(|| "3005".to_owned());
    let report: Value = serde_json::from_slice(&fs::read(report)?)?;
    let api = &report["managementApi"];
    let remote = Remote {
        server: text(&report["baseUrl"])?,
        client: reqwest::Client::new(),
        id: text(&api["clientId"])?,
        secret: text(&api["clientSecret"])?,
        is_for_reader: std::env::args().nth(3).is_some_and(|role| role == "reader"),
    };
    let console = Console {
        base_url: remote.server.as_str().into(),
        management_resource: text(&api["resource"])?.into(),
        api: Arc::new(remote),
        log_keys: &[],
    };
    let operator = Operator {
        user_id: "developer".into(),
        name: "Developer".into(),
        roles: Arc::new([OperatorRole::Administrator]),
        csrf: "development".into(),
        earlier_csrf: Arc::default(),
        session: Arc::new(()),
    };
    let router = router(console).layer(from_fn(move |mut request: Request, next: Next| {
        request.extensions_mut().insert(operator.clone());
        next.run(request)
    }));
    let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{port}")).await?;
    println!("http://{}/console", listener.local_addr()?);
    Ok(axum::serve(listener, router).await?)
}
