//! A small registry over real HTTP, in memory, which can also misbehave.

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use data_encoding::{BASE64, HEXLOWER};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// How it answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Mood {
    #[default]
    Good,
    /// No manifest is ever answered.
    Slow,
    /// A manifest never ends.
    EndlessManifest,
    /// A blob never ends.
    EndlessBlob,
    /// A manifest is elsewhere.
    Redirecting,
    /// A manifest is not the one that was asked for.
    LyingAboutManifests,
    /// A blob is not the one that was asked for.
    LyingAboutBlobs,
    /// A manifest is an index.
    Index,
    /// `ada` with `secret` alone.
    NeedsLogin,
}

#[derive(Default)]
struct Contents {
    mood: Mutex<Mood>,
    blobs: Mutex<BTreeMap<String, Bytes>>,
    /// By tag and by digest.
    manifests: Mutex<BTreeMap<String, Bytes>>,
    upload: Mutex<Vec<u8>>,
}

/// It stops when it is dropped.
pub(crate) struct Registry {
    address: SocketAddr,
    contents: Arc<Contents>,
    task: JoinHandle<()>,
}

pub(crate) fn digest_of(bytes: &[u8]) -> String {
    format!("sha256:{}", HEXLOWER.encode(&Sha256::digest(bytes)))
}

impl Registry {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let contents = Arc::<Contents>::default();
        let router = Router::new().fallback(answer).with_state(Arc::clone(&contents));
        let task = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { address, contents, task }
    }

    /// The host of a reference.
    pub(crate) fn host(&self) -> String {
        self.address.to_string()
    }

    pub(crate) fn turn(&self, mood: Mood) {
        *self.contents.mood.lock().unwrap() = mood;
    }

    /// Adds a manifest with its blobs.
    pub(crate) fn put(&self, tag: &str, manifest: &str, blobs: &[&str]) {
        for blob in blobs {
            let bytes = Bytes::from((*blob).to_owned());
            self.contents.blobs.lock().unwrap().insert(digest_of(&bytes), bytes);
        }
        self.contents.add_manifest(tag, Bytes::from(manifest.to_owned()));
    }
}

impl Drop for Registry {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Contents {
    fn add_manifest(&self, tag: &str, bytes: Bytes) {
        let mut manifests = self.manifests.lock().unwrap();
        manifests.insert(digest_of(&bytes), bytes.clone());
        manifests.insert(tag.to_owned(), bytes);
    }
}

fn endless() -> Response {
    let chunks = futures_util::stream::repeat_with(|| Ok::<_, io::Error>(Bytes::from(vec![b' '; 1 << 16])));
    Body::from_stream(chunks).into_response()
}

async fn answer(State(contents): State<Arc<Contents>>, request: Request) -> Response {
    let mood = *contents.mood.lock().unwrap();
    let (parts, body) = request.into_parts();
    let path = parts.uri.path().to_owned();
    let login = format!("Basic {}", BASE64.encode(b"ada:secret"));
    let given = parts.headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    if mood == Mood::NeedsLogin && given != Some(login.as_str()) {
        return (StatusCode::UNAUTHORIZED, [(header::WWW_AUTHENTICATE, "Basic realm=\"stub\"")]).into_response();
    }
    if path == "/v2/" {
        return StatusCode::OK.into_response();
    }
    let body = to_bytes(body, 64 << 20).await.unwrap();
    let last = path.rsplit('/').next().unwrap_or_default().to_owned();
    if path.contains("/blobs/uploads/") {
        return uploaded(&contents, &parts, &path, &body);
    }
    if path.contains("/blobs/") {
        return blob(&contents, mood, &last);
    }
    if parts.method == Method::PUT {
        contents.add_manifest(&last, body);
        return (StatusCode::CREATED, [(header::LOCATION, path)]).into_response();
    }
    manifest(&contents, mood, &last).await
}

/// A session of an upload: begun, continued, ended.
fn uploaded(contents: &Contents, parts: &axum::http::request::Parts, path: &str, body: &[u8]) -> Response {
    let mut upload = contents.upload.lock().unwrap();
    if parts.method == Method::POST {
        upload.clear();
        return (StatusCode::ACCEPTED, [(header::LOCATION, format!("{path}session"))]).into_response();
    }
    upload.extend_from_slice(body);
    if parts.method == Method::PATCH {
        let range = format!("0-{}", upload.len() - 1);
        return (StatusCode::ACCEPTED, [(header::LOCATION, path.to_owned()), (header::RANGE, range)]).into_response();
    }
    let query = parts.uri.query().unwrap_or_default();
    let digest = form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "digest").unwrap().1.into_owned();
    assert_eq!(digest, digest_of(&upload), "what was uploaded");
    contents.blobs.lock().unwrap().insert(digest.clone(), Bytes::from(std::mem::take(&mut *upload)));
    (StatusCode::CREATED, [(header::LOCATION, path.replace("uploads/session", &digest))]).into_response()
}

fn blob(contents: &Contents, mood: Mood, digest: &str) -> Response {
    let Some(bytes) = contents.blobs.lock().unwrap().get(digest).cloned() else {
        return StatusCode::NOT_FOUND.into_response();
    };
    match mood {
        Mood::EndlessBlob => endless(),
        Mood::LyingAboutBlobs => vec![b'x'; bytes.len()].into_response(),
        _ => bytes.into_response(),
    }
}

async fn manifest(contents: &Contents, mood: Mood, place: &str) -> Response {
    let Some(bytes) = contents.manifests.lock().unwrap().get(place).cloned() else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let media_type = "application/vnd.oci.image.manifest.v1+json";
    match mood {
        Mood::Slow => std::future::pending().await,
        Mood::EndlessManifest => endless(),
        Mood::Redirecting => {
            (StatusCode::FOUND, [(header::LOCATION, "http://elsewhere.example/manifest")]).into_response()
        }
        Mood::LyingAboutManifests => {
            ([(header::CONTENT_TYPE, media_type)], r#"{"schemaVersion":2,"layers":[]}"#).into_response()
        }
        Mood::Index => {
            let index = "application/vnd.oci.image.index.v1+json";
            let body = format!(r#"{{"schemaVersion":2,"mediaType":"{index}","manifests":[]}}"#);
            ([(header::CONTENT_TYPE, index)], body).into_response()
        }
        _ => ([(header::CONTENT_TYPE, media_type)], bytes).into_response(),
    }
}
