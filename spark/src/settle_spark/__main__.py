"""The command settle-spark; spark-submit runs this file."""

from __future__ import annotations

import signal
import sys
import traceback
from collections.abc import Sequence

from settle_spark.arguments import parse
from settle_spark.files import reason
from settle_spark.steps import INPUT_OUTPUT, Failure
from settle_spark.uri import without_secrets


def main(arguments: Sequence[str] | None = None) -> int:
    """Settles a batch on a cluster; the exit code is that of settle run."""
    # So that no scratch directory is left behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        parsed = parse(given)
        from settle_spark.job import settle  # Load Spark only if the command line is valid.

        return settle(parsed)
    except Exception as error:
        if "--debug" in given:
            traceback.print_exc()
        # Python would end with 1, which means that the batch is settled.
        code = error.code if isinstance(error, Failure) else INPUT_OUTPUT
        message = str(error) if isinstance(error, Failure) else f"{type(error).__name__}: {reason(error)}"
        message = without_secrets(message.removeprefix("settle: error: "))
        print(f"settle-spark: error: {message}", file=sys.stderr)
        return code


if __name__ == "__main__":
    sys.exit(main())
