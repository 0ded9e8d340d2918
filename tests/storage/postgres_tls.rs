//! Certificates of a PostgreSQL: those that its manual makes ("Creating Certificates") are accepted as `libpq` accepts
//! them, and others are refused.

use crate::Store;
use claimsmith_storage::Db;
use claimsmith_test_support::on_postgres;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::aws_lc_rs::{default_provider, sign::any_supported_type};
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;
use url::Url;

/// A folder of certificates.
struct Folder(TempDir);

impl Folder {
    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn openssl(&self, arguments: &str) {
        let run = Command::new("openssl").args(arguments.split(' ')).current_dir(self.0.path()).output().unwrap();
        assert!(run.status.success(), "{arguments}: {}", String::from_utf8_lossy(&run.stderr));
    }

    /// The manual's certificate that signs itself.
    fn self_signed(&self, name: &str, host: &str) {
        self.openssl(&format!(
            "req -new -x509 -days 365 -nodes -text -out {name}.crt -keyout {name}.key -subj /CN={host}"
        ));
    }

    /// The manual's root certificate.
    fn root(&self, name: &str, subject: &str) {
        self.openssl(&format!("req -new -nodes -text -out {name}.csr -keyout {name}.key -subj /CN={subject}"));
        std::fs::write(self.path("v3_ca"), "basicConstraints = critical,CA:true\n").unwrap();
        self.openssl(&format!(
            "x509 -req -in {name}.csr -text -days 3650 -extfile v3_ca -signkey {name}.key -out {name}.crt"
        ));
    }

    /// The manual's certificate that a root signs; of version 1, if the program makes one without being told otherwise.
    fn signed(&self, name: &str, host: &str, root: &str) {
        self.openssl(&format!("req -new -nodes -text -out {name}.csr -keyout {name}.key -subj /CN={host}"));
        self.openssl(&format!(
            "x509 -req -in {name}.csr -text -days 365 -CA {root}.crt -CAkey {root}.key -CAcreateserial -out {name}.crt"
        ));
    }

    /// A client's certificate that a root signs.
    fn of_client(&self, name: &str, host: &str, root: &str) {
        self.openssl(&format!("req -new -nodes -text -out {name}.csr -keyout {name}.key -subj /CN={host}"));
        std::fs::write(self.path("client"), "extendedKeyUsage = clientAuth\n").unwrap();
        self.openssl(&format!(
            "x509 -req -in {name}.csr -days 365 -extfile client -CA {root}.crt -CAkey {root}.key -CAcreateserial \
             -out {name}.crt"
        ));
    }
}

/// One certificate, whatever it is.
#[derive(Debug)]
struct Shows(Arc<CertifiedKey>);

impl ResolvesServerCert for Shows {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.0))
    }
}

/// A PostgreSQL with this certificate in front of another one: its port.
async fn with_certificate(target: String, certificate: &Path) -> u16 {
    let chain = CertificateDer::pem_file_iter(certificate).unwrap().map(Result::unwrap).collect();
    let key = PrivateKeyDer::from_pem_file(certificate.with_extension("key")).unwrap();
    let shown = Shows(Arc::new(CertifiedKey::new(chain, any_supported_type(&key).unwrap())));
    let config = ServerConfig::builder_with_provider(Arc::new(default_provider()));
    let config = config.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
    let acceptor = TlsAcceptor::from(Arc::new(config.with_cert_resolver(Arc::new(shown))));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            let (acceptor, target) = (acceptor.clone(), target.clone());
            tokio::spawn(async move {
                let mut request = [0; 8];
                client.read_exact(&mut request).await.unwrap();
                client.write_all(b"S").await.unwrap();
                let Ok(mut client) = acceptor.accept(client).await else { return };
                let mut server = TcpStream::connect(target).await.unwrap();
                let _ = tokio::io::copy_bidirectional(&mut client, &mut server).await;
            });
        }
    });
    port
}

/// Connects with these options of TLS.
async fn connects(url: &Url, port: u16, options: &[(&str, &str)]) -> Result<(), String> {
    let mut url = url.clone();
    url.set_host(Some("localhost")).unwrap();
    url.set_port(Some(port)).unwrap();
    url.query_pairs_mut().clear().extend_pairs(options);
    let db = Db::connect(url.as_str(), 2).await.map_err(|error| format!("{error:?}"))?;
    let mut tx = db.read().await.map_err(|error| format!("{error:?}"))?;
    tx.sql("SELECT 1").execute().await.map_err(|error| format!("{error:?}"))?;
    drop(tx);
    db.close().await;
    Ok(())
}

on_postgres!(certificates_of_the_manual_are_accepted, async |store: Store| {
    let url = Url::parse(&store.home.environment(&[])["CLAIMSMITH_DATABASE_URL"]).unwrap();
    let target = format!("{}:{}", url.host_str().unwrap(), url.port().unwrap_or(5432));
    let folder = Folder(TempDir::new().unwrap());
    folder.self_signed("own", "localhost");
    folder.self_signed("other", "db.example.com");
    folder.root("root", "root.example.com");
    folder.signed("server", "localhost", "root");
    folder.signed("elsewhere", "db.example.com", "root");
    // The same names, but another key: what signs it is not what is trusted.
    folder.root("false", "root.example.com");
    folder.signed("forged", "localhost", "false");
    // A certificate that is trusted and is no CA signs nothing.
    folder.signed("leaf", "leaf.example.com", "root");
    folder.signed("below", "localhost", "leaf");
    // Whoever has a client's certificate of the root is not the database.
    folder.of_client("client", "localhost", "root");
    for (certificate, root, by_ca, by_name) in [
        ("own", "own", true, true),
        ("other", "other", true, false),
        ("server", "root", true, true),
        ("elsewhere", "root", true, false),
        ("server", "server", true, true),
        ("forged", "root", false, false),
        ("below", "leaf", false, false),
        ("client", "root", false, false),
        ("own", "root", false, false),
        ("own", "other", false, false),
        ("server", "own", false, false),
    ] {
        let port = with_certificate(target.clone(), &folder.path(&format!("{certificate}.crt"))).await;
        let root = folder.path(&format!("{root}.crt"));
        let root = ("sslrootcert", root.to_str().unwrap());
        for (mode, accepted) in [("prefer", true), ("require", true), ("verify-ca", by_ca), ("verify-full", by_name)] {
            let found = connects(&url, port, &[("sslmode", mode), root]).await;
            assert_eq!(found.is_ok(), accepted, "{certificate} by {root:?}, {mode}: {found:?}");
            if !accepted {
                assert!(found.unwrap_err().contains("InvalidCertificate"), "{certificate} {mode}");
            }
        }
        // Without a root, nobody is trusted.
        connects(&url, port, &[("sslmode", "verify-ca")]).await.unwrap_err();
    }
});
