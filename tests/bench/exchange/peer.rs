//! The peer in the benchmark: a Node.js token endpoint that keeps everything in memory, run from a copy of its folder.
//!
//! `server.mjs` takes `PORT`, `ALG`, `CLAIMS`, `MINT` and `TOKENS` from its environment, writes `MINT` subject tokens
//! to the file `TOKENS`, and answers `POST /token`.

use crate::Server;
use crate::load::{self, Requests};
use crate::process::Running;
use anyhow::{Context, Result, ensure};
use data_encoding::BASE64;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::net::TcpStream;

/// Subject tokens for all measurements together.
const TOKENS: usize = 200_000;
/// Time that it gets to mint and start.
const START: Duration = Duration::from_secs(60);
/// Its only client.
const CREDENTIALS: &str = "m2m:secret-secret-secret-secret-secret";
const FORM: &str = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Atoken-exchange\
    &subject_token_type=urn%3Aietf%3Aparams%3Aoauth%3Atoken-type%3Aaccess_token\
    &resource=https%3A%2F%2Fapi.example.com&scope=read&subject_token=";

/// A running peer.
pub(crate) struct Peer {
    process: Running,
    address: SocketAddr,
    subject_tokens: Vec<String>,
    _folder: TempDir,
}

impl Peer {
    /// Starts one whose claims come from a script on a worker thread, and waits until it listens.
    pub(crate) async fn start(source: &Path, algorithm: &str, core: usize) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        for entry in std::fs::read_dir(source)? {
            let entry = entry?;
            if entry.file_type()?.is_file() {
                std::fs::copy(entry.path(), folder.path().join(entry.file_name()))?;
            }
        }
        let mut install = Command::new("npm");
        install.args(["install", "--no-audit", "--no-fund", "--silent"]).current_dir(folder.path());
        ensure!(install.status().context("npm cannot be run")?.success(), "npm install failed");
        let address = free_address()?;
        let file = folder.path().join("tokens");
        let mut command = Command::new("node");
        command.arg("server.mjs").current_dir(folder.path()).env("NODE_ENV", "production");
        command.env("PORT", address.port().to_string()).env("ALG", algorithm).env("CLAIMS", "worker");
        command.env("MINT", TOKENS.to_string()).env("TOKENS", &file);
        let mut process = Running::start(core, &command)?;
        let end = Instant::now() + START;
        while TcpStream::connect(address).await.is_err() {
            process.check()?;
            ensure!(Instant::now() < end, "the peer does not start");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let subject_tokens = std::fs::read_to_string(&file)?.lines().map(str::to_owned).collect();
        Ok(Self { process, address, subject_tokens, _folder: folder })
    }
}

impl Server for Peer {
    fn name(&self) -> &'static str {
        "peer"
    }

    fn process_id(&self) -> u32 {
        self.process.id()
    }

    async fn mint(&mut self, count: usize) -> Result<Requests> {
        self.process.check()?;
        let left = self.subject_tokens.len();
        ensure!(left > 0, "the peer's tokens are used up: measure shorter or less often");
        Ok(Requests {
            address: self.address,
            path: "/token",
            authorization: format!("Basic {}", BASE64.encode(CREDENTIALS.as_bytes())),
            content_type: load::FORM,
            form: FORM.to_owned(),
            subject_tokens: self.subject_tokens.split_off(left - count.min(left)),
            success: "200",
            keeps_answers: false,
        })
    }
}

fn free_address() -> Result<SocketAddr> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?)
}
