"""Progress on standard error."""

import time

from command import HOPELESS, PERMUTATION, Case

# 4·10^10 scores of 120 multiply-adds.
MANY_SCORES = ("construct", "--family", "permutation", "--vertices", "200000", "--gaussian", "2",
               "--method", "signature", "--heads", "6", "--head-dim", "20", "--threads", "1")
SEARCH = ("certify", *HOPELESS, "--budget", "600")


class Progress(Case):
    def test_a_terminal_sees_a_bar_after_two_seconds(self):
        for arguments, label in ((MANY_SCORES, b" s  signature"), (SEARCH, b" s  tried signature")):
            start = time.monotonic()
            process, ours = self.start_on_terminal(*arguments)
            seen = self.read_terminal(ours, until=b"] ")
            self.assertGreaterEqual(time.monotonic() - start, 2)
            seen += self.read_terminal(ours, until=label)
            self.assertRegex(seen, rb"\[#*\.*\] \d+" + label)
            if arguments == MANY_SCORES:
                self.assertIn(b" s left", seen + self.read_terminal(ours, until=b" s left"))
            process.kill()

    def test_nothing_is_drawn_elsewhere(self):
        process = self.start(*SEARCH)
        time.sleep(4)
        self.assertIsNone(process.poll())
        process.kill()
        self.assertEqual(process.communicate(), (b"", b""))

    def test_nothing_is_drawn_before(self):
        process, ours = self.start_on_terminal("bound", *PERMUTATION, "--d-model", "4")
        self.assertEqual(self.read_terminal(ours), b"")
        self.assertEqual(process.wait(60), 0)

    def test_the_line_is_cleared(self):
        process, ours = self.start_on_terminal("certify", *HOPELESS, "--budget", "3")
        seen = self.read_terminal(ours)
        self.assertEqual(process.wait(60), 3)
        self.assertIn(b"\r\x1b[Kqkcert: no channel was certified", seen)
