//! A connection to a relay whose greeting was read already: it is replayed to the next reader.

use crate::egress::{BoundedStream, TlsStream};
use lettre::transport::smtp::client::AsyncTokioStream;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// The greeting that is replayed.
const GREETING: &[u8] = b"220 ready\r\n";

/// The connection.
#[derive(Debug)]
pub(super) struct Relay<S> {
    greeting: &'static [u8],
    stream: S,
    peer: SocketAddr,
}

impl Relay<TlsStream> {
    /// One that is encrypted. `is_greeted`: whether the relay has said its greeting.
    pub(super) fn encrypted(stream: TlsStream, is_greeted: bool) -> io::Result<Self> {
        let peer = stream.get_ref().0.peer_addr()?;
        Ok(Self { greeting: greeting(is_greeted), stream, peer })
    }
}

impl Relay<BoundedStream> {
    /// One that is not.
    pub(super) fn plain(stream: BoundedStream, is_greeted: bool) -> io::Result<Self> {
        let peer = stream.peer_addr()?;
        Ok(Self { greeting: greeting(is_greeted), stream, peer })
    }
}

fn greeting(is_greeted: bool) -> &'static [u8] {
    if is_greeted { GREETING } else { &[] }
}

impl<S: AsyncRead + Unpin> AsyncRead for Relay<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.greeting.is_empty() {
            return Pin::new(&mut self.stream).poll_read(context, buffer);
        }
        let (now, later) = self.greeting.split_at(self.greeting.len().min(buffer.remaining()));
        buffer.put_slice(now);
        self.greeting = later;
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Relay<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

impl<S: AsyncRead + AsyncWrite + Send + Sync + Unpin + std::fmt::Debug> AsyncTokioStream for Relay<S> {
    fn peer_addr(&self) -> io::Result<SocketAddr> {
        Ok(self.peer)
    }
}
