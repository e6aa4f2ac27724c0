"""The command settle-spark; spark-submit runs this file."""

from __future__ import annotations

import signal
import sys
import traceback
from collections.abc import Sequence

from settle_spark.arguments import parse
from settle_spark.steps import INPUT_OUTPUT, Failure


def main(arguments: Sequence[str] | None = None) -> int:
    """Settles a batch on a cluster; the exit code is that of settle run."""
    # So that no scratch directory is left behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        parsed = parse(sys.argv[1:] if arguments is None else arguments)
        from settle_spark.job import settle  # Load Spark only if the command line is valid.

        return settle(parsed)
    except Failure as failure:
        print(f"settle-spark: error: {str(failure).removeprefix('settle: error: ')}", file=sys.stderr)
        return failure.code
    except Exception as error:
        # Python would end with 1, which means that the batch is settled.
        traceback.print_exc()
        print(f"settle-spark: error: {error}", file=sys.stderr)
        return INPUT_OUTPUT


if __name__ == "__main__":
    sys.exit(main())
