//! One hostile request: `requests/NAME.toml`. The body is composed of pieces, so that large ones are short to write.

use reqwest::Method;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// An attack.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Attack {
    /// The file's name.
    #[serde(skip)]
    pub(crate) name: String,
    /// Who sends it: `nobody`, `public` (a public client), `account` (a user, for their own account),
    /// `all`, or a narrow scope of the Management API.
    pub(crate) client: String,
    method: String,
    /// May hold `{user}` and the like: ids of what is there (see `world`).
    pub(crate) path: String,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    /// Headers composed of pieces, as the body is.
    #[serde(default)]
    long_headers: BTreeMap<String, Vec<Piece>>,
    #[serde(default)]
    body: Vec<Piece>,
    /// After so many bytes of the body the client goes away.
    pub(crate) cut: Option<usize>,
    /// The client reads no answer, and keeps its connections until all requests are sent.
    #[serde(default)]
    pub(crate) unread: bool,
    /// How often it is sent.
    #[serde(default = "once")]
    pub(crate) times: usize,
    /// Every answer has one of these. Whoever goes away gets none.
    pub(crate) status: Vec<u16>,
    /// Left to the long run.
    #[serde(default)]
    pub(crate) slow: bool,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Piece {
    text: String,
    #[serde(default = "once")]
    times: usize,
}

fn once() -> usize {
    1
}

impl Attack {
    /// All attacks of this folder, by name.
    pub(crate) fn all() -> Vec<Self> {
        files("requests", "toml").iter().map(|file| Self::read(file)).collect()
    }

    fn read(file: &Path) -> Self {
        let text = fs::read_to_string(file).unwrap();
        let attack = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        Self { name: file.file_stem().unwrap().to_str().unwrap().to_owned(), ..attack }
    }

    pub(crate) fn method(&self) -> Method {
        Method::from_bytes(self.method.as_bytes()).unwrap()
    }

    /// The headers, the long ones too.
    pub(crate) fn headers(&self) -> Vec<(String, String)> {
        let short = self.headers.iter().map(|(name, value)| (name.clone(), value.clone()));
        short.chain(self.long_headers.iter().map(|(name, pieces)| (name.clone(), compose(pieces)))).collect()
    }

    /// The bytes of the body.
    pub(crate) fn body(&self) -> String {
        compose(&self.body)
    }
}

fn compose(pieces: &[Piece]) -> String {
    pieces.iter().map(|piece| piece.text.repeat(piece.times)).collect()
}

/// The files of a folder of the corpus that end so, by name.
pub(crate) fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile").join(folder);
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<_> = entries.filter(|path| path.extension().is_some_and(|found| found == extension)).collect();
    found.sort();
    found
}

/// Whether the long run was asked for; says so where something is left out.
pub(crate) fn is_whole(left_out: usize) -> bool {
    let whole = std::env::var("HOSTILE_CORPUS").is_ok_and(|value| value == "all");
    if !whole && left_out > 0 {
        // Past what the test runner keeps to itself.
        let line = format!("LEFT OUT: {left_out} slow attacks (HOSTILE_CORPUS=all runs them)\n");
        std::io::Write::write_all(&mut std::io::stderr(), line.as_bytes()).unwrap();
    }
    whole
}
