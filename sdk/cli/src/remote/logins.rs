//! Where sign-ins are kept: a file for each server, which only its owner can read, in the folder of the user's
//! configuration. It holds the refresh token alone.

use crate::secret::SecretString;
use anyhow::Context as _;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

/// What may stand in the name of a file as it is.
const NAME: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_');

/// Somebody who is signed in at a server.
#[derive(Clone)]
pub(super) struct Login {
    /// Without a slash at the end.
    pub(super) server: String,
    /// The indicator of the console's resource.
    pub(super) resource: String,
    pub(super) refresh_token: SecretString,
}

/// The folder.
pub(super) struct Store(PathBuf);

impl Store {
    /// That of this user: `claimsmith/logins` in `$XDG_CONFIG_HOME`, or in `~/.config`.
    pub(super) fn open() -> anyhow::Result<Self> {
        let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let configuration = folder("XDG_CONFIG_HOME").or_else(|| Some(folder("HOME")?.join(".config")));
        let configuration =
            configuration.context("the environment names no home folder (HOME) to keep a sign-in in")?;
        Ok(Self(configuration.join("claimsmith/logins")))
    }

    /// The sign-in at a server.
    pub(super) fn find(&self, server: &str) -> anyhow::Result<Option<Login>> {
        read(&self.file(server))
    }

    /// The sign-in, if there is one and no other.
    pub(super) fn only(&self) -> anyhow::Result<Option<Login>> {
        let Ok(files) = fs::read_dir(&self.0) else { return Ok(None) };
        let mut found = None;
        for file in files {
            let path = file?.path();
            if path.extension().is_some_and(|extension| extension == "json") {
                if found.is_some() {
                    return Ok(None);
                }
                found = read(&path)?;
            }
        }
        Ok(found)
    }

    /// Keeps a sign-in, in place of an older one.
    pub(super) fn save(&self, login: &Login) -> anyhow::Result<()> {
        let path = self.file(&login.server);
        let draft = path.with_extension(format!("{}.draft", std::process::id()));
        let text = json!({
            "server": login.server, "resource": login.resource, "refreshToken": login.refresh_token.expose(),
        });
        let write = || {
            create_folder(&self.0)?;
            // A draft of a killed process would keep its mode, so it is made anew.
            let _ = fs::remove_file(&draft);
            let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&draft)?;
            writeln!(file, "{text}")?;
            file.sync_all()?;
            fs::rename(&draft, &path)
        };
        write().with_context(|| format!("the sign-in cannot be kept in {}", path.display()))
    }

    /// Forgets a sign-in.
    pub(super) fn delete(&self, server: &str) -> anyhow::Result<()> {
        let path = self.file(server);
        let _ = fs::remove_file(path.with_extension("lock"));
        fs::remove_file(&path).with_context(|| format!("{} cannot be deleted", path.display()))
    }

    /// Waits until no other command uses the sign-in; it is held as long as the file is.
    pub(super) fn lock(&self, server: &str) -> anyhow::Result<File> {
        let path = self.file(server).with_extension("lock");
        let lock = || {
            create_folder(&self.0)?;
            let file = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(&path)?;
            file.lock()?;
            Ok::<_, std::io::Error>(file)
        };
        lock().with_context(|| format!("{} cannot be locked", path.display()))
    }

    fn file(&self, server: &str) -> PathBuf {
        let name = utf8_percent_encode(server, NAME);
        self.0.join(format!("{name}.json"))
    }
}

fn create_folder(path: &Path) -> std::io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(path)
}

fn read(path: &Path) -> anyhow::Result<Option<Login>> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(|| format!("{} cannot be read", path.display())),
    };
    let value: Value = serde_json::from_str(&text).unwrap_or_default();
    let member = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
    let login = (|| {
        let refresh_token = SecretString::new(member("refreshToken")?);
        Some(Login { server: member("server")?, resource: member("resource")?, refresh_token })
    })();
    let login = login.with_context(|| format!("{} is no sign-in: delete it, and sign in again", path.display()))?;
    Ok(Some(login))
}
