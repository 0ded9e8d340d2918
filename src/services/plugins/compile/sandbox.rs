//! The sandbox of the compiler process (Landlock, seccomp), if the system offers it: no files but those of its own
//! folder, no network, no other processes. Resource limits are in `resource_limits`.

use std::path::Path;

/// Enters the sandbox, which allows access to `folder` only; threads that start later inherit it. Returns the parts
/// that the system does not offer.
#[cfg(target_os = "linux")]
pub(super) fn enter(folder: Option<&Path>) -> Vec<String> {
    let mut missing = Vec::new();
    match linux::files(folder) {
        Ok(true) => {}
        Ok(false) => missing.push("Landlock, which keeps it from files and networks".to_owned()),
        Err(error) => missing.push(format!("Landlock, which keeps it from files and networks ({error})")),
    }
    if let Err(error) = linux::calls() {
        missing.push(format!("seccomp, which keeps it from networks and other processes ({error})"));
    }
    missing
}

/// There is no sandbox for this system.
#[cfg(not(target_os = "linux"))]
pub(super) fn enter(_: Option<&Path>) -> Vec<String> {
    vec!["a sandbox for processes".to_owned()]
}

#[cfg(target_os = "linux")]
mod linux {
    use landlock::{
        ABI, Access as _, AccessFs, AccessNet, Ruleset, RulesetAttr as _, RulesetCreatedAttr as _, RulesetError,
        RulesetStatus, Scope, path_beneath_rules,
    };
    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, apply_filter};
    use std::path::Path;

    /// The newest Landlock ABI that is used; an older kernel applies what it knows.
    const LANDLOCK: ABI = ABI::V6;

    /// System calls that a compiler does not need: connections, programs, other processes, leaving the process group by
    /// which the server kills it, and kernel interfaces with a history of vulnerabilities.
    const REFUSED: &[i64] = &[
        libc::SYS_socket,
        libc::SYS_socketpair,
        libc::SYS_connect,
        libc::SYS_bind,
        libc::SYS_listen,
        libc::SYS_accept,
        libc::SYS_accept4,
        libc::SYS_execve,
        libc::SYS_execveat,
        libc::SYS_ptrace,
        libc::SYS_process_vm_readv,
        libc::SYS_process_vm_writev,
        libc::SYS_pidfd_open,
        libc::SYS_pidfd_getfd,
        libc::SYS_pidfd_send_signal,
        libc::SYS_kill,
        libc::SYS_setsid,
        libc::SYS_setpgid,
        libc::SYS_mount,
        libc::SYS_umount2,
        libc::SYS_pivot_root,
        libc::SYS_chroot,
        libc::SYS_setns,
        libc::SYS_unshare,
        libc::SYS_open_by_handle_at,
        libc::SYS_io_uring_setup,
        libc::SYS_bpf,
        libc::SYS_perf_event_open,
        libc::SYS_userfaultfd,
        libc::SYS_keyctl,
        libc::SYS_add_key,
        libc::SYS_request_key,
        libc::SYS_init_module,
        libc::SYS_finit_module,
        libc::SYS_kexec_load,
    ];

    /// Whether the kernel does it.
    pub(super) fn files(folder: Option<&Path>) -> Result<bool, RulesetError> {
        let all = AccessFs::from_all(LANDLOCK);
        let status = Ruleset::default()
            .handle_access(all)?
            .handle_access(AccessNet::from_all(LANDLOCK))?
            .scope(Scope::from_all(LANDLOCK))?
            .create()?
            .add_rules(path_beneath_rules(folder, all))?
            .restrict_self()?;
        Ok(status.ruleset != RulesetStatus::NotEnforced)
    }

    pub(super) fn calls() -> Result<(), Box<dyn std::error::Error>> {
        let refused = REFUSED.iter().map(|call| (*call, Vec::new())).collect();
        let denied = SeccompAction::Errno(u32::try_from(libc::EPERM)?);
        let filter = SeccompFilter::new(refused, SeccompAction::Allow, denied, std::env::consts::ARCH.try_into()?)?;
        apply_filter(&BpfProgram::try_from(filter)?)?;
        Ok(())
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use std::{fs, net::TcpStream, process::Command, thread};

    #[test]
    fn nothing_is_left_but_its_own_folder() {
        let (own, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let secret = other.path().join("secret");
        fs::write(&secret, "s").unwrap();
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let inside = own.path().join("entry");
        // Only this thread is in the sandbox.
        let shut_in = thread::spawn(move || {
            let missing = enter(Some(own.path()));
            fs::create_dir(own.path().join("folder")).unwrap();
            fs::write(&inside, "mine").unwrap();
            assert_eq!(fs::read(&inside).unwrap(), b"mine");
            assert!(Command::new("true").status().is_err(), "it starts no program");
            assert!(TcpStream::connect(address).is_err(), "it reaches no network");
            assert!(rustix::process::setpgid(None, None).is_err(), "it stays in its process group");
            if !missing.iter().any(|what| what.starts_with("Landlock")) {
                assert!(fs::read(&secret).is_err() && fs::write(other.path().join("more"), "").is_err());
                assert!(fs::read_dir("/").is_err());
            }
            missing
        });
        let missing = shut_in.join().unwrap();
        assert!(!missing.iter().any(|what| what.starts_with("seccomp")), "{missing:?}");
    }
}
