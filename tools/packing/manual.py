#!/usr/bin/env python3
"""Writes the man pages of settle from its own help: settle.1, and one for each command (settle-run.1).

usage: tools/packing/manual.py SETTLE FOLDER      what the commands are and take comes from --experimental-dump-help
"""
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

HEADING = re.compile(r"([A-Z][A-Z ]+):$")
ESCAPED = str.maketrans({"\\": "\\e", "-": "\\-", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti", "'": "\\(aq"})


def roff(text):
    """Text as roff shows it: no character of it is a request, an escape or a typographic hyphen."""
    return re.sub(r"^(?=\.)", r"\\&", text.translate(ESCAPED), flags=re.MULTILINE)


def prose(text):
    """A discussion: paragraphs, headings such as EXAMPLES:, and indented lines, which stay lines."""
    lines, is_literal = [], False
    for line in text.split("\n"):
        heading = HEADING.match(line)
        is_indented = line.startswith("  ")
        if is_literal and line and not is_indented:
            lines.append(".fi\n.RE")
        if is_indented and not is_literal:
            lines.append(".RS 2\n.nf")
        if line or not is_literal:
            is_literal = is_indented
        if heading:
            lines.append(f".SH {heading[1]}")
        elif is_indented:
            lines.append(roff(line[2:]))
        elif line:
            lines.append(roff(line))
        elif not is_literal and lines:
            lines.append(".PP")
    return lines + ([".fi\n.RE"] if is_literal else [])


def argument(described):
    """An argument or option, with its values and what it is where it is not named."""
    value = f"\\fI{roff(described.get('valueName', ''))}\\fR"
    if described["kind"] == "positional":
        title = value
    else:
        dashes = {"short": "-", "long": "--", "longWithSingleDash": "-"}
        names = sorted(dashes[name["kind"]] + name["name"] for name in described["names"])
        title = ", ".join(f"\\fB{roff(name)}\\fR" for name in sorted(names, key=len))
        title += "" if described["kind"] == "flag" else " " + value
    notes = []
    if described.get("allValues"):
        notes.append("values: " + ", ".join(described["allValues"]))
    if "defaultValue" in described and described["kind"] != "flag":
        notes.append("default: " + described["defaultValue"])
    texts = [described.get("abstract", ""), f"({'; '.join(notes)})" if notes else ""]
    return [".TP", title, roff(" ".join(filter(None, texts))) or "\\&", *prose(described.get("discussion", ""))]


def page(settle, command, parents, version, date):
    """A command's page; returns its name and text."""
    words = [*parents, command["commandName"]]
    name = "-".join(words)
    said = subprocess.run([settle, *words[1:], "--help"], capture_output=True, text=True, check=True).stdout
    usage = re.search(r"^USAGE: (.*?)(?:\n\n|\Z)", said, re.DOTALL | re.MULTILINE)[1]
    lines = [
        f'.TH {roff(name.upper())} 1 "{date}" "settle {roff(version)}" "settle"', ".SH NAME",
        f"{roff(name)} \\- {roff(command['abstract'].rstrip('.'))}", ".SH SYNOPSIS",
        "\n.br\n".join(f".B {roff(' '.join(line.split()))}" for line in re.split(r"\n(?=\s*settle )", usage)),
    ]
    discussion = command.get("discussion", "")
    if discussion and not HEADING.match(discussion.split("\n")[0]):
        lines.append(".SH DESCRIPTION")
    lines += prose(discussion)
    shown = [described for described in command.get("arguments", []) if described["shouldDisplay"]]
    for title, kinds in ("ARGUMENTS", ["positional"]), ("OPTIONS", ["option", "flag"]):
        section = [argument(described) for described in shown if described["kind"] in kinds]
        if section:
            lines += [f".SH {title}", *(line for entry in section for line in entry)]
    children = subcommands(command)
    if children:
        lines.append(".SH COMMANDS")
    for child in children:
        lines += [".TP", f"\\fB{roff(name + '-' + child['commandName'])}\\fR(1)", roff(child["abstract"])]
    if parents:
        lines += [".SH SEE ALSO", f"\\fB{roff('-'.join(parents))}\\fR(1)"]
    # No paragraph is empty.
    return name, re.sub(r"(?m)^(\.SH .*\n)?(?:\.PP\n)+(?=\.SH|\.RS)", r"\1", "\n".join(lines) + "\n")


def subcommands(command):
    """Those that have pages; help needs none."""
    children = command.get("subcommands", [])
    return [child for child in children if child["shouldDisplay"] and child["commandName"] != "help"]


def write(settle, folder):
    """Writes all pages."""
    told = subprocess.run([settle, "--experimental-dump-help"], capture_output=True, text=True, check=True).stdout
    version = subprocess.run([settle, "--version"], capture_output=True, text=True, check=True).stdout.split()[0]
    date = time.strftime("%Y-%m-%d", time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))))
    folder.mkdir(parents=True, exist_ok=True)
    waiting = [(json.loads(told)["command"], [])]
    while waiting:
        command, parents = waiting.pop()
        name, text = page(settle, command, parents, version, date)
        (folder / f"{name}.1").write_text(text, encoding="utf-8")
        waiting += [(child, [*parents, command["commandName"]]) for child in subcommands(command)]


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip())
    write(sys.argv[1], Path(sys.argv[2]))
