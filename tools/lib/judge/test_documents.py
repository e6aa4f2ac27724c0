'''The documents: their commands, run by bash, must print what the documents show.

This checks the blocks of README.md and docs/*.md that look like this:

    <!-- checked -->
    ```console
    $ settle validate data/example.jsonl
    what it prints on standard output and standard error
    ```

A line that begins with `$ ` is run in a folder of its document that has data/, docs/, tools/ and an empty .build/; a
backslash at the end continues the command in the next line. docs/commands.md must be what tools/lib/install/manual.py makes of
the command's help. SETTLE_RECORD=1 writes the documents again, and fails.
'''
import os
import re
import subprocess

import pytest
from install import manual
from model.files import ROOT

REFERENCE = ROOT / "docs/commands.md"
DOCUMENTS = [ROOT / "README.md", *sorted({REFERENCE, *ROOT.glob("docs/*.md")})]
BLOCK = re.compile(r"^<!-- checked -->\n```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# The nights of the documents have fixed days, so this warning depends on the month in which the documents are checked.
OVER = re.compile(r"^settle: warning: [^\n]* is booked on [^\n]*, which is over\..*\n", re.MULTILINE)
COMMAND = re.compile(r"^\$ (.*(?:(?<=\\)\n.*)*)", re.MULTILINE)


@pytest.fixture
def print_of(settle_path, tmp_path):
    """What bash prints for a command."""
    for shared in ("data", "docs", "tools"):
        (tmp_path / shared).symlink_to(ROOT / shared)
    (tmp_path / ".build").mkdir()
    environment = os.environ | {"PATH": f"{os.path.dirname(settle_path)}:{os.environ['PATH']}", "LC_ALL": "C"}

    def run(command):
        told = subprocess.run(["bash", "-c", command], cwd=tmp_path, env=environment, stdin=subprocess.DEVNULL, timeout=120,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False).stdout.decode(errors="replace")
        told = OVER.sub("", told)
        return told if told.endswith("\n") else told + "\n" if told else ""

    return run


@pytest.mark.parametrize("document", DOCUMENTS, ids=[path.name for path in DOCUMENTS])
def test_document(settle_path, print_of, document):
    text = document.read_text("utf-8")
    assert len(BLOCK.findall(text)) == text.count("<!-- checked -->"), "a mark must be directly above a ```console block"
    assert document != ROOT / "README.md" or BLOCK.search(text), "no block is checked"

    def block(shown):
        told = "".join(f"$ {command}\n{print_of(command)}" for command in COMMAND.findall(shown[1]))
        return f"<!-- checked -->\n```console\n{told}```"

    truth = manual.markdown(settle_path) if document == REFERENCE else BLOCK.sub(block, text)
    if os.environ.get("SETTLE_RECORD") == "1":
        document.write_text(truth, encoding="utf-8")
        pytest.fail("recorded, not checked; run again without SETTLE_RECORD")
    assert text.splitlines() == truth.splitlines(), "if this is intended: SETTLE_RECORD=1 tools/judge documents"
