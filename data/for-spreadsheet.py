"""Makes a report readable for a spreadsheet with a decimal comma: for-spreadsheet.py REPORT.csv >report.csv"""
import csv
import json
import os
import subprocess
import sys

package = json.loads(subprocess.check_output(["settle", "schema", "--reports"]))
(table,) = (table for table in package["resources"] if table["path"] == os.path.basename(sys.argv[1]))
amounts = {field["name"] for field in table["schema"]["fields"] if field["type"] == "number"}
with open(sys.argv[1], encoding="utf-8", newline="") as report:
    rows = csv.DictReader(report)
    written = csv.DictWriter(sys.stdout, rows.fieldnames, delimiter=";", lineterminator="\n")
    written.writeheader()
    for row in rows:
        written.writerow({name: text.replace(".", ",") if name in amounts else text for name, text in row.items()})
