"""Loads the reports of directories into SQLite, every field as text: to-sqlite.py DATABASE DIR..."""
import csv
import pathlib
import sqlite3
import sys

database = sqlite3.connect(sys.argv[1])
for directory in map(pathlib.Path, sys.argv[2:]):
    counts = []
    for report in sorted(directory.glob("*.csv")):
        with report.open(encoding="utf-8", newline="") as file:
            rows = csv.reader(file)
            columns = ["night", *next(rows)]
            # Text keeps an amount as it is written; any other type would make a float of it.
            named = ", ".join(f'"{column}" TEXT' for column in columns)
            database.execute(f'CREATE TABLE IF NOT EXISTS "{report.stem}" ({named}) STRICT')
            places = ", ".join("?" for _ in columns)
            added = database.executemany(
                f'INSERT INTO "{report.stem}" VALUES ({places})', ([str(directory), *row] for row in rows))
            counts.append(f"{report.stem} {max(added.rowcount, 0)}")
    # All reports of a directory, or none.
    database.commit()
    print(f"{directory}: {', '.join(counts)}")
