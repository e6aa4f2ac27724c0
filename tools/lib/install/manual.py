#!/usr/bin/env python3
"""Writes the man pages of a command: settle.1 and one for each subcommand (settle-run.1); or the reference docs/commands.md.

usage: tools/lib/install/manual.py COMMAND FOLDER       makes the man pages in FOLDER
       tools/lib/install/manual.py COMMAND --markdown   prints the reference

Both are made from the command's own help (--experimental-dump-help), so they say the same.
"""
import json
import os
import re
import subprocess
import sys
import textwrap
import time
from collections import Counter
from pathlib import Path

HEADING = re.compile(r"([A-Z][A-Z ]+):$")
ESCAPED = str.maketrans({"\\": "\\e", "-": "\\-", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti", "'": "\\(aq"})


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def roff(text):
    """Text escaped for roff: no character is a request, an escape or a typographic hyphen."""
    return re.sub(r"^(?=\.)", r"\\&", text.translate(ESCAPED), flags=re.MULTILINE)


def prose(text):
    """A discussion: paragraphs, headings such as EXAMPLES:, and indented lines, which stay lines."""
    lines = []
    # A block of indented lines may contain empty lines.
    for block, line in re.findall(r"(?m)^((?:  .*(?:\n+(?=  )|$))+)|^(.*)$", text):
        if block:
            lines += [".RS 2\n.nf", *(roff(each[2:]) for each in block.split("\n") if each), ".fi\n.RE"]
        elif heading := HEADING.match(line):
            lines.append(f".SH {heading[1]}")
        elif line or lines:
            lines.append(roff(line) or ".PP")
    return lines


def names(described):
    """The names of an option, the short one first."""
    dashes = {"short": "-", "long": "--", "longWithSingleDash": "-"}
    return sorted((dashes[name["kind"]] + name["name"] for name in described["names"]), key=len)


def meaning(described):
    """The description of an argument or option, with its values and default."""
    notes = []
    if described.get("allValues"):
        notes.append("values: " + ", ".join(described["allValues"]))
    if "defaultValue" in described and described["kind"] != "flag":
        notes.append("default: " + described["defaultValue"])
    return " ".join(filter(None, [described.get("abstract", ""), f"({'; '.join(notes)})" if notes else ""]))


def argument(described):
    """An argument or option in a man page."""
    value = f"\\fI{roff(described.get('valueName', ''))}\\fR"
    title = value
    if described["kind"] != "positional":
        title = ", ".join(f"\\fB{roff(name)}\\fR" for name in names(described))
        title += "" if described["kind"] == "flag" else " " + value
    return [".TP", title, roff(meaning(described)) or "\\&", *prose(described.get("discussion", ""))]


def usage(settle, words):
    """The usage lines of a command."""
    lines = re.search(r"^USAGE: (.*?)(?:\n\n|\Z)", output_of(settle, *words[1:], "--help"), re.DOTALL | re.MULTILINE)[1]
    return [" ".join(line.split()) for line in re.split(r"\n(?=\s*settle )", lines)]


def page(settle, command, words, children, version, date):
    """The name and text of a command's page."""
    name = "-".join(words)
    lines = [
        f'.TH {roff(name.upper())} 1 "{date}" "settle {roff(version)}" "settle"', ".SH NAME",
        f"{roff(name)} \\- {roff(command['abstract'].rstrip('.'))}", ".SH SYNOPSIS",
        "\n.br\n".join(f".B {roff(line)}" for line in usage(settle, words)),
    ]
    discussion = command.get("discussion", "")
    if discussion and not HEADING.match(discussion.split("\n")[0]):
        lines.append(".SH DESCRIPTION")
    lines += prose(discussion)
    shown = [described for described in command.get("arguments", []) if described["shouldDisplay"]]
    for title, kinds in ("ARGUMENTS", ["positional"]), ("OPTIONS", ["option", "flag"]):
        section = [line for described in shown if described["kind"] in kinds for line in argument(described)]
        lines += [f".SH {title}", *section] if section else []
    lines += [".SH COMMANDS"] if children else []
    for child in children:
        lines += [".TP", f"\\fB{roff(name + '-' + child['commandName'])}\\fR(1)", roff(child["abstract"])]
    if words[1:]:
        lines += [".SH SEE ALSO", f"\\fB{roff('-'.join(words[:-1]))}\\fR(1)"]
    # Skip empty paragraphs.
    return name, re.sub(r"(?m)^(\.SH .*\n)?(?:\.PP\n)+(?=\.SH|\.RS)", r"\1", "\n".join(lines) + "\n")


def commands(settle):
    """All commands, each with the words that call it and its subcommands; help needs no page."""
    def below(command, parents):
        words = [*parents, command["commandName"]]
        children = [each for each in command.get("subcommands", []) if each["shouldDisplay"] and each["commandName"] != "help"]
        yield command, words, children
        for child in children:
            yield from below(child, words)

    return list(below(json.loads(output_of(settle, "--experimental-dump-help"))["command"], []))


def write(settle, folder):
    """Writes all man pages."""
    version = output_of(settle, "--version").split()[0]
    date = time.strftime("%Y-%m-%d", time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))))
    folder.mkdir(parents=True, exist_ok=True)
    for described in commands(settle):
        name, text = page(settle, *described, version, date)
        (folder / f"{name}.1").write_text(text, encoding="utf-8")


