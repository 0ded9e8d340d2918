//! `claimsmith plugin recordings pull`: downloads a recording page by page into `NAME-ID.ndjson`. The file is there
//! once it is complete; a download that broke off goes on where it was.

use super::super::lines::{self, PRIVATE, check_id};
use super::super::{Remote, Usage};
use crate::terminal::{print_error, print_line};
use anyhow::{Context as _, bail, ensure};
use claimsmith_harness::{MAX_RECORDING_BYTES, MAX_SAMPLE_BYTES};
use claimsmith_runtime::check_plugin_name;
use reqwest::Method;
use serde_json::{Value, json};
use std::fs::{self, File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(crate) struct PullArgs {
    /// The plugin's name.
    name: String,
    /// The recording's id [default: the newest one]
    id: Option<String>,
    /// The folder to write to
    #[arg(long, value_name = "DIR", default_value = ".")]
    to: PathBuf,
}

/// Downloads one recording.
pub(super) async fn run(remote: &Remote, args: &PullArgs) -> anyhow::Result<()> {
    let name = args.name.as_str();
    check_plugin_name(name).map_err(|error| Usage::new(error.to_string()))?;
    let id = match &args.id {
        Some(id) => id.clone(),
        None => newest(remote, name).await?,
    };
    check_id(&id, "recording")?;
    fs::create_dir_all(&args.to).with_context(|| format!("{} cannot be made", args.to.display()))?;
    let path = args.to.join(format!("{name}-{id}.ndjson"));
    let mut download = Download::open(&args.to.join(format!(".{name}-{id}.ndjson.part")))?;
    if download.samples > 0 && !remote.json {
        print_error(&format!("{} samples are there from a download that broke off", download.samples));
    }
    if let Err(error) = rest(remote, (name, &id), &mut download).await {
        if download.samples == 0 {
            // There is nothing to go on with.
            let _ = fs::remove_file(&download.path);
        }
        return Err(error);
    }
    let samples = download.samples;
    download.finish(&path)?;
    print_line(&if remote.json {
        json!({ "file": path.display().to_string(), "id": id, "samples": samples }).to_string()
    } else {
        format!("{}: {samples} samples", path.display())
    });
    Ok(())
}

/// The recording that was started last.
async fn newest(remote: &Remote, name: &str) -> anyhow::Result<String> {
    let recordings = remote.get(&[name, "recordings"]).await?.json()?;
    let started = |recording: &&Value| recording.get("createdAt").and_then(Value::as_i64);
    let newest = crate::view::items(&recordings).iter().max_by_key(started);
    let id = newest.and_then(|recording| recording.get("id")).and_then(Value::as_str);
    id.map(str::to_owned).with_context(|| format!("{name} has no recordings: claimsmith plugin record {name}"))
}

/// Downloads what is missing.
async fn rest(remote: &Remote, (name, id): (&str, &str), download: &mut Download) -> anyhow::Result<()> {
    loop {
        let (page, is_last) = page(remote, name, id, download.last).await?;
        if !download.append(&page)? || is_last {
            return Ok(());
        }
    }
}

/// The samples after a number, as many as the server gives at once, and whether these are the last ones.
async fn page(remote: &Remote, name: &str, id: &str, after: u64) -> anyhow::Result<(Vec<u8>, bool)> {
    let mut request = remote.request(Method::GET, &[name, "recordings", id, "samples"])?;
    if after > 0 {
        request = request.query(&[("after", after)]);
    }
    let broke = "the connection broke before the answer was complete: the same command goes on where it was";
    lines::page(remote, request, MAX_RECORDING_BYTES, broke).await
}

/// A file that is not complete yet.
struct Download {
    file: File,
    path: PathBuf,
    bytes: usize,
    samples: usize,
    /// The number of the last sample; 0 for none.
    last: u64,
}

impl Download {
    /// Goes on with a file, or begins one.
    fn open(path: &Path) -> anyhow::Result<Self> {
        // Somebody else may have put one there, in a folder that others write to.
        let is_link = fs::symlink_metadata(path).is_ok_and(|meta| meta.is_symlink());
        ensure!(!is_link, "{} is a link: remove it, or choose another folder", path.display());
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false).mode(PRIVATE);
        let written = || format!("{} cannot be written", path.display());
        let mut file = options.open(path).with_context(written)?;
        file.set_permissions(fs::Permissions::from_mode(PRIVATE)).with_context(written)?;
        let most = u64::try_from(MAX_RECORDING_BYTES).unwrap_or(u64::MAX);
        let mut text = Vec::new();
        (&mut file).take(most).read_to_end(&mut text).with_context(|| format!("{} cannot be read", path.display()))?;
        let mut download = Self { file, path: path.to_owned(), bytes: 0, samples: 0, last: 0 };
        // Only whole lines count: the last one may have been cut off.
        for line in text.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n")) {
            let Ok(number) = number(line, download.last) else { break };
            download.count(line, number);
        }
        let length = u64::try_from(download.bytes).unwrap_or(u64::MAX);
        download.file.set_len(length).with_context(written)?;
        download.file.seek(SeekFrom::Start(length)).with_context(written)?;
        Ok(download)
    }

    /// Appends the samples of a page; false if it has none.
    fn append(&mut self, page: &[u8]) -> anyhow::Result<bool> {
        let before = self.samples;
        for line in page.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()) {
            let number =
                number(line, self.last).with_context(|| format!("sample {} of the server", self.samples + 1))?;
            let line = [line.trim_ascii(), b"\n"].concat();
            ensure!(
                self.bytes + line.len() <= MAX_RECORDING_BYTES,
                "the recording has more than {MAX_RECORDING_BYTES} bytes"
            );
            self.file.write_all(&line).with_context(|| format!("{} cannot be written", self.path.display()))?;
            self.count(&line, number);
        }
        Ok(self.samples > before)
    }

    fn count(&mut self, line: &[u8], number: u64) {
        self.bytes += line.len();
        self.samples += 1;
        self.last = number;
    }

    /// Gives the complete file its name.
    fn finish(self, path: &Path) -> anyhow::Result<()> {
        let keep = || self.file.sync_all().and_then(|()| fs::rename(&self.path, path));
        keep().with_context(|| format!("{} cannot be written", path.display()))
    }
}

