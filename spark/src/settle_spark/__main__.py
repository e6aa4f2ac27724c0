"""The command settle-spark; spark-submit takes this file."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from settle_spark.arguments import parse
from settle_spark.steps import Failure


def main(arguments: Sequence[str] | None = None) -> int:
    """Settles a batch on a cluster; the exit code is that of settle run."""
    try:
        parsed = parse(sys.argv[1:] if arguments is None else arguments)
        from settle_spark.job import settle  # Spark is loaded only once the command line is right.

        return settle(parsed)
    except Failure as failure:
        print(f"settle-spark: {failure}", file=sys.stderr)
        return failure.code


if __name__ == "__main__":
    sys.exit(main())
