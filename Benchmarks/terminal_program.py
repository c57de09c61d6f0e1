"""A full-screen program in a pseudo terminal, and the times that it needs to draw."""

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time


class TerminalProgram:
    """Starts a program in a pseudo terminal of 40 lines and reads what it draws."""

    def __init__(self, arguments, environment, columns=120):
        self.output = bytearray()
        self.started = time.perf_counter()
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
            os.execvpe(arguments[0], arguments, environment)
        os.set_blocking(self.terminal, False)

    def read(self, timeout):
        """Reads once; returns the time of the read, or None if nothing came or the program has ended."""
        if not select.select([self.terminal], [], [], timeout)[0]:
            return None
        try:
            data = os.read(self.terminal, 1 << 16)
        except OSError:
            return None
        if not data:
            return None
        now = time.perf_counter()
        self.output += data
        return now

    def wait_for(self, text, timeout=120):
        """Returns the milliseconds from the start until the text was drawn."""
        expected = text.encode()
        deadline = time.perf_counter() + timeout
        while (now := self.read(max(0, deadline - time.perf_counter()))) is not None:
            if expected in self.output:
                return (now - self.started) * 1000
        raise TimeoutError(f"{text!r} was not drawn: {bytes(self.output[-2000:])!r}")

    def settle(self, quiet=0.3):
        """Reads until nothing has come for `quiet` seconds."""
        while self.read(quiet) is not None:
            pass

    def press(self, keys, quiet=0.06):
        """Presses keys; returns the milliseconds from them to the last byte drawn for them, and the number of bytes."""
        before = len(self.output)
        pressed = time.perf_counter()
        os.write(self.terminal, keys if isinstance(keys, bytes) else keys.encode())
        last = pressed
        # The first byte may take long; after it, silence means that the frame is complete.
        now = self.read(3)
        while now is not None:
            last = now
            now = self.read(quiet)
        return (last - pressed) * 1000, len(self.output) - before

    def peak_memory(self):
        """The peak of resident memory, in MB."""
        with open(f"/proc/{self.pid}/status") as status:
            for line in status:
                if line.startswith("VmHWM"):
                    return int(line.split()[1]) * 1024 / 1e6
        return 0

    def cpu_time(self):
        """The processor time of all threads of the program, in seconds."""
        with open(f"/proc/{self.pid}/stat") as stat:
            fields = stat.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.terminal)