PREFACE = """\
# Commands

For anyone who looks up a command or an option. This page is made from the command's own help, like the man pages;
`SETTLE_RECORD=1 tools/judge documents` makes it again. What an operator does about each exit code:
[operations.md](operations.md#what-an-exit-code-asks-for).

`validate` ends with 0, 1 and 2 as `run` does. `explain` and `history` also end with 1 if something that was asked for
does not exist, `verify` and `ledger verify` if something is wrong, `import` if a request is. On a terminal errors are
red and warnings yellow, unless `NO_COLOR` is set.
"""
SHARED = 4  # An option of this number of commands is described only once.


def filled(text):
    return textwrap.fill(text, 120, break_on_hyphens=False)


def markdown_prose(text):
    """A discussion: headings such as EXAMPLES:, and indented lines as code."""
    text = re.sub(HEADING.pattern, lambda heading: heading[1].capitalize() + ":\n", text, flags=re.MULTILINE)
    lines = re.sub(r"(?m)^  (?=\S)", "    ", text).split("\n")
    return "\n".join(line if line.startswith("    ") else filled(line) for line in lines)


def value_name(described):
    """The name of a value; one that lists words is as they are written."""
    name = described.get("valueName", "")
    return name if name.startswith("-|") else name.upper()


def row(described):
    """An argument or option as a row of a table."""
    value = value_name(described)
    title = value if described["kind"] == "positional" else ", ".join(names(described))
    title += f" {value}" if described["kind"] == "option" else ""
    text = " ".join(f"{meaning(described)} {described.get('discussion', '')}".split())
    return "| `{}` | {} |".format(title.replace("|", "\\|"), text.replace("|", "\\|"))


def table(rows):
    return "\n".join(["| argument or option | what it is |", "|---|---|", *rows]) if rows else ""


def section(settle, command, words, children, shared):
    """A command's part of the reference."""
    called = f"```\n{chr(10).join(usage(settle, words))}\n```"
    links = (f"[`{child['commandName']}`](#{'-'.join([*words, child['commandName']])})" for child in children)
    arguments = reference_arguments(command)
    others = ", ".join(f"`{names(each)[-1]}`" if each["kind"] != "positional" else f"`{value_name(each)}`"
                       for each in arguments if row(each) in shared)
    parts = [
        f"{'###' if words[1:] else '##'} {' '.join(words)}", command["abstract"],
        markdown_prose(command.get("discussion", "")), "" if children else called,
        table([row(each) for each in arguments if row(each) not in shared]),
        filled(f"And, [as other commands](#options-of-several-commands): {others}.") if others else "",
        filled(f"Its commands: {', '.join(links)}.") if children else "",
    ]
    return "\n\n".join(filter(None, parts))


def reference_arguments(command):
    return [each for each in command.get("arguments", [])
            if each["shouldDisplay"] and each.get("valueName") not in ("help", "version")]


def markdown(settle):
    """The reference: each command, then the options that several commands share."""
    found = commands(settle)
    uses = Counter(row(each) for command, *_ in found for each in reference_arguments(command))
    shared = [each for each, count in uses.items() if count >= SHARED]
    sections = [section(settle, *described, shared) for described in found]
    return "\n".join([PREFACE, "\n\n".join(sections), "", "## Options of several commands", "", table(shared), ""])


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip())
    command, place = sys.argv[1:]
    print(markdown(command), end="") if place == "--markdown" else write(command, Path(place))
