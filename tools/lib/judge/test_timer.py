"""The nightly job's units, by systemd-analyze: they are valid, and start once every day in every time zone.

Clocks jump at all kinds of times: at midnight in Asuncion and Cairo, before it in Easter and Nuuk, at 2:45 in Chatham; by
half an hour in Lord_Howe, by two hours in Troll; by the moon in Casablanca. The line for cron must have the same time.
"""
import datetime
import os
import re

import pytest
from model.files import ROOT
from programs import install, run

install("systemd", "tzdata", programs=["systemd-analyze"])
install("tzdata", programs=["/usr/share/zoneinfo/tzdata.zi"])

NIGHTLY = ROOT / "tools/nightly"
ZONES = """Africa/Cairo Africa/Casablanca America/Asuncion America/Havana America/New_York America/Nuuk America/Sao_Paulo
  America/Santiago Antarctica/Troll Asia/Beirut Asia/Gaza Asia/Jerusalem Asia/Tehran Atlantic/Azores Australia/Lord_Howe
  Europe/Berlin Europe/Helsinki Europe/London Pacific/Apia Pacific/Auckland Pacific/Chatham Pacific/Easter UTC""".split()
START = re.search("^OnCalendar=(.*)", (NIGHTLY / "settle-nightly.timer").read_text("ascii"), re.M)[1]
DAYS = [str(datetime.date(2015, 1, 1) + datetime.timedelta(days)) for days in range(16 * 365 + 4)]


def starts(zone, time):
    """The days of the starts."""
    assert os.path.exists(f"/usr/share/zoneinfo/{zone}")
    told = run("systemd-analyze", "calendar", "--base-time=2014-12-31 23:59:59", f"--iterations={len(DAYS)}", time,
               env=os.environ | {"LC_ALL": "C", "TZ": zone}).stdout
    return re.findall(r"^ *(?:Next elapse|Iter[^:]*): [A-Z][a-z]{2} ([0-9-]+) ", told, re.M)


@pytest.mark.parametrize("zone", ZONES)
def test_one_start_a_day(zone):
    assert starts(zone, START) == DAYS


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York"])
def test_another_time_would_not_do(zone):
    assert starts(zone, "*-*-* 02:30:00") != DAYS


def test_cron():
    minute, hour = re.search(r"^(\d+) (\d+)", (NIGHTLY / "settle-nightly.cron").read_text("utf-8"), re.M).groups()
    assert START == f"*-*-* {hour:0>2}:{minute:0>2}:00"


def test_units(tmp_path):
    units = [tmp_path / f"settle-nightly{kind}" for kind in (".service", ".timer", "-failed.service")]
    for unit in units:
        # The script need not be installed here.
        text = (NIGHTLY / unit.name).read_text("utf-8")
        unit.write_text(re.sub("^ExecStart=/usr/local/bin/settle-nightly", f"ExecStart={NIGHTLY}/settle-nightly", text, flags=re.M))
    run("systemd-analyze", "verify", "--man=no", *units)
    run("systemd-analyze", "security", "--offline=yes", "--threshold=10", units[0])
