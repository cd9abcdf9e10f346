#!/usr/bin/env python3
"""Kills tare with SIGKILL at random moments while it measures, and looks at the store each time.

usage: store_kills.py TARE HOW-OFTEN
A round that had ended must be there, but for the one that was being saved and those that were ordered together with it; the file must be sound; the next run works on it.
Each command adds a byte to a file, so that what was run is known without tare. Prints one line; fails with what is wrong.
"""
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

tare, times = os.path.abspath(sys.argv[1]), int(sys.argv[2])
made = random.Random(7)
TOGETHER = 24  # rounds of two runs: 48 are ordered at once (docs/store.md)
early = rounds_seen = 0
with tempfile.TemporaryDirectory() as folder:
    environment = {**os.environ, "XDG_DATA_HOME": folder}
    store, log = f"{folder}/tare/tare.db", f"{folder}/log"
    command = f"sh -c 'printf x >>{log}'"
    for kill in range(times):
        open(log, "w").close()
        run = subprocess.Popen([tare, "run", "--progress", "none", "--design", "turns", "--metric", "cpu", "-w", "1", "-r", "100000",
                                "-n", "a", command, "-n", "b", command], env=environment, cwd=folder,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        # One in four at any moment, the others while it measures.
        for _ in range(0 if kill % 4 == 0 else 500):
            if os.path.getsize(log) >= 4:
                break
            time.sleep(0.01)
        time.sleep(made.uniform(0.01, 0.35))
        run.send_signal(signal.SIGKILL)
        run.wait()
        time.sleep(0.02)
        finished = max(os.path.getsize(log) - 2, 0) // 2
        if not os.path.exists(store):
            assert finished <= 1, f"kill {kill}: {finished} rounds and no store"
            early += 1
            continue
        database = sqlite3.connect(store)
        assert database.execute("PRAGMA integrity_check").fetchone()[0] == "ok", f"kill {kill}: the store is damaged"
        if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'round'").fetchone():
            assert finished <= 1, f"kill {kill}: {finished} rounds and no tables"
            early += 1
            continue
        found = database.execute("SELECT (SELECT count(*) FROM round WHERE experiment = e.id) FROM experiment e"
                                 " WHERE pid = ?", (run.pid,)).fetchone()
        saved = found[0] if found else 0
        database.close()
        assert saved >= finished - 1 - TOGETHER, f"kill {kill}: {finished} rounds were finished, {saved} are saved"
        early += saved == 0
        rounds_seen += saved
    check = subprocess.run([tare, "history", "verify"], env=environment, cwd=folder, capture_output=True, text=True)
    assert check.returncode == 0, check.stderr
    last = subprocess.run([tare, "run", "--progress", "none", "-r", "3", command], env=environment, cwd=folder, capture_output=True, text=True)
    assert last.returncode == 0 and "store" not in last.stderr, last.stderr
print(f"{times} kills: every store sound, no finished round lost ({rounds_seen} saved; {early} killed before the first)")
