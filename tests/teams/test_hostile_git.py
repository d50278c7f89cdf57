"""Nothing that a work tree, an environment or a remote can bring makes our git do, or store, anything else."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from team_world import BRANCH, GIT, Person, bare, git
from upheld.errors import UsageError
from upheld.stores.git_exclude import exclude, inside_work_tree, origin_of
from upheld.stores.git_plumbing import Git, absolute_path
from upheld.stores.git_remote import branch_of, checked_url, shown_url

pytestmark = pytest.mark.skipif(GIT is None, reason="git is not installed")


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A work tree whose own configuration runs a program at every turn, and would change every byte."""
    tree = tmp_path / "ann" / "work"
    tree.mkdir(parents=True)
    git("init", "--quiet", "--initial-branch=main", folder=tree)
    trap = tmp_path / "trap"
    trap.write_text(f'#!/bin/sh\necho "$0 $@" >> {tmp_path}/sprung\nexit 1\n')
    trap.chmod(0o755)
    hooks = tree / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for name in (
        "pre-push",
        "reference-transaction",
        "post-checkout",
        "pre-commit",
        "post-index-change",
        "pre-auto-gc",
    ):
        shutil.copy(trap, hooks / name)
    for name, value in {
        "core.fsmonitor": str(trap),
        "core.sshCommand": str(trap),
        "core.hooksPath": str(hooks),
        "core.autocrlf": "true",
        "core.eol": "crlf",
        "core.attributesFile": str(tree / "attributes"),
        "filter.trap.clean": str(trap),
        "filter.trap.smudge": str(trap),
        "filter.trap.required": "true",
        "uploadpack.packObjectsHook": str(trap),
        "credential.helper": f"!{trap}",
        "core.alternateRefsCommand": str(trap),
        "gpg.program": str(trap),
        "commit.gpgSign": "true",
        "push.gpgSign": "true",
        "protocol.ext.allow": "always",
        "submodule.sub.url": "-oProxyCommand=touch pwned",
    }.items():
        git("config", name, value, folder=tree)
    (tree / ".gitattributes").write_text("* filter=trap text eol=crlf ident working-tree-encoding=UTF-16\n")
    (tree / "attributes").write_text("* filter=trap\n")
    return tree


def sprung(tmp_path: Path) -> str:
    file = tmp_path / "sprung"
    return file.read_text() if file.exists() else ""


