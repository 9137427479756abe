"""qkcert verify --hardware and --weights."""

import json
import os
import struct

import command
from command import CODE, Case

LAYER = ("--transposed", "--heads", "2", "--one-hot")


def weights(name):
    return os.path.join(command.SOURCE, "examples", "weights", name)


def tensors(**arrays):
    """A safetensors file of float32 matrices."""
    header, data = {}, b""
    for name, rows in arrays.items():
        content = b"".join(struct.pack("<f", x) for row in rows for x in row)
        header[name] = {"dtype": "F32", "shape": [len(rows), len(rows[0])],
                        "data_offsets": [len(data), len(data) + len(content)]}
        data += content
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


class Hardware(Case):
    def test_a_channel_that_is_safe(self):
        self.run_command(*CODE, "-o", "code.qkc")
        for form in ("fp32", "fp16", "bf16"):
            said = self.text("verify", "--hardware", form, "code.qkc", "-o", form + ".qkc")
            for word in ("float-safe: 16 vertices", form, "in any order", "least margin ", "at the pair (",
                         "not covered", "tensor cores", "TF32", "reassociation", "1/√d_k"):
                self.assertIn(word, said)
            again = self.text("verify", form + ".qkc")
            self.assertEqual(said.split(": ", 1)[1], again.split(": ", 1)[1])
            self.assertIn("float-safe", self.text("info", form + ".qkc"))
        report = self.json("verify", "--hardware", "bf16", "code.qkc")
        self.assertEqual((report["status"], report["claim"], report["format"]),
                         ("holds", "float-safe", "bf16"))
        self.leaves_only("code.qkc", "fp32.qkc", "fp16.qkc", "bf16.qkc")

    def test_a_channel_that_is_exact_and_not_safe(self):
        self.run_command("construct", "--family", "functional", "--vertices", "9", "--one-hot", "--method",
                         "onehot-neighborly", "-o", "exact.qkc")
        self.text("verify", "exact.qkc")
        for form in ("fp32", "fp16", "bf16"):
            out, err = self.run_command("verify", "--hardware", form, "exact.qkc", "-o", "no.qkc", status=1)
            self.assertEqual((out, err.count(b"\n")), (b"", 1))
            self.assertRegex(err.decode(), r"dge \(\d+, \d+\) is not safe in floats: .*0\.\d+ times the error bound")
        self.leaves_only("exact.qkc")

    def test_a_false_certificate_and_other_claims(self):
        self.run_command(*CODE, "-o", "code.qkc")
        self.write("false.qkc", self.read("code.qkc")[:-2] + b"x\n")
        self.run_command("verify", "--hardware", "bf16", "false.qkc", status=1)
        self.run_command("bound", "--family", "permutation", "--vertices", "16", "--d-model", "8", "-o", "bound.qkc")
        _, err = self.run_command("verify", "--hardware", "bf16", "bound.qkc", status=2)
        self.assertIn(b"expected a certificate of recovery", err)

    def test_usage(self):
        self.run_command(*CODE, "-o", "code.qkc")
        self.refused("verify", "--hardware", "fp8", "code.qkc", says="--hardware")
        self.refused("verify", "code.qkc", "-o", "x.qkc", says="--hardware")
        self.refused("verify", "--hardware", "bf16", "code.qkc", "code.qkc", "-o", "x.qkc", says="-o")
        self.refused("verify", "--hardware", "bf16", "code.qkc", "-o", "code.qkc", says="replace an input")


class Weights(Case):
    def verified(self, name, *options, **more):
        return self.json("verify", "--weights", weights(name), *options, *LAYER, "--graph",
                         weights("edges.tsv"), **more)

    def test_exact_recovery_is_certified(self):
        fused = self.verified("layer.safetensors", "--in-proj", "self_attn.in_proj_weight", "-o", "layer.qkc")
        self.assertEqual((fused["status"], fused["claim"], fused["head_widths"]), ("holds", "recovery", [4, 4]))
        self.assertIn("recovery: 8 vertices", self.text("verify", "layer.qkc"))
        apart = self.verified("layer.npz", "--query", "q_proj.weight", "--key", "k_proj.weight")
        for report in (fused, apart):
            first, second, union = report["decisions"]
            self.assertEqual([each["head"] for each in report["decisions"]], [0, 1, None])
            self.assertEqual([union[key] for key in ("true_positives", "false_positives", "false_negatives",
                                                     "true_negatives")], [8, 0, 0, 56])
            self.assertEqual(str(union["threshold"]), str(report["threshold"]))
            self.assertGreater(second["false_positives"] + second["false_negatives"], 0)
            self.assertEqual(first["true_positives"], 8)
        text = self.text("verify", "--weights", weights("layer.npz"), "--query", "q_proj.weight", "--key",
                         "k_proj.weight", *LAYER, "--graph", weights("edges.tsv"))
        for said in ("2 heads × 4", "head 0 ", "head 1 ", "all heads ", "0 false positives, 0 false negatives", "times 2^-"):
            self.assertIn(said, text)

    def test_errors_are_counted(self):
        # S = x_u·x_v on one-hot rows, the graph swaps 0 and 1 and 2 and 3: nothing is right.
        one = [[float(i == j) for j in range(4)] for i in range(4)]
        self.write("w.safetensors", tensors(q=one, k=one))
        out, err = self.run_command("verify", "--weights", "w.safetensors", "--query", "q", "--key", "k", "--graph",
                                    "edges.tsv", "--one-hot", "--json", "-o", "none.qkc", status=1)
        self.assertIn(b"0 false positives and 4 false negatives", err)
        report = json.loads(out)
        self.assertEqual((report["status"], report["certificate"], len(report["decisions"])),
                         ("does not hold", None, 2))
        self.assertEqual(report["decisions"][1]["false_negatives"], 4)
        self.leaves_only("w.safetensors")

    def test_usage(self):
        self.write("w.safetensors", tensors(q=[[1.0] * 4] * 4, k=[[float("nan")] * 4] * 4))
        base = ("verify", "--weights", "w.safetensors")
        rest = ("--graph", "edges.tsv", "--one-hot")
        self.refused(*base, *rest, says="names of the query and key")
        self.refused(*base, "--query", "q", *rest, says="--key")
        self.refused(*base, "--query", "q", "--key", "k", "--in-proj", "q", *rest, says="--in-proj")
        self.refused(*base, "--query", "q", "--key", "none", *rest, says=("'none'", "'k', 'q'"))
        self.refused(*base, "--query", "q", "--key", "k", *rest, says=("w.safetensors", "nan at row 0, column 0"))
        self.refused(*base, "--query", "q", "--key", "q", "--heads", "3", *rest, says="a multiple of 3")
        self.refused(*base, "--query", "q", "--key", "q", "--head-axis", "3", *rest, says="--head-axis")
        self.refused(*base, "--query", "q", "--key", "q", "--head-axis", "1", *rest, says="3 dimensions")
        self.refused(*base, "--query", "q", "--key", "q", says="a graph is needed")
        self.refused(*base, "--query", "q", "--key", "q", "--graph", "edges.tsv", says="an embedding is needed")
        self.refused(*base, "x.qkc", "--query", "q", "--key", "q", *rest, says="without certificates")
        self.refused("verify", "x.qkc", *rest, says="--weights")
        self.refused("verify", "x.qkc", "--query", "q", "--key", "q", says="--weights")
        self.refused("verify", "--weights", "none.npz", "--query", "q", "--key", "q", *rest, says="none.npz")
        self.refused("verify", "--weights", "edges.tsv", "--query", "q", "--key", "q", *rest, says="edges.tsv")
