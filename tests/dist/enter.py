"""Becomes a command of an unpacked image as an engine would start it: in its root, as its user, without rights, with the
variables of the image and those that are given.

    enter.py ROOT SETTINGS [NAME=VALUE…] -- ARGUMENT…"""

import ctypes
import json
import os
import pathlib
import sys

PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 24, 38
LAST_CAPABILITY = 63


def main():
    split = sys.argv.index("--")
    root, settings, *variables = sys.argv[1:split]
    config = json.loads(pathlib.Path(settings).read_text())["process"]
    environment = dict(variable.split("=", 1) for variable in [*config["env"], *variables])
    user, group = config["user"]["uid"], config["user"]["gid"]
    libc = ctypes.CDLL(None, use_errno=True)
    os.chroot(root)
    os.chdir(config["cwd"])
    for capability in range(LAST_CAPABILITY + 1):
        # The kernel has fewer.
        libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
    os.setgroups([])
    os.setgid(group)
    os.setuid(user)
    assert libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
    os.execve(config["args"][0], [config["args"][0], *sys.argv[split + 1:]], environment)


main()