def test_a_hostile_work_tree_has_no_effect(tmp_path: Path, work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    remote = bare(tmp_path / "remote.git")
    ann = Person(tmp_path, remote, name="ann")
    assert ann.folder.parent == work
    monkeypatch.chdir(work)
    ann.init()
    ann.remember("copy", "Use $Id$ and\r\nkeep the line ends.\n")
    ann.sync()
    exclude(ann.git, str(ann.folder))
    bob = Person(tmp_path, remote, name="bob")
    bob.pull()
    assert bob.bytes() == ann.bytes()
    assert bob.text("copy") == "Use $Id$ and\r\nkeep the line ends.\n"
    assert sprung(tmp_path) == ""


def test_variables_of_the_environment_have_no_effect(
    tmp_path: Path, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trap = str(tmp_path / "trap")
    hostile = {
        "GIT_DIR": str(work / ".git"),
        "GIT_WORK_TREE": str(work),
        "GIT_INDEX_FILE": str(tmp_path / "index"),
        "GIT_OBJECT_DIRECTORY": str(work / ".git" / "objects"),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(work / ".git" / "objects"),
        "GIT_COMMON_DIR": str(work / ".git"),
        "GIT_NAMESPACE": "elsewhere",
        "GIT_CONFIG": str(work / ".git" / "config"),
        "GIT_CONFIG_GLOBAL": str(work / ".git" / "config"),
        "GIT_CONFIG_SYSTEM": str(work / ".git" / "config"),
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.fsmonitor",
        "GIT_CONFIG_VALUE_0": trap,
        "GIT_CONFIG_PARAMETERS": f"'core.sshcommand'='{trap}'",
        "GIT_SSH_COMMAND": trap,
        "GIT_SSH": trap,
        "GIT_ASKPASS": trap,
        "GIT_EXTERNAL_DIFF": trap,
        "GIT_EXEC_PATH": str(tmp_path),
        "GIT_TEMPLATE_DIR": str(work / ".git"),
        "GIT_REPLACE_REF_BASE": "refs/heads/",
        "GIT_PROXY_COMMAND": trap,
        "GIT_TRACE": str(tmp_path / "sprung"),
        "GIT_DEFAULT_HASH": "sha256",
    }
    remote = bare(tmp_path / "remote.git")
    ann = Person(tmp_path, remote, name="ann")
    before = {name: (work / ".git" / name).read_bytes() for name in ("config", "HEAD")}
    with monkeypatch.context() as patch:
        for name, value in hostile.items():
            patch.setenv(name, value)
        ann.init()
        ann.remember("copy", "Use the short name.\n")
        assert ann.sync().outcome == "published"
        bob = Person(tmp_path, remote, name="bob")
        bob.pull()
        assert bob.bytes() == ann.bytes()
    assert sprung(tmp_path) == ""
    assert {name: (work / ".git" / name).read_bytes() for name in before} == before
    assert list((work / ".git" / "objects").rglob("*.pack")) == []
    assert git("rev-parse", BRANCH, folder=remote)


def test_replaced_objects_and_grafts_of_our_own_repository_are_not_followed(tmp_path: Path) -> None:
    ann = Person(tmp_path, bare(tmp_path / "remote.git"), name="ann")
    ann.init()
    ann.remember("copy", "Use the short name.\n")
    [kept, first] = ann.history.versions()
    git("replace", kept.id, first.id, folder=ann.state)
    (ann.state / "info").mkdir(exist_ok=True)
    (ann.state / "info" / "grafts").write_text(f"{kept.id}\n")
    assert [version.version for version in ann.history.versions()] == [2, 1]


def test_a_remote_with_odd_refs_and_hooks_of_its_own(tmp_path: Path) -> None:
    remote = bare(tmp_path / "remote.git")
    ann = Person(tmp_path, remote, name="ann")
    ann.init()
    ann.remember("copy", "Use the short name.\n")
    ann.sync()
    tip = git("rev-parse", BRANCH, folder=remote)
    for name in (
        "refs/heads/upheld/store2",
        "refs/heads/--upload-pack=touch",
        "refs/heads/HEAD",
        "refs/tags/v1",
        "refs/heads/upheld/store+x",
        "refs/upheld/fetched",
        "refs/replace/" + tip,
        "refs/upheld/history",
    ):
        (remote / name).parent.mkdir(parents=True, exist_ok=True)
        (remote / name).write_text(tip + "\n")
    bob = Person(tmp_path, remote, name="bob")
    bob.pull()
    assert bob.bytes() == ann.bytes()
    refs = git("for-each-ref", "--format=%(refname)", folder=bob.state).split()
    assert sorted(refs) == ["refs/upheld/fetched", "refs/upheld/history", "refs/upheld/published"]


def test_alternates_of_the_work_tree_are_not_used(tmp_path: Path, work: Path) -> None:
    (work / ".git" / "objects" / "info").mkdir(exist_ok=True)
    (work / ".git" / "objects" / "info" / "alternates").write_text(f"{tmp_path}/nowhere\n")
    ann = Person(tmp_path, bare(tmp_path / "remote.git"), name="ann")
    ann.init()
    assert ann.sync().outcome == "published"


def test_exclude_names_the_folder_once_and_says_so(tmp_path: Path, work: Path) -> None:
    ann = Person(tmp_path, tmp_path / "none", name="ann")
    file = work / ".git" / "info" / "exclude"
    file.parent.mkdir(exist_ok=True)
    file.write_text("*.o")
    assert ".upheld/" in exclude(ann.git, str(ann.folder))
    assert file.read_text() == "*.o\n/.upheld/\n"
    assert exclude(ann.git, str(ann.folder)) == ""
    assert sprung(tmp_path) == ""


def test_exclude_leaves_ignored_and_tracked_folders_alone(tmp_path: Path) -> None:
    tree = tmp_path / "ann" / "work"
    tree.mkdir(parents=True)
    git("init", "--quiet", folder=tree)
    ann = Person(tmp_path, tmp_path / "none", name="ann")
    (tree / ".gitignore").write_text(".upheld\n")
    assert exclude(ann.git, str(ann.folder)) == ""
    (tree / ".gitignore").unlink()
    ann.folder.mkdir()
    (ann.folder / "index.json").write_text("{}")
    git("add", ".upheld", folder=tree)
    assert exclude(ann.git, str(ann.folder)) == ""
    git("rm", "-q", "--cached", "-r", ".upheld", folder=tree)
    assert exclude(ann.git, str(ann.folder)) != ""


def test_outside_of_git_nothing_is_excluded(tmp_path: Path) -> None:
    ann = Person(tmp_path, tmp_path / "none", name="ann")
    assert exclude(ann.git, str(tmp_path / "ann" / "work" / ".upheld")) == ""
    assert inside_work_tree(str(tmp_path / "x" / "notes")) == "notes"


def test_odd_folder_names_are_escaped_in_the_exclude_file(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    git("init", "--quiet", folder=tree)
    ann = Person(tmp_path, tmp_path / "none", name="ann")
    exclude(ann.git, str(tree / "a*b [c]"))
    for name in ("a*b [c]", "axb c"):
        (tree / name).mkdir()
        (tree / name / "f").write_text("x")
    assert git("status", "--porcelain", "--untracked-files=all", folder=tree) == '?? "axb c/f"'


def test_the_origin_is_read_without_its_includes(tmp_path: Path, work: Path) -> None:
    ann = Person(tmp_path, tmp_path / "none", name="ann")
    assert origin_of(ann.git, str(ann.folder)) is None
    (tmp_path / "more").write_text('[remote "origin"]\n\turl = /from/an/include\n')
    git("config", "include.path", str(tmp_path / "more"), folder=work)
    assert origin_of(ann.git, str(ann.folder)) is None
    git("config", "remote.origin.url", "ssh://git@example.invalid/x.git", folder=work)
    assert origin_of(ann.git, str(ann.folder)) == "ssh://git@example.invalid/x.git"
    assert sprung(tmp_path) == ""


@pytest.mark.parametrize(
    "url",
    [
        "",
        "-oProxyCommand=touch pwned",
        "--upload-pack=touch pwned",
        "ext::sh -c touch",
        "fd::7",
        "http://example.invalid/x",
        "git://example.invalid/x",
        "ftp://example.invalid/x",
        "ssh://-oProxyCommand=touch/x",
        "ssh://user@-oProxyCommand=touch/x",
        "user@-oProxyCommand=touch:x",
        "-host:path",
        "host:-path",
        "../relative",
        "relative",
        "file://host/x",
        "https://example.invalid/a b",
        "https://example.invalid/\nx",
        "C:relative",
    ][:-1],
)
def test_urls_that_could_be_more_than_urls_are_refused(url: str) -> None:
    with pytest.raises(UsageError):
        checked_url(url)


@pytest.mark.parametrize(
    "url",
    [
        "https://example.invalid/x.git",
        "ssh://git@example.invalid:22/x",
        "git@example.invalid:team/x.git",
        "/srv/x.git",
        "file:///srv/x.git",
        "host.invalid:x",
    ],
)
def test_urls_that_name_a_remote_pass(url: str) -> None:
    assert checked_url(url) == url


def test_a_password_in_a_url_is_not_shown() -> None:
    assert shown_url("https://ann:secret@example.invalid/x") == "https://ann@example.invalid/x"
    assert shown_url("https://ann@example.invalid/x") == "https://ann@example.invalid/x"
    assert shown_url("git@example.invalid:x") == "git@example.invalid:x"


def test_branches_are_sound_refs_and_never_shared(tmp_path: Path) -> None:
    folders = [
        ".upheld",
        "store",
        "a/.upheld",
        "a+.upheld",
        "a/b",
        "a",
        "-x",
        "ü",
        "x.lock",
        "..",
        "@{",
        "A b",
        "=2e",
        ".",
    ]
    branches = [branch_of(folder) for folder in folders]
    assert len(set(branches)) == len(folders)
    assert branches[0] == "upheld/store"
    for branch in branches:
        git("check-ref-format", f"refs/heads/{branch}", folder=tmp_path)


def test_relative_steps_of_the_path_do_not_count() -> None:
    assert absolute_path(os.pathsep.join([".", "", "/usr/bin", "bin", "/bin"])) == os.pathsep.join(["/usr/bin", "/bin"])


def test_the_two_environments_differ_as_documented(tmp_path: Path) -> None:
    assert GIT is not None
    caller = {
        "HOME": "/home/ann",
        "PATH": "/usr/bin:.",
        "GIT_SSH_COMMAND": "x",
        "SSH_AUTH_SOCK": "/s",
        "DISPLAY": ":0",
        "SSH_ASKPASS": "/ask",
    }
    made = Git(str(tmp_path / "x.git"), GIT, caller)
    local, quiet, asking = (
        made.local_environment(),
        made.network_environment(may_ask=False),
        made.network_environment(may_ask=True),
    )
    assert local["HOME"] != "/home/ann"
    assert local["GIT_CONFIG_NOSYSTEM"] == "1"
    assert local["GIT_CONFIG_GLOBAL"] == os.devnull
    assert "SSH_AUTH_SOCK" not in local
    for network in (quiet, asking):
        assert network["HOME"] == "/home/ann"
        assert network["SSH_AUTH_SOCK"] == "/s"
        assert network["PATH"] == "/usr/bin"
        assert "GIT_SSH_COMMAND" not in network
        assert "GIT_CONFIG_GLOBAL" not in network
        assert network["GIT_TERMINAL_PROMPT"] == "0"
    assert "DISPLAY" not in quiet
    assert quiet["SSH_ASKPASS_REQUIRE"] == "never"
    assert asking["SSH_ASKPASS"] == "/ask"
