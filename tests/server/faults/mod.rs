//! Uploaded plugins under faults of the server process, its disks, its cache and its database rows.

mod caches;
mod disks;
mod documents;
mod every_document;
mod kills;
mod rows;

use claimsmith_test_support::{Actor, Answer, Api};
use reqwest::header::CONTENT_TYPE;
use reqwest::{Method, RequestBuilder};
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// A component is compiled in an instant, even where nothing is in a cache.
const COMPONENT: &str = include_str!("../../../sdk/runtime/tests/guests/claims.wat");

/// The text of a component that claims this number of four digits.
fn text(number: u32) -> String {
    let changed = COMPONENT.replace("42.5", &number.to_string());
    assert_eq!(changed.len(), COMPONENT.len());
    changed
}

fn component(text: &str) -> Vec<u8> {
    wat::parse_str(text).unwrap()
}

fn upload_request(management: &Actor, name: &str, component: Vec<u8>) -> RequestBuilder {
    let request = management.request(Method::PUT, &format!("/api/plugins/{name}"));
    request.header(CONTENT_TYPE, "application/wasm").body(component)
}

async fn upload(api: &Api, name: &str, text: &str) -> Answer {
    Answer::of(upload_request(&api.management().await, name, component(text))).await
}

/// The claims of a token for the demo's customer.
async fn claims(api: &Api) -> Map<String, Value> {
    let token = api.exchange(&api.customer_token().await).access_token().await;
    let claims = api.verify(&token, &api.demo().resource).await.claims;
    claims.as_object().unwrap().clone()
}

/// The files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}
