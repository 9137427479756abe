"""What holds for every verb: help, version, options, standard output."""

import os
import re
import shlex
import shutil

import command
from command import BAD_NUMBERS, CODE, PERMUTATION, Case, npy

VERBS = ("certify", "search", "construct", "verify", "bound", "refute", "advantage", "records",
         "table", "transition", "check", "softmax", "info")
COUNTING = ("bound", *PERMUTATION, "--d-model", "8")


class Help(Case):
    def test_names_every_verb_and_status(self):
        text = self.text("--help")
        for verb in VERBS:
            self.assertRegex(text, r"\n  %s  " % verb)
        for status in ("0 the claim holds", "1 it does not", "2 wrong usage", "3 undecided"):
            self.assertIn(status, text)

    def test_fits_a_terminal(self):
        for arguments in ((), *((verb,) for verb in VERBS)):
            for line in self.text(*arguments, "--help").splitlines():
                self.assertLessEqual(len(line), 100, line)

    def test_has_examples_that_work(self):
        self.run_command(*CODE, "-o", "channel.qkc")
        shutil.copy(os.path.join(command.SOURCE, "examples", "tables", "permutations.toml"),
                    self.folder)
        os.mkdir(self.path("claims"))
        self.write("claims/theory.toml", b'[[claim]]\nid = "a"\nstatement = "s"\nsource = "t"\n'
                   b'kind = "certificate"\ncertificate = "../channel.qkc"\n')
        for verb in VERBS:
            text = self.text(verb, "--help")
            example = re.search(r"Example:\n  qkcert (.+)\n", text)
            self.assertIsNotNone(example, verb)
            arguments = shlex.split(example[1])
            self.assertEqual(arguments[0], verb)
            self.text(*arguments)

    def test_lists_the_options_that_stay(self):
        graph = "--graph --family --vertices --degree --edges --json"
        search = (graph + " --graph-seed --embedding --gaussian --embedding-bits --embedding-seed"
                  " --one-hot --method --heads --head-dim --weight-max --budget --seed --threads"
                  " -o,--output")
        options = {"certify": search, "construct": search + " --list",
                   "verify": "--threads --json", "bound": graph + " --d-model --weight-max -o",
                   "advantage": search + " --class --d-model",
                   "records": "--cell --budget --seed --threads --check --replay --table-only",
                   "table": "-o,--output --format --json --threads",
                   "info": graph + " --graph-seed --embedding --gaussian --one-hot"}
        for verb, names in options.items():
            text = self.text(verb, "--help")
            for name in names.split():
                self.assertRegex(text, r"\n  %s[ ,]" % name, verb)

    def test_version(self):
        self.assertRegex(self.text("--version"), r"^qkcert \d+\.\d+\.\d+\n$")


class Usage(Case):
    def test_a_verb_is_needed(self):
        self.refused(says="a verb is needed")
        self.refused("--json", says="--json")
        self.refused("recover", says="recover")
        self.refused(*COUNTING, "info", says="info")

    def test_unknown_options(self):
        for verb in VERBS:
            self.refused(verb, "--frob", "x.qkc")
            self.refused(verb, "--jso", "x.qkc")
        self.refused(*COUNTING, "--frob", says="--frob")
        self.refused(*COUNTING, "extra", says="extra")
        self.refused(*COUNTING, "--seed", "1", says="--seed")

    def test_missing_and_repeated_values(self):
        for option in ("--vertices", "--weight-max", "-o"):
            self.refused(*COUNTING, option, says=option)
        self.refused(*COUNTING, "--d-model", "9", says="--d-model")

    def test_numbers_are_strict(self):
        for bad in BAD_NUMBERS:
            for option in ("--vertices", "--degree", "--edges", "--weight-max"):
                self.refused("bound", "--family", "permutation", "--d-model", "8", option, bad,
                             says=(option, "expected"))
            for option in ("--heads", "--head-dim", "--seed", "--threads", "--weight-max",
                           "--graph-seed", "--embedding-bits", "--embedding-seed", "--gaussian"):
                self.refused("certify", "--family", "permutation", option, bad,
                             says=(option, "expected"))
            if bad != "5.0":
                self.refused("certify", "--budget", bad, says=("--budget", "expected"))

    def test_numbers_have_ranges(self):
        self.refused("bound", "--vertices", str(2**64), says="from 1 to 2^64 - 1")
        for option in ("--vertices", "--heads", "--head-dim", "--weight-max", "--gaussian",
                       "--embedding-bits"):
            self.refused("certify", option, "0", says=option)
        self.refused("certify", "--embedding-bits", "53", says="from 1 to 52")
        self.refused("certify", "--threads", "1025", says="from 0 to 1024")
        for bad in ("1000000.1", "1.", ".5", "1e9", "inf", "nan", "00.5", "1,5"):
            self.refused("certify", "--budget", bad, says="--budget")
        huge = self.json("bound", *PERMUTATION, "--d-model", "9" * 30, "--weight-max", "9" * 30)
        self.assertEqual((huge["d_model"], huge["weight_max"]), ("9" * 30, "9" * 30))

    def test_sizes_beyond_the_machine(self):
        for vertices in (2**32, 2**63, 2**64 - 1):
            self.refused("certify", "--family", "functional", "--vertices", str(vertices),
                         "--gaussian", "4")
        self.refused(*CODE, "--gaussian", "4", says="--gaussian")
        self.refused("info", "--gaussian", str(2**62), "--vertices", "16")
        self.refused("certify", *PERMUTATION, "--gaussian", "4", "--method", "fit", "--heads",
                     str(2**63), "--head-dim", "4")


