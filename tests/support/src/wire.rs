//! A raw connection on which a test sends bytes.

use crate::{Answer, Api};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;
use std::io;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};

/// A TCP connection to a server.
pub struct Wire {
    read: OwnedReadHalf,
    write: OwnedWriteHalf,
}

impl Wire {
    /// Connects.
    pub async fn open(api: &Api) -> io::Result<Self> {
        let address = api.origin.strip_prefix("http://").unwrap_or(&api.origin);
        let (read, write) = TcpStream::connect(address).await?.into_split();
        Ok(Self { read, write })
    }

    /// Writes.
    pub async fn say(&mut self, text: impl AsRef<[u8]>) -> io::Result<()> {
        self.write.write_all(text.as_ref()).await
    }

    /// Reads one answer: its head, and as much of a body as its `Content-Length` says.
    pub async fn answer(&mut self) -> io::Result<Answer> {
        read_answer(&mut self.read).await
    }

    /// The same, while a text is written again and again, as often as this says.
    pub async fn answer_while_saying(&mut self, text: &str, interval: Duration) -> io::Result<Answer> {
        let answer = read_answer(&mut self.read);
        let say = async {
            // Whoever was answered may find the connection closed.
            while self.write.write_all(text.as_bytes()).await.is_ok() {
                tokio::time::sleep(interval).await;
            }
            std::future::pending().await
        };
        tokio::select! {
            answer = answer => answer,
            never = say => never,
        }
    }

    /// Reads until the server closes the connection, in whichever way it does.
    pub async fn rest(mut self) -> Vec<u8> {
        let (mut read, mut chunk) = (Vec::new(), [0; 4096]);
        while let Ok(length @ 1..) = self.read.read(&mut chunk).await {
            read.extend_from_slice(&chunk[..length]);
        }
        read
    }
}

async fn read_answer(read: &mut OwnedReadHalf) -> io::Result<Answer> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(read.read_u8().await?);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let mut lines = head.trim_end().split("\r\n");
    let status = lines.next().and_then(|line| line.split(' ').nth(1)).and_then(|status| status.parse().ok());
    let pair = |line: &str| {
        let (name, value) = line.split_once(": ")?;
        Some((HeaderName::try_from(name).ok()?, HeaderValue::try_from(value).ok()?))
    };
    let headers: HeaderMap = lines.filter_map(pair).collect();
    let length = headers.get("content-length").and_then(|value| value.to_str().ok()?.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    read.read_exact(&mut body).await?;
    let text = String::from_utf8_lossy(&body).into_owned();
    let body = serde_json::from_str(&text).unwrap_or(if text.is_empty() { Value::Null } else { text.into() });
    Ok(Answer { status: status.unwrap_or(0), headers, body })
}
