"""No command or server reaches the network by itself, or writes outside RICORDO_HOME: the kernel's own record of it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from homes import temporary_home
from models import model_folder

pytestmark = pytest.mark.skipif(
    shutil.which("strace") is None, reason="strace is not installed: `apt-get install strace` (Linux)"
)

_CALLS = (
    "connect,sendto,sendmsg,sendmmsg,openat,open,creat,mkdir,mkdirat,rename,renameat,renameat2,unlink,unlinkat,"
    "symlink,symlinkat,link,linkat"
)
_HELP = """
import click
from ricordo.cli import main
from ricordo.cli.main import root

def leaves(command, context, path=()):
    if not isinstance(command, click.Group):
        return [path]
    found = [path] if command.invoke_without_command else []
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        found += leaves(inner, click.Context(inner, parent=context, info_name=name), (*path, name))
    return found

commands = leaves(root, click.Context(root))
assert len(commands) > 80
for path in commands:
    assert main([*path, "--help"]) == 0, path
"""
#: A session of commands in one process, then both servers, then the end of the embedded PostgreSQL server.
_SESSION = """
import json, signal, socket, subprocess, sys, time, urllib.error, urllib.request
from ricordo.cli import main

chat, out = sys.argv[1:]
for line in (
    ["mine", chat, "--wait"], ["recall", "kiln heat"], ["palace", "tree"], ["palace", "show", "W-001/R-01"],
    ["agent", "create", "potter"], ["journal", "add", "potter", "The blue glaze ran."], ["journal", "list", "potter"],
    ["core", "add", "potter", "Ines owns the kiln."], ["memory", "add", "The clay comes on Monday."],
    ["memory", "search", "clay"], ["entity", "list"], ["run", "list"], ["review", "list"], ["activity"],
    ["settings", "show"], ["settings", "set", "top_k=8"], ["usage", "calls"], ["jobs", "list"], ["models", "list"],
    ["models", "status"], ["verify"], ["verify", "--store"], ["export", out], ["verify", out], ["backup"], ["doctor"],
):
    code = main(line)
    assert code == 0, (line, code)

with socket.socket() as one:
    one.bind(("127.0.0.1", 0))
    port = one.getsockname()[1]
serving = subprocess.Popen([sys.executable, "-m", "ricordo", "serve", "--port", str(port)])
def answers(path):
    try:
        return urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=300).status
    except urllib.error.HTTPError as error:
        return error.code
    except urllib.error.URLError:
        return None
end = time.monotonic() + 120
while answers("/readyz") != 200:
    assert serving.poll() is None and time.monotonic() < end
    time.sleep(0.05)
assert answers("/v1/user") == 401 and answers("/mcp") == 401
serving.send_signal(signal.SIGTERM)
serving.wait(60)