/// The number of a sample, which is more than the one before: a server that repeats itself would never end.
fn number(line: &[u8], before: u64) -> anyhow::Result<u64> {
    ensure!(line.len() <= MAX_SAMPLE_BYTES, "it has {} bytes; at most {MAX_SAMPLE_BYTES} are accepted", line.len());
    let sample: Value = serde_json::from_slice(line).context("it is not JSON")?;
    match sample.get("number").and_then(Value::as_u64) {
        Some(number) if number > before => Ok(number),
        Some(number) => bail!("its number {number} does not follow {before}"),
        None => bail!("it has no number"),
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::{Download, fs, number};
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn a_download_goes_on_after_its_last_whole_line() {
        let folder = tempfile::tempdir().unwrap();
        let (part, path) = (folder.path().join(".a-1.ndjson.part"), folder.path().join("a-1.ndjson"));
        let mut download = Download::open(&part).unwrap();
        assert!(download.append(b"{\"number\":1}\n{\"number\":2}\n").unwrap());
        assert!(!path.exists(), "it is not complete");
        drop(download);
        // The machine went down within a line.
        let mut text = fs::read(&part).unwrap();
        text.extend_from_slice(b"{\"number\":3");
        fs::write(&part, text).unwrap();

        let mut download = Download::open(&part).unwrap();
        assert_eq!((download.samples, download.last), (2, 2));
        assert!(download.append(b"{\"number\":5}").unwrap(), "a sample may have been deleted with its user");
        assert!(!download.append(b"\n").unwrap());
        download.finish(&path).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "{\"number\":1}\n{\"number\":2}\n{\"number\":5}\n");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert!(!part.exists());
    }

    #[test]
    fn what_a_server_repeats_or_makes_up_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let mut download = Download::open(&folder.path().join("part")).unwrap();
        let refused = |page: &[u8], download: &mut Download| format!("{:#}", download.append(page).unwrap_err());
        assert!(download.append(b"{\"number\":1}\n").unwrap());
        assert_eq!(
            refused(b"{\"number\":1}\n", &mut download),
            "sample 2 of the server: its number 1 does not follow 1"
        );
        assert_eq!(refused(b"{}\n", &mut download), "sample 2 of the server: it has no number");
        assert!(refused(b"<html>\n", &mut download).starts_with("sample 2 of the server: it is not JSON: "));
        assert!(number(&vec![b' '; super::MAX_SAMPLE_BYTES + 1], 0).unwrap_err().to_string().contains("at most"));
    }

    #[test]
    fn a_link_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (part, other) = (folder.path().join("part"), folder.path().join("other"));
        fs::write(&other, "something else\n").unwrap();
        std::os::unix::fs::symlink(&other, &part).unwrap();
        assert!(Download::open(&part).is_err());
        assert_eq!(fs::read_to_string(&other).unwrap(), "something else\n");
    }

    #[test]
    fn a_file_that_is_no_download_begins_anew() {
        let folder = tempfile::tempdir().unwrap();
        let part = folder.path().join("part");
        fs::write(&part, "something else\n").unwrap();
        let download = Download::open(&part).unwrap();
        assert_eq!((download.samples, fs::metadata(&part).unwrap().len()), (0, 0));
    }
}
