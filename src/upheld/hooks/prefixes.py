"""Programs that run another program, and how that one is found among their words."""

from __future__ import annotations

PREFIXES = {
    **dict.fromkeys(
        [
            "env",
            "command",
            "exec",
            "builtin",
            "eval",
            "nohup",
            "time",
            "nice",
            "ionice",
            "stdbuf",
            "setsid",
            "sudo",
            "doas",
            "xargs",
            "coproc",
            "spawn",
        ],
        0,
    ),
    **dict.fromkeys(["caffeinate", "chronic", "unbuffer", "busybox"], 0),
    **dict.fromkeys(["uv", "uvx", "pipx", "poetry", "hatch", "pdm", "rye", "run", "tool"], 0),
    **dict.fromkeys(["if", "then", "else", "do", "while", "until", "!", "{"], 0),
    **dict.fromkeys(["timeout", "faketime"], 1),
}
"""Programs that run another one, and how many words of their own come first."""
OWN_VALUES = frozenset(
    [
        "-u",
        "-n",
        "-g",
        "-C",
        "-I",
        "-P",
        "-L",
        "-s",
        "-k",
        "-S",
        "-a",
        "-d",
        "--user",
        "--signal",
        "--with",
        "--from",
        "--python",
        "--unset",
        "--chdir",
        "--kill-after",
        "--max-args",
        "--max-procs",
        "--delimiter",
        "--adjustment",
    ]
)
"""Their options that take the word that follows."""
RUNNERS = frozenset(
    [
        "script",
        "su",
        "runuser",
        "watch",
        "tmux",
        "screen",
        "ssh",
        "parallel",
        "expect",
        "flock",
        "strace",
        "ltrace",
        "conda",
        "mamba",
        "micromamba",
        "mise",
        "chroot",
        "unshare",
        "nsenter",
        "setarch",
    ]
)
"""Programs that run another one that stands somewhere among their words, or as a script in one of them."""
CONTAINERS = frozenset(("docker", "podman", "kubectl"))
"""The same, where their first word is ``exec``."""