class Graphs(Case):
    def test_one_graph_is_needed(self):
        for verb in ("certify", "construct"):
            method = ("--method", "onehot-code") if verb == "construct" else ()
            self.refused(verb, "--one-hot", *method, says="a graph is needed")
            self.refused(verb, "--one-hot", "--vertices", "4", *method, says="a graph is needed")
            self.refused(verb, "--graph", "edges.tsv", *PERMUTATION, "--one-hot",
                         says=("--graph", "--family"))
        self.refused("info", "--graph", "edges.tsv", *PERMUTATION, says=("--graph", "--family"))
        self.refused("bound", "--d-model", "4", says="a class is needed")

    def test_family_arguments(self):
        def family(name, *arguments, says):
            for verb in (("bound", "--d-model", "4"), ("info",), ("certify", "--one-hot")):
                self.refused(*verb, "--family", name, *arguments, says=says)

        family("permutation", says="--vertices")
        family("nonsense", "--vertices", "4", says=("nonsense", "permutation", "matching"))
        family("permutation", "--vertices", "4", "--degree", "2", says="--degree")
        family("permutation", "--vertices", "4", "--edges", "2", says="--edges")
        family("out-regular", "--vertices", "4", says="--degree")
        family("out-regular", "--vertices", "4", "--degree", "2", "--edges", "8", says="--edges")
        family("out-regular", "--vertices", "4", "--degree", "4", says="out-regular")
        family("digraph", "--vertices", "4", says="--edges")
        family("digraph", "--vertices", "4", "--edges", "13", says="digraph")
        family("matching", "--vertices", "4", "--edges", "3", says="matching")
        family("out-degrees", "--vertices", "4", says="--graph")

    def test_options_that_go_with_others(self):
        for options, needed in ((("--degree", "2"), "--family"), (("--edges", "2"), "--family"),
                                (("--graph-seed", "2"), "--family"),
                                (("--vertex-names", "names.txt"), "--graph"),
                                (("--embedding-bits", "9"), "--gaussian"),
                                (("--embedding-seed", "9"), "--gaussian")):
            self.refused("info", *options, says=(options[0], needed))

    def test_every_family_is_drawn(self):
        expected = {"permutation": 12, "derangement": 12, "functional": 12, "matching": 12,
                    "out-regular --degree 3": 36, "digraph --edges 40": 40,
                    "digraph-loops --edges 41": 41, "matching --edges 2": 4}
        for family, edges in expected.items():
            facts = self.json("info", "--vertices", "12", "--family", *family.split())
            self.assertEqual((facts["vertices"], facts["edges"]), (12, edges), family)

    def test_the_seed_chooses_the_graph(self):
        def certificate(*seed):
            return self.run_command(*CODE, *seed, "-o", "-")[0]

        self.assertEqual(certificate(), certificate("--graph-seed", "1"))
        self.assertNotEqual(certificate(), certificate("--graph-seed", "2"))

    def test_files(self):
        self.write("names.txt", b"hot\ncold\nlonely\n")
        self.write("named.tsv", b"hot\tcold\ncold\thot\n")
        for arguments in (("named.tsv", "--vertex-names", "names.txt"),
                          ("edges.tsv", "--vertices", "9"), ("edges.tsv",)):
            self.json("info", "--graph", *arguments)
        self.assertEqual(self.json("info", "--graph", "edges.tsv", "--vertices", "9")["vertices"], 9)
        self.refused("info", "--graph", "none.tsv", says="none.tsv")
        self.refused("info", "--graph", ".", says="Is a directory")
        self.write("bad.tsv", b"# a comment\n0 1\n1 x\n")
        self.refused("info", "--graph", "bad.tsv", says="bad.tsv: line 3")
        self.refused("bound", "--graph", "bad.tsv", "--d-model", "4", says="bad.tsv: line 3")
        self.write("empty.tsv", b"")
        self.refused("certify", "--graph", "empty.tsv", "--gaussian", "4", says="at least one vertex")


