"""Like upstream since 22 December 2025: log messages are INFO records of absl's logger, which by default shows only
warnings. maxtext-slurm calls the training itself and does not change that."""
import datetime
import os
import sys
import threading

shown = os.environ.get("MAXTEXT_RELEASE") == "absl"


def log(text):
    if shown:
        now = datetime.datetime.now().strftime("%m%d %H:%M:%S.%f")
        print(f"I{now} {threading.get_native_id():>7} metric_logger.py:180] {text}", file=sys.stderr, flush=True)
