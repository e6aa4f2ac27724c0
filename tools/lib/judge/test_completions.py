"""Completions, by bash, zsh and fish: each finds them where tools/install puts them, and completes lines with them."""
import os

import pytest
from model.files import ROOT
from programs import install, run

install("bash-completion", "zsh", "fish", programs=["zsh", "fish"])
install("bash-completion", programs=["/usr/share/bash-completion/bash_completion"])

# The typed text, and the completed last word.
LINES = [
    ("settle valid", "validate"),
    ("settle help exp", "explain"),
    ("settle run nig", "night.jsonl"),
    ("settle run night.jsonl --outp", "--output"),
    ("settle run night.jsonl --output rep", "reports"),
    ("settle run night.jsonl --ledger led", "ledger.db"),
    ("settle prune --ledger led", "ledger.db"),
    ("settle find AP-1 --ledger led", "ledger.db"),
    ("settle find AP-1 --format js", "jsonl"),
    ("settle run night.jsonl --fees fee", "fees.json"),
    ("settle run night.jsonl --taxes fee", "fees.json"),
    ("settle run night.jsonl --metrics nig", "night.jsonl"),
    ("settle validate night.jsonl --format sa", "sarif"),
    ("settle validate night.jsonl --ledger led", "ledger.db"),
    ("settle verify rep", "reports"),
    ("settle verify reports --batch nig", "night.jsonl"),
    ("settle statement night.jsonl --format st", "stl"),
    ("settle statement night.jsonl --format html --locale pl", "pl_PL"),
    ("settle notify rep", "reports"),
    ("settle notify reports nig", "night.jsonl"),
    ("settle notify reports night.jsonl --key-file fee", "fees.json"),
    ("settle-deliver nig", "night.jsonl"),
    ("settle-deliver night.jsonl --allow-p", "--allow-private"),
    ("settle import nig", "night.jsonl"),
    ("settle import night.jsonl --format he", "here"),
    ("settle fees --fees fee", "fees.json"),
]
BASH = r"""
shopt -s extglob
. /usr/share/bash-completion/bash_completion
COMP_LINE=$1 COMP_POINT=${#1}
read -ra COMP_WORDS <<<"$1"
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_completion_loader "${COMP_WORDS[0]}"
"_${COMP_WORDS[0]}" "${COMP_WORDS[0]}" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\n' "${COMPREPLY[@]}"
"""
# A widget prints the completed line.
ZSH = r"""
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "fpath=($SETTLE_ZSH \$fpath); autoload -Uz compinit; compinit -D -u; unsetopt beep"
zpty -w shell 'told() { print -r -- "$BUFFER" >$TOLD.new; mv $TOLD.new $TOLD }; zle -N told; bindkey "^X^T" told'
zpty -w -n shell "$1"$'\t\x18\x14'
for (( tries = 0; tries < 500; tries++ )); do
  [[ -e $TOLD ]] && break
  zpty -r -t shell ignored
  sleep 0.02
done
cat $TOLD
zpty -d shell
"""
PROGRAMS = {
    "bash": ["bash", "--norc", "-c", BASH, "bash"],
    "zsh": ["zsh", "-f", "-c", ZSH, "zsh"],
    "fish": ["fish", "-c", "complete -C $argv[1]"],
}


@pytest.fixture(scope="module")
def share(settle_path, deliver_path, tmp_path_factory):
    prefix = tmp_path_factory.mktemp("prefix")
    run(ROOT / "tools/install", "--deliver", "--prefix", prefix,
        env=os.environ | {"SETTLE": settle_path, "SETTLE_DELIVER": deliver_path})
    return prefix / "share"


@pytest.mark.parametrize("line, expected", LINES)
@pytest.mark.parametrize("shell", PROGRAMS)
def test_line(share, tmp_path, shell, line, expected):
    (tmp_path / "reports").mkdir()
    for name in ("night.jsonl", "ledger.db", "fees.json"):
        (tmp_path / name).touch()
    told = run(*PROGRAMS[shell], line, cwd=tmp_path, exits=None, env=os.environ | {
        "XDG_DATA_DIRS": str(share), "HOME": str(share.parent), "TERM": "xterm", "TOLD": f"{tmp_path}.told",
        "PATH": f"{share.parent}/bin:{os.environ['PATH']}", "SETTLE_ZSH": str(share / "zsh/site-functions")})
    # fish describes a candidate after a tab; zsh prints the whole line.
    found = [line.split("\t")[0] for line in told.stdout.splitlines()]
    found = [told.stdout.rstrip().split(" ")[-1]] if shell == "zsh" else found
    assert [candidate.rstrip("/") for candidate in found] == [expected], told.stderr[-300:]
