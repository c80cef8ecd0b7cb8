"""Runs the training in a separate process, prints its lines as Ray's driver does, and writes them whole to the place where Ray's worker does."""
import os
import socket
import subprocess
import sys

rank, host = os.environ.get("NODE_RANK", "0"), socket.gethostname()
training = subprocess.Popen(
    [sys.executable, "-u", *sys.argv[1:]], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
)
folder = os.path.join(os.environ["OUTPUTS_BASE_DIR"], os.environ["JOB_DIR"], "ray_logs", host)
os.makedirs(folder, exist_ok=True)
with open(os.path.join(folder, f"worker-{os.urandom(28).hex()}-01000000-{os.getpid()}.out"), "w", buffering=1) as worker:

    def say(line):
        worker.write(line + "\n")
        print(f"\x1b[36m(MaxTextTrainerActor pid={os.getpid()})\x1b[0m {line}", flush=True)

    say(f"[Node {rank} @ {host}] Launching training subprocess: {sys.executable} -u {sys.argv[1]} ...")
    say(f"[Node {rank} @ {host}] Training subprocess started (pid={training.pid})")
    for text in training.stdout:
        say(text.rstrip("\n"))
    code = training.wait()
    if code < 0:
        say(f"[Node {rank} @ {host}] Training subprocess killed by signal {-code} (signal {-code})")
    elif code:
        say(f"[Node {rank} @ {host}] Training subprocess exited with code {code}")
sys.exit(code if code >= 0 else 128 - code)
