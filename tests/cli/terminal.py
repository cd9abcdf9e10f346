"""Runs a command on a terminal of its own and presses q once every text of SEEN (separated by ;) was there. What it wrote
becomes the file "screen". LINES: of the terminal, 24; WIDTH: its columns, 80.

usage: terminal.py COMMAND [ARGUMENT…]
"""
import fcntl
import os
import pty
import select
import struct
import sys
import termios
import time

child, fd = pty.fork()
if child == 0:
    os.environ["TERM"] = "xterm"
    fcntl.ioctl(2, termios.TIOCSWINSZ, struct.pack("HHHH", int(os.environ.get("LINES", "24")),
                                                   int(os.environ.get("WIDTH", "80")), 0, 0))
    os.execvp(sys.argv[1], sys.argv[1:])
wanted = [text.encode() for text in ["q stops here", *os.environ.get("SEEN", "").split(";")]]
seen, pressed, end = b"", False, time.time() + 90
while time.time() < end:
    if select.select([fd], [], [], 0.2)[0]:
        try:
            more = os.read(fd, 65536)
        except OSError:
            break
        if not more:
            break
        seen += more
    if not pressed and all(text in seen for text in wanted):
        os.write(fd, b"q")
        pressed = True
open("screen", "wb").write(seen)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