class Embeddings(Case):
    def test_one_embedding_is_needed(self):
        self.refused("certify", *PERMUTATION, says="an embedding is needed")
        pairs = ((("--one-hot",), ("--gaussian", "4")), (("--one-hot",), ("--embedding", "e.npy")),
                 (("--gaussian", "4"), ("--embedding", "e.npy")))
        for first, second in pairs:
            for verb in ("certify", "construct", "info"):
                self.refused(verb, *PERMUTATION, *first, *second, says=(first[0], second[0]))

    def test_rows_are_vertices(self):
        self.write("five.npy", npy([[1, 2]] * 5))
        for verb in (("certify",), ("construct", "--method", "fit"), ("info",)):
            self.refused(*verb, "--graph", "edges.tsv", "--embedding", "five.npy",
                         says=("five.npy", "expected 4 rows", "found 5"))

    def test_files(self):
        self.refused("info", "--embedding", "none.npy", says="none.npy")
        self.write("cut.npy", self.read("embedding.npy")[:-1])
        self.refused("info", "--embedding", "cut.npy", says="cut.npy: byte ")
        self.write("ten.npy", self.read("embedding.npy")[:10])
        self.refused("info", "--embedding", "ten.npy", says="ten.npy: byte ")
        self.write("text.npy", b"0 1\n")
        self.refused("certify", "--graph", "edges.tsv", "--embedding", "text.npy",
                     says="text.npy: byte 0")

    def test_standard_input(self):
        edges, rows = self.read("edges.tsv"), self.read("embedding.npy")
        both = self.json("info", "--graph", "edges.tsv", "--embedding", "embedding.npy")
        self.assertEqual(both, self.json("info", "--graph", "-", "--embedding", "embedding.npy",
                                         stdin=edges))
        self.assertEqual(both, self.json("info", "--graph", "edges.tsv", "--embedding", "-",
                                         stdin=rows))
        self.write("names.txt", b"0\n1\n2\n3\n")
        self.json("info", "--graph=edges.tsv", "--vertex-names=-", stdin=b"0\n1\n2\n3\n")
        for verb in ("certify", "info"):
            self.refused(verb, "--graph", "-", "--embedding", "-", says="standard input")
            self.refused(verb, "--graph", "-", "--vertex-names", "-", says="standard input")
        self.refused("bound", "--d-model", "4", "--graph", "-", "--vertex-names", "-",
                     says="standard input")
        self.refused("info", "--graph", "-", stdin=b"0 1 2\n", says="line 1")


class StandardOutput(Case):
    def test_that_cannot_be_written(self):
        self.run_command(*CODE, "-o", "code.qkc")
        for arguments in (("--help",), ("--version",), ("certify", "--help"), CODE,
                          (*CODE, "-o", "-"), (*CODE, "--json"), ("construct", "--list"),
                          COUNTING, ("verify", "code.qkc"), ("info", "code.qkc"),
                          ("info", "--graph", "edges.tsv")):
            with open("/dev/full", "wb") as full:
                _, err = self.run_command(*arguments, status=2, stdout=full)
                self.assertIn(b"standard output: cannot be written", err, arguments)

    def test_that_nobody_reads(self):
        ours, theirs = os.pipe()
        os.close(ours)
        _, err = self.run_command(*CODE, status=2, stdout=theirs)
        os.close(theirs)
        self.assertIn(b"standard output: cannot be written", err)
