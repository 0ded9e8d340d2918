//! STARTTLS (RFC 3207). The plaintext part is read byte by byte: anything that an attacker on the path appends to the
//! relay's reply reaches the TLS handshake, which fails, and is never taken for a later reply of the relay.

use super::SendFailure;
use super::relay::Relay;
use crate::egress::{BoundedStream, encrypt};
use lettre::transport::smtp::client::AsyncTokioStream;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// The maximum bytes of a line, and the maximum lines of a reply.
const MAX_LINE_BYTES: usize = 1000;
const MAX_LINES: usize = 100;

/// A relay's answer.
struct Reply {
    code: [u8; 3],
    lines: Vec<String>,
}

/// The expected certificate of the relay.
pub(super) struct Certificate<'c> {
    pub(super) name: &'c str,
    pub(super) authorities: Option<&'c str>,
}

/// Encrypts the connection. If the relay does not offer it: fails if it `is_required`, and otherwise continues in
/// plaintext.
pub(super) async fn upgrade(
    mut stream: BoundedStream,
    hello: &str,
    certificate: Certificate<'_>,
    is_required: bool,
) -> Result<Box<dyn AsyncTokioStream>, SendFailure> {
    read(&mut stream).await?.check_code(*b"220")?;
    let offered = ask(&mut stream, &format!("EHLO {hello}\r\n")).await?;
    offered.check_code(*b"250")?;
    if !offered.lines.iter().skip(1).any(|line| line.trim().eq_ignore_ascii_case("STARTTLS")) {
        if is_required {
            return Err(SendFailure::later("the relay does not offer STARTTLS"));
        }
        return Ok(Box::new(Relay::plain(stream, true).map_err(broken)?));
    }
    ask(&mut stream, "STARTTLS\r\n").await?.check_code(*b"220")?;
    let encrypted = encrypt(stream, certificate.name, certificate.authorities).await?;
    Ok(Box::new(Relay::encrypted(encrypted, true).map_err(broken)?))
}

async fn ask(stream: &mut BoundedStream, command: &str) -> Result<Reply, SendFailure> {
    stream.write_all(command.as_bytes()).await.map_err(broken)?;
    read(stream).await
}

/// Reads an answer: lines `250-…`, and a last one `250 …`.
async fn read(stream: &mut BoundedStream) -> Result<Reply, SendFailure> {
    let mut lines = Vec::new();
    while lines.len() < MAX_LINES {
        let line = read_line(stream).await?;
        let Some((code, rest)) = line.split_first_chunk::<3>().filter(|(code, _)| code.iter().all(u8::is_ascii_digit))
        else {
            break;
        };
        let (code, is_last) = (*code, rest.first() != Some(&b'-'));
        lines.push(String::from_utf8_lossy(rest.get(1..).unwrap_or_default()).into_owned());
        if is_last {
            return Ok(Reply { code, lines });
        }
    }
    Err(unreadable())
}

async fn read_line(stream: &mut BoundedStream) -> Result<Vec<u8>, SendFailure> {
    let mut line = Vec::new();
    while line.len() < MAX_LINE_BYTES {
        match stream.read_u8().await.map_err(broken)? {
            b'\n' => {
                line.pop_if(|last| *last == b'\r');
                return Ok(line);
            }
            byte => line.push(byte),
        }
    }
    Err(unreadable())
}

impl Reply {
    /// Checks that the relay answered with this code.
    fn check_code(&self, code: [u8; 3]) -> Result<(), SendFailure> {
        if self.code == code {
            return Ok(());
        }
        Err(SendFailure::later(format!("the relay answered {}", String::from_utf8_lossy(&self.code))))
    }
}

fn unreadable() -> SendFailure {
    SendFailure::later("the relay's answer cannot be read")
}

/// The connection failed.
#[expect(clippy::needless_pass_by_value, reason = "it is for map_err")]
pub(super) fn broken(error: std::io::Error) -> SendFailure {
    SendFailure::later(format!("the connection to the relay failed: {error}"))
}
