//! TCP connections for protocols other than HTTP: to addresses that the SSRF guard admits, and with a limit on the
//! bytes that are read.

use super::error::EgressError;
use super::guard::RefusedAddress;
use super::{CONNECT_TIMEOUT, Egress};
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// A connection from which at most so many bytes are read; reading more is an error.
#[derive(Debug)]
pub struct BoundedStream {
    inner: TcpStream,
    left: usize,
}

impl Egress {
    /// Connects to a host, a name or an IP address, for at most `read_bytes` of responses. The caller limits the
    /// duration of the connection.
    pub async fn connect(&self, host: &str, port: u16, read_bytes: usize) -> Result<BoundedStream, EgressError> {
        let unreachable = |reason: String| EgressError::Unreachable { host: host.to_owned(), reason };
        let connect = async {
            let addresses = self.guard.resolve_host(host, port).await.map_err(|error| refusal(host, &error))?;
            let mut last = unreachable("the name has no address".to_owned());
            for address in addresses {
                match TcpStream::connect(address).await {
                    Ok(inner) => return Ok(BoundedStream { inner, left: read_bytes }),
                    Err(error) => last = unreachable(error.to_string()),
                }
            }
            Err(last)
        };
        timeout(CONNECT_TIMEOUT, connect).await.unwrap_or(Err(EgressError::TimedOut(CONNECT_TIMEOUT)))
    }
}

/// The reason that a name was not resolved.
fn refusal(host: &str, error: &io::Error) -> EgressError {
    match error.get_ref().and_then(|inner| inner.downcast_ref::<RefusedAddress>()) {
        Some(refused) => refused.clone().into(),
        None => EgressError::Unreachable { host: host.to_owned(), reason: error.to_string() },
    }
}

impl BoundedStream {
    /// The address of the peer.
    pub fn peer_addr(&self) -> io::Result<SocketAddr> {
        self.inner.peer_addr()
    }
}

impl AsyncRead for BoundedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.left == 0 && buffer.remaining() > 0 {
            // The end, or too much: reads one more byte to find out, which is discarded, since an error leaves the
            // buffer unchanged.
            let mut byte = [0];
            let mut more = ReadBuf::new(&mut byte);
            ready!(Pin::new(&mut self.inner).poll_read(context, &mut more))?;
            let is_end = more.filled().is_empty();
            return Poll::Ready(if is_end { Ok(()) } else { Err(io::Error::other("the other side sent too much")) });
        }
        let wanted = self.left.min(buffer.remaining());
        let mut part = ReadBuf::new(buffer.initialize_unfilled_to(wanted));
        ready!(Pin::new(&mut self.inner).poll_read(context, &mut part))?;
        let bytes = part.filled().len();
        buffer.advance(bytes);
        self.left -= bytes;
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for BoundedStream {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use claimsmith_config as config;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    fn egress(networks: &[&str]) -> Egress {
        let allowed_networks = networks.iter().map(|text| text.parse().unwrap()).collect();
        Egress::new(&config::EgressConfig { allowed_networks })
    }

    #[tokio::test]
    async fn a_private_host_is_reached_when_it_is_allowed_alone() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        for host in ["127.0.0.1", "localhost"] {
            let refused = egress(&[]).connect(host, port, 1).await;
            assert!(matches!(refused, Err(EgressError::Refused(_))), "{host}: {refused:?}");
        }
        assert!(egress(&["127.0.0.0/8"]).connect("127.0.0.1", port, 1).await.is_ok());
    }

    #[tokio::test]
    async fn no_more_is_read_than_was_wanted() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            while stream.write_all(&[b'x'; 1024]).await.is_ok() {}
        });
        let mut stream = egress(&["127.0.0.0/8"]).connect("127.0.0.1", port, 5000).await.unwrap();
        let mut read = Vec::new();
        assert!(stream.read_to_end(&mut read).await.is_err());
        assert_eq!(read.len(), 5000);
    }

    #[tokio::test]
    async fn as_much_as_was_wanted_is_not_too_much() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            stream.write_all(&[b'x'; 5000]).await.unwrap();
        });
        let mut stream = egress(&["127.0.0.0/8"]).connect("127.0.0.1", port, 5000).await.unwrap();
        let mut read = Vec::new();
        assert_eq!(stream.read_to_end(&mut read).await.unwrap(), 5000);
    }
}