asked = [
    {"id": 1, "method": "initialize",
     "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}},
    {"method": "notifications/initialized"},
    {"id": 2, "method": "tools/list"},
]
talking = subprocess.Popen([sys.executable, "-m", "ricordo", "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
for each in asked:
    talking.stdin.write(json.dumps({"jsonrpc": "2.0", **each}).encode() + b"\\n")
    talking.stdin.flush()
    if "id" in each:
        assert "result" in json.loads(talking.stdout.readline()), each
talking.communicate(timeout=300)
assert main(["db", "stop"]) == 0
"""
_CHAT = (
    '{"id":"a","title":"kiln","messages":['
    '{"role":"user","content":"How hot does the kiln get when we fire the blue bowls for the market in May?"},'
    '{"role":"assistant","content":"It gets to 1240 degrees, and Ines writes each firing into the red book."}]}'
)


def _traced(home: Path, folder: Path, script: str, *arguments: str) -> list[str]:
    """The system calls of a script, and of every process that it starts."""
    account, trace = folder / "account", folder / "trace"
    account.mkdir()
    variables = {"PATH": os.environ["PATH"], "HOME": str(account), "RICORDO_HOME": str(home)}
    variables |= {"RICORDO_MODEL_DIR": str(model_folder()), "PYTHONDONTWRITEBYTECODE": "1", "COVERAGE_CORE": ""}
    ended = subprocess.run(
        ["strace", "-f", "-y", "--seccomp-bpf", "-s", "4096", "-o", str(trace), "-e", f"trace={_CALLS}",
         sys.executable, "-c", script, *arguments],
        env=variables, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr[-3000:]
    assert list(account.iterdir()) == []
    return trace.read_text("utf-8", "replace").splitlines()


_ADDRESS = re.compile(r"sa_family=(AF_\w+)[^}]*")
_LOOPBACK = re.compile(r'inet_addr\("127\.|inet_pton\(AF_INET6, "::1"')
_PATHS = re.compile(r'"((?:[^"\\]|\\.)*)"')


def _reached(lines: list[str], home: Path) -> list[str]:
    """Calls that reach, or try to reach, an address that is not this machine's own store or loopback."""
    found = []
    for line in lines:
        for address in _ADDRESS.finditer(line):
            if address[1] == "AF_UNIX":
                ours = f'sun_path="{home}/' in address[0] or (
                    '"/var/run/nscd/socket"' in address[0] and "ENOENT" in line
                )
            else:
                ours = address[1] == "AF_UNSPEC" or (
                    _LOOPBACK.search(address[0]) is not None and "htons(53)" not in address[0]
                )
            if not ours and "<unfinished" in line and '"/var/run/nscd/socket"' in line:
                ours = True  # what it came to is on another line
            if not ours:
                found.append(line)
    return found


def _written(lines: list[str], allowed: tuple[Path, ...]) -> list[str]:
    """Calls that make, change or remove a file outside the folders and files that are allowed."""
    found, folders = [], {}
    for line in lines:
        pid, _, call = line.partition(" ")
        call = call.strip()
        name = call.partition("(")[0]
        if at := re.search(r"AT_FDCWD<([^>]*)>", call):
            folders[pid] = at[1]
        if name in ("open", "openat", "creat"):
            if not re.search(r"O_(WRONLY|RDWR|CREAT|TRUNC)", call) and name != "creat":
                continue
        elif not re.match(r"(mkdir|rename|unlink|symlink|link)", name):
            continue
        if re.search(r"= -1 E\w+", call):
            continue  # nothing was made
        paths = _PATHS.findall(call)
        for written in paths[-1:] if "link" in name and "unlink" not in name else paths:  # what is linked to stays
            base = re.search(r"(?:\d+|AT_FDCWD)<([^>]*)>, \"", call)
            path = os.path.normpath(Path(base[1] if base else folders.get(pid, "?")) / written)
            if not any(path == str(each) or path.startswith(f"{each}/") for each in allowed):
                found.append(line)
    return found


def _without_unnamed(lines: list[str]) -> list[str]:
    """Calls but those of Python's `TemporaryFile`: py3langid unpacks its public model into a file without a name.
    Python first tries, by a file that it removes at once, whether it can write to the system's temporary folder."""
    removed = {path for line in lines if " unlink(" in line for path in _PATHS.findall(line)}
    probe = re.compile(r'"(/tmp/[a-z0-9_]{8})"')
    return [
        line
        for line in lines
        if "O_TMPFILE" not in line and not ((tried := probe.search(line)) and tried[1] in removed)
    ]


def test_what_a_trace_shows_is_judged(tmp_path: Path) -> None:
    home = tmp_path / "home"
    dns = '1 connect(3<socket:[1]>, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("127.0.0.53")}, 16) = 0'
    far = '1 sendto(3, "x", 1, 0, {sa_family=AF_INET, sin_port=htons(443), sin_addr=inet_addr("192.0.2.1")}, 16) = 1'
    near = '1 connect(3, {sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr("127.0.0.1")}, 16) = 0'
    assert _reached([dns, far, near], home) == [dns, far]
    cache = '1 openat(AT_FDCWD</>, "/root/.cache/id", O_WRONLY|O_CREAT, 0600) = 3</root/.cache/id>'
    made = '1 mkdir("elsewhere", 0777) = 0'
    ours = f'1 openat(AT_FDCWD<{home}>, "log", O_WRONLY|O_CREAT, 0600) = 3<{home}/log>'
    assert _written([cache, made, ours], (home,)) == [cache, made]


def test_no_command_touches_anything_when_it_is_only_imported(tmp_path: Path) -> None:
    with temporary_home() as home:
        lines = _traced(home, tmp_path, _HELP)
        assert _reached(lines, home) == []
        assert _written(lines, (Path("/dev"),)) == []


def test_a_session_of_commands_and_servers_stays_on_this_machine_and_in_its_home(tmp_path: Path) -> None:
    chat, out = tmp_path / "chat.jsonl", tmp_path / "out.zip"
    chat.write_text(_CHAT)
    with temporary_home() as home:
        lines = _traced(home, tmp_path, _SESSION, str(chat), str(out))
        assert _reached(lines, home) == []
        written = _written(_without_unnamed(lines), (home, out, Path("/dev")))
        # An export is made beside the file that it becomes.
        assert [line for line in written if str(tmp_path / ".out.zip") not in line] == []
        assert {each.name for each in tmp_path.iterdir()} == {"account", "chat.jsonl", "out.zip", "trace"}
