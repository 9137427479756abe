#!/usr/bin/env python3
"""Checks certificates by docs/certificate-format.md alone, with Python's standard library.

usage: independent_checker.py FILE...

It shares no code with qkcert. For each file that holds it prints one line that restates the claim; else
one line on standard error says why not. Exit status 0 when every file holds, else 1.
"""

import hashlib
import itertools
import math
import re
import sys
import zlib
from fractions import Fraction
from operator import mul

INTEGER = r"(?:0|-?[1-9][0-9]*)"
ROW = re.compile(rf"{INTEGER}(?: {INTEGER})*")
# No family with a size of more bits is computed here: Python would take minutes.
MAX_FAMILY_BITS = 1 << 24
MAX_BYTES = 1 << 33


class Refused(Exception):
    """The file is not a true, canonical certificate."""


class TooLarge(Refused):
    """It may be one, but this program does not decide numbers of that size."""


class Lines:
    """The lines of a certificate, one by one; counts are believed only as far as lines are there."""

    def __init__(self, data):
        if not data.endswith(b"\n"):
            raise Refused("the last line does not end in a newline")
        strange = re.search(rb"[^\n\x20-\x7e]", data)
        if strange:
            line = data.count(b"\n", 0, strange.start()) + 1
            raise Refused(f"line {line}: byte {strange.group()[0]:#04x} is not printable ASCII")
        self.lines = data[:-1].decode("ascii").split("\n")
        self.at = 0

    def refuse(self, expected):
        raise Refused(f"line {self.at}: expected {expected}")

    def next(self, expected):
        self.at += 1
        if self.at > len(self.lines):
            self.refuse(f"{expected}, found the end")
        return self.lines[self.at - 1]

    def literal(self, text):
        if self.next(repr(text)) != text:
            self.refuse(repr(text))

    def choose(self, texts):
        line = self.next(" or ".join(map(repr, texts)))
        if line not in texts:
            self.refuse(" or ".join(map(repr, texts)))
        return line

    def labelled(self, label):
        """The words behind `label` on the next line, not parsed."""
        line = self.next(repr(label))
        if not line.startswith(label + " "):
            self.refuse(f"a line that begins with {label!r}")
        return line[len(label) + 1:]

    def parse(self, text, count):
        """Exactly `count` canonical integers with one space between (count None: at least one)."""
        if count == 0:
            if text:
                self.refuse("an empty line")
            return []
        if not ROW.fullmatch(text):
            self.refuse("canonical integers with one space between")
        words = text.split(" ")
        if count is not None and len(words) != count:
            self.refuse(f"{count} integers, found {len(words)}")
        return [int(word) for word in words]

    def row(self, count):
        return self.parse(self.next(f"{count} integers"), count)

    def numbers(self, label, *least):
        """The integers behind `label`, as many as `least` has bounds, each at least its bound."""
        values = self.parse(self.labelled(label), len(least))
        for value, bound in zip(values, least):
            if bound is not None and value < bound:
                self.refuse(f"an integer of at least {bound}, found {value}")
        return values

    def matrix(self, rows, cols):
        # The loop ends at the end of the file whatever `rows` says; a row is as long as its line.
        matrix = []
        while len(matrix) < rows:
            matrix.append(self.row(cols))
        return matrix


def pairs(lines, count, vertices, extra):
    """`count` strictly increasing lines `u v` with `extra` more integers each: {(u, v): extras}."""
    found = {}
    last = (-1, -1)
    while len(found) < count:
        u, v, *rest = lines.row(2 + extra)
        if not (0 <= u < vertices and 0 <= v < vertices):
            lines.refuse(f"vertices from 0 to {vertices - 1}")
        if (u, v) <= last:
            lines.refuse("pairs in strictly increasing order")
        last = (u, v)
        found[last] = rest
    return found


def graph_and_embedding(lines):
    vertices, edge_count = lines.numbers("graph", 0, 0)
    edges = set(pairs(lines, edge_count, vertices, 0))
    rows, d_model = lines.numbers("embedding", 0, 0)
    if rows != vertices:
        lines.refuse(f"{vertices} rows, one for each vertex")
    return vertices, edges, d_model, lines.matrix(rows, d_model)


def project(rows, weights):
    columns = list(zip(*weights))
    return [[sum(map(mul, row, column)) for column in columns] for row in rows]


def decoder_and_heads(lines, d_model, decoder="threshold-max"):
    """τ, and for each head its width and weights."""
    (tau,) = lines.numbers(f"decoder {decoder}", None)
    return tau, read_heads(lines, d_model)


def read_heads(lines, d_model):
    """For each head its width and weights."""
    (count,) = lines.numbers("heads", 1)
    heads = []
    while len(heads) < count:
        (width,) = lines.numbers("head", 1)
        lines.literal("query")
        query = lines.matrix(d_model, width)
        lines.literal("key")
        heads.append((width, query, lines.matrix(d_model, width)))
    return heads


def recovery(lines):
    vertices, edges, d_model, x = graph_and_embedding(lines)
    tau, heads = decoder_and_heads(lines, d_model)
    count = len(heads)
    key_dimension = sum(width for width, _, _ in heads)
    stated = lines.labelled("extremes").split(" ")
    if len(stated) != 2:
        lines.refuse("two extremes")
    stated = [None if word == "-" else lines.parse(word, 1)[0] for word in stated]

    def decide():
        projected = [(project(x, query), project(x, key)) for _, query, key in heads]
        least = greatest = None
        for u in range(vertices):
            best = None
            for queries, keys in projected:
                query = queries[u]
                scores = [sum(map(mul, query, key)) for key in keys]
                best = scores if best is None else list(map(max, best, scores))
            for v, score in enumerate(best):
                if (u, v) in edges:
                    if least is None or score < least:
                        least = score
                elif greatest is None or score > greatest:
                    greatest = score
        for name, value, exact in zip(("least edge", "greatest non-edge"), stated, (least, greatest)):
            if value != exact:
                raise Refused(f"the {name} score is {exact}, stated is {value}")
        if least is not None and least <= tau:
            raise Refused(f"the least edge score {least} is not above {tau}")
        if greatest is not None and greatest > tau:
            raise Refused(f"the greatest non-edge score {greatest} is above {tau}")
        return (f"recovery: {vertices} vertices, {len(edges)} edges, d_model {d_model}: {len(heads)} heads of "
                f"D_K {key_dimension} recover every context's neighbours under threshold-max {tau}")

    return decide


def exponential(top, bottom, bits):
    """low <= 2^bits·e^(-top/bottom) <= high, for top >= 0."""
    if top >= bottom * bits:
        return 0, 1
    squarings = (top // bottom).bit_length() + 1
    work = bits + squarings + 64
    x = (top << work) // (bottom << squarings)  # x <= 2^work·top/(bottom·2^squarings) < x + 1, x < 2^(work-1)
    term = total = 1 << work
    n = 0
    while term:
        n += 1
        term = term * x // (n << work)
        total += term if n % 2 == 0 else -term
    # Each of n < 4·work terms is cut by less than 2, x by 1, and the tail is below 1. A squaring of a number
    # below 1 at most doubles the error, and adds 1 by its own cut.
    error = 8 * work + 8
    for _ in range(squarings):
        total = total * total >> work
        error = 2 * error + 2
    shift = work - bits
    return max((total - error) >> shift, 0), ((total + error) >> shift) + 1


def sign_of_sum(terms, top, bottom):
    """The sign of Σ c·e^(a·top/bottom) over the pairs (a, c)."""
    collected = {}
    for exponent, coefficient in terms:
        collected[exponent] = collected.get(exponent, 0) + coefficient
    collected = {exponent: c for exponent, c in collected.items() if c}
    if not collected:
        return 0
    signs = {c > 0 for c in collected.values()}
    if len(signs) == 1:
        return 1 if True in signs else -1
    largest = max(collected)
    bits = 64
    while bits <= 1 << 14:
        low = high = 0
        for exponent, c in collected.items():
            bounds = exponential((largest - exponent) * top, bottom, bits)
            low += c * bounds[c < 0]
            high += c * bounds[c > 0]
        if low > 0 or high < 0:
            return 1 if low > 0 else -1
        bits *= 4
    raise TooLarge("too large to be decided: more than 2^14 bits are needed")


def softmax(lines):
    vertices, edges, d_model, x = graph_and_embedding(lines)
    (tau,) = lines.numbers("decoder softmax", None)
    beta, theta = lines.numbers("beta", 0, 1), lines.numbers("theta", 0, 1)
    if math.gcd(*beta) != 1 or math.gcd(*theta) != 1:
        lines.refuse("ratios in lowest terms")
    (size,) = lines.numbers("context-size", 2)
    heads = read_heads(lines, d_model)
    key_dimension = sum(width for width, _, _ in heads)
    lines.literal("recovering-heads")
    named = {}
    for edge in sorted(edges):
        (head,) = lines.row(1)
        if not 0 <= head < len(heads):
            lines.refuse(f"a head from 0 to {len(heads) - 1}")
        named[edge] = head

    def above(score, others):
        p, q = theta
        return sign_of_sum([(score, q - p), (tau, -p), *((other, -p) for other in others)], *beta) > 0

    def decide():
        if beta[0] <= 0 or not 0 < theta[0] < theta[1]:
            raise Refused("beta > 0 and 0 < theta < 1 are required")
        for k, (_, query, key) in enumerate(heads):
            queries, keys = project(x, query), project(x, key)
            for u in range(vertices):
                row = [sum(map(mul, queries[u], other)) for other in keys]
                for v in range(vertices):
                    if (u, v) not in edges:
                        if above(row[v], [] if u == v else [row[u]]):
                            raise Refused(f"the non-edge ({u}, {v}) is above theta in head {k}")
                    elif named[u, v] == k:
                        others = sorted((row[w] for w in range(vertices) if w not in (u, v)), reverse=True)
                        others = others[:size - len({u, v})] + ([] if u == v else [row[u]])
                        if not above(row[v], others):
                            raise Refused(f"the edge ({u}, {v}) is not above theta in head {k}")
        return (f"softmax-recovery: {vertices} vertices, {len(edges)} edges, d_model {d_model}: {len(heads)} heads "
                f"of D_K {key_dimension} recover contexts of up to {size} vertices under softmax, tau {tau}, "
                f"beta {beta[0]}/{beta[1]}, theta {theta[0]}/{theta[1]}")

    return decide


# name: precision, least and greatest exponent.
FORMATS = {"fp32": (24, -126, 127), "fp16": (11, -14, 15), "bf16": (8, -126, 127)}


def fits(x, scale, name):
    precision, least, greatest = FORMATS[name]
    if x == 0:
        return True
    size = abs(x)
    significant = size // (size & -size)
    return significant < 2 ** precision and least <= size.bit_length() - 1 + scale <= greatest


def greatest_number(name):
    precision, _, greatest = FORMATS[name]
    return (2 ** precision - 1) * Fraction(2) ** (greatest - precision + 1)


def absolute(rows):
    return [[abs(entry) for entry in row] for row in rows]


def float_safe(lines):
    name = lines.labelled("format")
    if name not in FORMATS:
        lines.refuse("fp32, fp16 or bf16")
    a, b = lines.numbers("scale", None, None)
    vertices, edges, d_model, x = graph_and_embedding(lines)
    tau, heads = decoder_and_heads(lines, d_model)

    def decide():
        precision, least, _ = FORMATS[name]
        if any(2 * d_model + width >= 2 ** 24 for width, _, _ in heads):
            raise Refused("a head is too wide")
        if not all(fits(entry, a, name) for row in x for entry in row):
            raise Refused("an entry of the embedding does not fit")
        if not all(fits(w, b, name) for _, query, key in heads for row in query + key for w in row):
            raise Refused("a weight does not fit")
        if not fits(tau, 2 * (a + b), "fp32"):
            raise Refused("the threshold does not fit")
        if a + b < least or 2 * (a + b) < -126:
            raise Refused("intermediates may be subnormal")
        if d_model == 0:
            scores = [[[(0, 0)] * vertices for _ in range(vertices)]]
            gammas = [Fraction(1)]
        else:
            scores, gammas = [], []
            for width, query, key in heads:
                g = (2 ** 24 - 2 * d_model - width) * (2 ** (precision - 1) - 1)
                gammas.append(Fraction(2 ** (precision + 23) - g, g))
                abs_query, abs_key = (project(absolute(x), absolute(w)) for w in (query, key))
                largest = max((entry for row in abs_query + abs_key for entry in row), default=0)
                if largest and (a + b > 200 or (1 + gammas[-1]) * largest * Fraction(2) ** (a + b)
                                > greatest_number(name)):
                    raise Refused("queries or keys may leave the range")
                queries, keys = project(x, query), project(x, key)
                scores.append([[(sum(map(mul, queries[u], keys[v])), sum(map(mul, abs_query[u], abs_key[v])))
                                for v in range(vertices)] for u in range(vertices)])
        for gamma, rows in zip(gammas, scores):
            largest = max((size for row in rows for _, size in row), default=0)
            if largest and (1 + gamma) * largest * Fraction(2) ** (2 * (a + b)) > greatest_number("fp32"):
                raise Refused("scores may leave the range")
        for u in range(vertices):
            for v in range(vertices):
                pair = [(gamma, *rows[u][v]) for gamma, rows in zip(gammas, scores)]
                if (u, v) in edges:
                    if not any(score - gamma * size > tau for gamma, score, size in pair):
                        raise Refused(f"the edge ({u}, {v}) is not safe")
                elif not all(score + gamma * size <= tau for gamma, score, size in pair):
                    raise Refused(f"the non-edge ({u}, {v}) is not safe")
        return (f"float-safe: {vertices} vertices, {len(edges)} edges, d_model {d_model}: {len(heads)} heads decide "
                f"every pair in {name} under threshold-max {tau} as they do exactly")

    return decide


def read_multipliers(lines, vertices, edges):
    """Both sides, as weights by pair."""
    sides = []
    for label, on_edges in (("edge-multipliers", True), ("nonedge-multipliers", False)):
        (count,) = lines.numbers(label, 0)
        multipliers = pairs(lines, count, vertices, 1)
        for pair, (weight,) in multipliers.items():
            if (pair in edges) != on_edges:
                raise Refused(f"{label}: {pair} is on the wrong side")
            if weight <= 0:
                raise Refused(f"{label}: the weight of {pair} is not positive")
        sides.append({pair: weight for pair, (weight,) in multipliers.items()})
    return sides


def common_total(sides):
    totals = [sum(side.values()) for side in sides]
    if totals[0] != totals[1] or totals[0] <= 0:
        raise Refused(f"the totals {totals[0]} and {totals[1]} are not equal and positive")
    return totals[0]


def spread(sides, x, d_model):
    """The sum of |M_ij|, M the difference of both sides' sums of w·x_uᵀx_v."""
    sums = [[0] * d_model for _ in range(d_model)]
    for side, sign in zip(sides, (1, -1)):
        for (u, v), weight in side.items():
            for row, left in zip(sums, x[u]):
                for j, right in enumerate(x[v]):
                    row[j] += sign * weight * left * right
    return sum(abs(entry) for row in sums for entry in row)


def impossibility(lines):
    vertices, edges, d_model, x = graph_and_embedding(lines)
    sides = read_multipliers(lines, vertices, edges)

    def decide():
        common_total(sides)
        if spread(sides, x, d_model) != 0:
            raise Refused("the two sums of w·x_uᵀx_v differ")
        subject = ("no channel of any number of heads, with the decoder threshold-max,"
                   if len(sides[0]) == 1 else "no single head, with a threshold decoder,")
        return (f"impossibility: {vertices} vertices, {len(edges)} edges, d_model {d_model}: {subject} "
                "recognises this graph")

    return decide


def narrow_head(lines):
    vertices, edges, d_model, x = graph_and_embedding(lines)
    (width,) = lines.numbers("width", 1)
    (weight_max,) = lines.numbers("weight-max", 1)
    sides = read_multipliers(lines, vertices, edges)

    def decide():
        if width < 1 or weight_max < 1:
            raise Refused("the width and the largest weight must be at least 1")
        if width * weight_max ** 2 * spread(sides, x, d_model) >= common_total(sides):
            raise Refused("W·A²·Σ|M_ij| is not below the total")
        subject = "no number of heads" if len(sides[0]) == 1 else "no single head"
        return (f"impossibility: {vertices} vertices, {len(edges)} edges, d_model {d_model}: {subject} of width "
                f"up to {width} and weights up to {weight_max} recognises this graph (threshold-max)")

    return decide


def heads_clique(lines):
    vertices, edges, d_model, x = graph_and_embedding(lines)
    (size,) = lines.numbers("clique", 2)
    if size < 2:
        raise Refused("a clique of at least two edges is required")
    clique = list(pairs(lines, size, vertices, 0))
    if not set(clique) <= set(edges):
        raise Refused("the clique holds a non-edge")
    clashes = [(pair, read_multipliers(lines, vertices, edges)) for pair in itertools.combinations(clique, 2)]

    def decide():
        for pair, sides in clashes:
            if not set(sides[0]) <= set(pair):
                raise Refused(f"the clash of {pair} uses a third edge")
            common_total(sides)
            if spread(sides, x, d_model) != 0:
                raise Refused(f"the two sums of w·x_uᵀx_v of the clash of {pair} differ")
        return (f"bound heads-clique: {vertices} vertices, {len(edges)} edges, d_model {d_model}: at least "
                f"{size} heads under threshold-max, a lower bound only")

    return decide


def estimate(n, k):
    """An upper bound of the bits of C(n, k)."""
    return min(k, n - k) * n.bit_length()


def derangements(m):
    older, newer = 1, 0  # of 0 and of 1 points
    for n in range(2, m + 1):
        older, newer = newer, (n - 1) * (older + newer)
    return newer


def degree_product(m, *degrees):
    return math.prod(math.comb(m - 1, degree) for degree in degrees)


# name: (number of arguments, their range, bits of the size at most, the size). All of them need m >= 1.
FAMILIES = {
    "permutation": (1, lambda m: True, lambda m: m * m.bit_length(), math.factorial),
    "derangement": (1, lambda m: True, lambda m: m * m.bit_length(), derangements),
    "functional": (1, lambda m: True, lambda m: m * m.bit_length(), lambda m: (m - 1) ** m),
    "out-regular": (2, lambda m, r: r <= m - 1, lambda m, r: m * estimate(m - 1, r),
                    lambda m, r: math.comb(m - 1, r) ** m),
    "digraph": (2, lambda m, e: e <= m * (m - 1), lambda m, e: estimate(m * (m - 1), e),
                lambda m, e: math.comb(m * (m - 1), e)),
    "digraph-loops": (2, lambda m, e: e <= m * m, lambda m, e: estimate(m * m, e),
                      lambda m, e: math.comb(m * m, e)),
    "matching": (2, lambda m, e: 2 * e <= m, lambda m, e: m * m.bit_length(),
                 lambda m, e: math.factorial(m)
                 // (math.factorial(m - 2 * e) * 2 ** e * math.factorial(e))),
}


def check_family(lines, name, arguments):
    """Refuses unknown families and arguments outside their range."""
    if not arguments or min(arguments) < 0 or arguments[0] < 1:
        lines.refuse("a family with arguments m >= 1 and no negative one")
    m = arguments[0]
    if name == "out-degrees":
        if len(arguments) != m + 1 or max(arguments[1:]) > m - 1:
            lines.refuse("m and then m out-degrees of at most m - 1")
    elif name not in FAMILIES:
        lines.refuse("a known family")
    else:
        number, in_range, _, _ = FAMILIES[name]
        if len(arguments) != number or not in_range(*arguments):
            lines.refuse(f"the arguments of {name} within their range")


def family_size(lines, name, arguments):
    check_family(lines, name, arguments)
    m = arguments[0]
    if name == "out-degrees":
        bits, size = sum(estimate(m - 1, degree) for degree in arguments[1:]), degree_product
    else:
        _, _, bits_of, size = FAMILIES[name]
        bits = bits_of(*arguments)
    if bits > MAX_FAMILY_BITS:
        raise TooLarge(f"the family may have a size of {bits} bits")
    return size(*arguments)


def reaches(base, exponent, target):
    """Whether base^exponent >= target, for base >= 2: the power is computed only when it is near."""
    if exponent * (base.bit_length() - 1) >= target.bit_length():
        return True  # base >= 2^(bits - 1)
    if exponent * base.bit_length() < target.bit_length() - 1:
        return False  # base < 2^bits and target >= 2^(target's bits - 1)
    return base ** exponent >= target


def counting(lines):
    text = lines.labelled("family")
    name, _, rest = text.partition(" ")
    arguments = lines.parse(rest, None)
    family_line = lines.at
    (d_model,) = lines.numbers("d_model", 1)
    (weight_max,) = lines.numbers("weight-max", 1)
    (key_dimension,) = lines.numbers("key-dimension", 0)

    def decide():
        lines.at = family_line
        size = family_size(lines, name, arguments)
        levels = 2 * weight_max + 1
        if not reaches(levels, 2 * d_model * key_dimension, size):
            raise Refused(f"key-dimension {key_dimension} is too low")
        if key_dimension > 0 and reaches(levels, 2 * d_model * (key_dimension - 1), size):
            raise Refused(f"key-dimension {key_dimension} is too high")
        return (f"bound counting: with weights up to {weight_max} no D_K below {key_dimension} serves every "
                f"graph of the class {text} on one embedding of d_model {d_model}; "
                "it says nothing of one chosen graph")

    return decide


def margin(lines):
    (m,) = lines.numbers("vertices", 1)
    p, q = lines.numbers("edge-ratio", None, 1)
    r, s = lines.numbers("nonedge-ratio", 0, 1)
    if p < q or math.gcd(p, q) != 1 or math.gcd(r, s) != 1:
        lines.refuse("ratios in lowest terms, that of the edges at least 1")
    (t,) = lines.numbers("power", 1)
    (rank,) = lines.numbers("rank", 1)

    def decide():
        if (2 * t * max(p, q, r, s).bit_length() > MAX_FAMILY_BITS
                or (rank > 1 and estimate(rank + t - 2, t) > MAX_FAMILY_BITS)):
            raise TooLarge("the powers are too large")
        p2, q2, r2, s2 = (each ** (2 * t) for each in (p, q, r, s))
        choices = math.comb(rank + t - 2, t) if rank > 1 else 0
        if choices * (p2 * s2 + (m - 1) * r2 * q2) >= m * q2 * s2:
            raise Refused(f"rank {rank} does not follow")
        return f"bound margin: min(d_k, rank X) >= {rank} for one head with this two-sided margin"

    return decide


def unit_heads(lines):
    vertices, edge_count = lines.numbers("graph", 0, 0)
    edges = set(pairs(lines, edge_count, vertices, 0))
    (count,) = lines.numbers("matching", 0)
    matching = list(pairs(lines, count, vertices, 0))

    def decide():
        for u, v in matching:
            for _, w in matching:
                if ((u, w) in edges) != (v == w):
                    raise Refused(f"({u}, {w}) is on the wrong side")
        if len({v for _, v in matching}) < len(matching):
            raise Refused("two edges of the matching have one target")
        return f"bound unit-heads: no channel of fewer than {(count + 1) // 2} unit heads recognises this graph"

    return decide


def class_and_embedding(lines):
    """The family's text, name, arguments and line number, D, and the rows."""
    text = lines.labelled("family")
    name, _, rest = text.partition(" ")
    arguments = lines.parse(rest, None)
    family_line = lines.at
    rows, d_model = lines.numbers("embedding", 0, 0)
    if rows != arguments[0]:
        lines.refuse(f"{arguments[0]} rows, one for each vertex")
    return text, name, arguments, family_line, d_model, lines.matrix(rows, d_model)


def degrees(name, m, *more):
    """The number of edges, and the largest out-degree and in-degree in the class."""
    if name == "functional":
        return m, 1, m - 1
    if name == "out-regular":
        return m * more[0], more[0], m - 1
    if name in ("digraph", "digraph-loops"):
        most = min(more[0], m - 1 if name == "digraph" else m)
        return more[0], most, most
    if name == "out-degrees":
        return sum(more), max(more), min(m - 1, sum(degree > 0 for degree in more))
    return (2 * more[0] if name == "matching" else m), 1, 1


def require_dominance(x):
    for u, row in enumerate(x):
        for w, other in enumerate(x):
            if sum(map(mul, row, row)) <= (0 if u == w else abs(sum(map(mul, row, other)))):
                raise Refused(f"row {u} does not dominate, see row {w}")


def advantage(lines):
    text, name, arguments, family_line, d_model, x = class_and_embedding(lines)
    (stated,) = lines.numbers("single-head-graphs", 1)

    def decide():
        lines.at = family_line
        size = family_size(lines, name, arguments)
        m = arguments[0]
        edges, _, _ = degrees(name, *arguments)
        count = sum(math.comb(m * m - 1, i) for i in range(min(d_model ** 2, m * m - 1) + 1))
        count *= 2 if 2 * edges == m * m else 1
        if stated != count or count >= size:
            raise Refused(f"single heads recognise up to {count} of {size} graphs, stated is {stated}")
        require_dominance(x)
        return (f"advantage class: on every embedding of d_model {d_model} some graph of the class {text} is out "
                f"of reach of every single head; on this one {edges} unit heads serve each of them")

    return decide


def universal_edge_per_head(lines):
    text, name, arguments, family_line, d_model, x = class_and_embedding(lines)
    (stated,) = lines.numbers("heads", 1)

    def decide():
        lines.at = family_line
        check_family(lines, name, arguments)
        edges, _, _ = degrees(name, *arguments)
        if stated != edges:
            raise Refused(f"the class has {edges} edges, stated are {stated} heads")
        require_dominance(x)
        return (f"universal edge-per-head: {stated} unit heads serve each graph of the class {text} on this embedding "
                f"of d_model {d_model}")

    return decide


def universal_edge_pairs(lines):
    text, name, arguments, family_line, d_model, x = class_and_embedding(lines)
    (count,) = lines.numbers("pairs", 0)
    listed = list(pairs(lines, count, arguments[0], 0))
    if any(i >= j for i, j in listed):
        raise Refused("a pair i j without i < j")
    lines.literal("vectors")
    vectors = lines.matrix(count, d_model)
    (stated,) = lines.numbers("heads", 1)

    def decide():
        lines.at = family_line
        check_family(lines, name, arguments)
        edges, most_out, most_in = degrees(name, *arguments)
        heads = -(-edges // 2)
        if edges < 1 or stated != heads:
            raise Refused(f"{edges} edges need {heads} heads, at least 1; stated are {stated}")
        partners = [0] * arguments[0]
        for (i, j), z in zip(listed, vectors):
            scores = [sum(map(mul, row, z)) for row in x]
            n = scores[i]
            if n <= 0 or scores[j] != -n or any(abs(score) >= n for v, score in enumerate(scores) if v not in (i, j)):
                raise Refused(f"the pair ({i}, {j}) is not good")
            partners[i] += 1
            partners[j] += 1
        unlisted = arguments[0] - 1 - min(partners)
        if (unlisted + 1) * (most_out + most_in) - 2 > heads - 1:
            raise Refused(f"{unlisted} vertices without a listed pair with some vertex are too many")
        if edges % 2 == 1 and min(partners) < 2:
            raise Refused("an odd number of edges, and a vertex in fewer than two listed pairs")
        return (f"universal edge-pairs: {heads} unit heads serve each graph of the class {text} on this embedding of "
                f"d_model {d_model}")

    return decide


def least(reaches, target):
    """The least K >= 0 with reaches(K), which is monotone."""
    high = 1
    while not reaches(high):
        if high > 1 << 12:
            raise TooLarge("the bound is too large to be decided here")
        high *= 2
    low = 0
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if reaches(middle) else (middle + 1, high)
    return low


def random_count(m, d_model, weight_max, target):
    return lambda key_dimension: reaches(2 * weight_max + 1, 2 * d_model * key_dimension, target)


def columns_count(m, d_model, weight_max, target):
    levels = 2 * weight_max + 1

    def reached(key_dimension):
        if target <= 1 or key_dimension == 0:
            return target <= 1
        if reaches(levels, d_model, 2 * target):
            return True
        if key_dimension > 256:
            raise TooLarge("too many columns")
        forms = (levels ** d_model - 1) ** 2 // 2
        heads = [0] + [math.comb(forms + w - 1, w) for w in range(1, key_dimension + 1)]
        counts = [1]  # n·a_n = Σ_k a_{n-k}·Σ_{w | k} w·M_w
        sums = [sum(w * heads[w] for w in range(1, k + 1) if k % w == 0) for k in range(key_dimension + 1)]
        for n in range(1, key_dimension + 1):
            counts.append(sum(sums[k] * counts[n - k] for k in range(1, n + 1)) // n)
        return sum(counts) >= target

    return reached


def sign_vectors(polynomials, variables):
    return (8 * 27182818285 * polynomials) ** variables // (10 ** 10 * variables) ** variables


def warren_count(m, d_model, _, target):
    d = min(m, d_model)
    if m * m < 2 * d + 1:
        raise Refused("m² >= 2·min(m, d_model) + 1 does not hold")

    def reached(key_dimension):
        if target <= 1 or key_dimension == 0:
            return target <= 1
        n = 2 * d * key_dimension + 1
        if 4 * n >= target.bit_length():
            return True
        if n > 5000:
            raise TooLarge("too many variables")
        partitions = [1] + [0] * key_dimension
        for part in range(1, key_dimension + 1):
            for total in range(part, key_dimension + 1):
                partitions[total] += partitions[total - part]
        return partitions[key_dimension] * sign_vectors(key_dimension * m * m, n) >= target

    return reached


def ranks_count(m, d_model, _, target):
    d = min(m, d_model)

    def splits(rest, largest):
        yield []
        for w in range(1, min(rest, largest) + 1):
            for others in splits(rest - w, w):
                yield [w] + others

    def reached(key_dimension):
        if target <= 1 or key_dimension == 0:
            return target <= 1
        if 4 * (2 * d - 1) >= target.bit_length():
            return True
        if key_dimension > 16:
            raise TooLarge("too many splits")
        return 1 + sum(2 * math.prod(math.comb(d, w) for w in widths)
                       * sign_vectors(len(widths) * m * m, sum(w * (2 * d - w) for w in widths))
                       for widths in splits(key_dimension, d) if widths) >= target

    return reached


def heads_count(m, d_model, _, target):
    terms = min(min(m, d_model) ** 2, m * m - 1)

    def reached(heads):
        if target <= 1 or heads == 0:
            return target <= 1
        if heads >= target.bit_length():
            return True
        if terms > 2000 or terms * (m * m).bit_length() * heads > MAX_FAMILY_BITS:
            raise TooLarge("too many binomials")
        return (2 * sum(math.comb(m * m - 1, i) for i in range(terms + 1))) ** heads >= target

    return reached


def class_bound(name, count, value, has_weights, least_failure_bits):
    """A reader of `bound NAME`: the least value (a line's label, None for no such line) with count."""
    def read(lines):
        text = lines.labelled("family")
        family, _, rest = text.partition(" ")
        arguments = lines.parse(rest, None)
        family_line = lines.at
        (d_model,) = lines.numbers("d_model", 1)
        (weight_max,) = lines.numbers("weight-max", 1) if has_weights else (1,)
        failure_bits = 0
        if least_failure_bits is not None:
            (failure_bits,) = lines.numbers("failure-bits", least_failure_bits)
        (stated,) = lines.numbers(value, 0) if value else (None,)

        def decide():
            lines.at = family_line
            size = family_size(lines, family, arguments)
            target = -(-size >> failure_bits) if failure_bits < size.bit_length() else min(size, 1)
            reached = count(arguments[0], d_model, weight_max, target)
            if value is None and reached(1):
                raise Refused("there are at least as many dichotomies as graphs")
            if value and stated != least(reached, target):
                raise Refused(f"{value} {stated} is not the least")
            return f"{name}: {value or 'one head'} {stated or ''} for the class {text}, d_model {d_model}"

        return decide
    return read


CLAIMS = {
    "claim recovery": recovery,
    "claim impossibility single-head": impossibility,
    "claim bound counting": counting,
    "claim bound margin": margin,
    "claim bound unit-heads": unit_heads,
    "claim advantage class": advantage,
    "claim universal edge-per-head": universal_edge_per_head,
    "claim universal edge-pairs": universal_edge_pairs,
    "claim float-safe": float_safe,
    "claim impossibility narrow-head": narrow_head,
    "claim bound heads-clique": heads_clique,
    "claim bound counting-random": class_bound("bound counting-random", random_count, "key-dimension", True, 1),
    "claim bound counting-columns": class_bound("bound counting-columns", columns_count, "key-dimension", True, 0),
    "claim bound warren": class_bound("bound warren", warren_count, "key-dimension", False, 0),
    "claim bound warren-ranks": class_bound("bound warren-ranks", ranks_count, "key-dimension", False, 0),
    "claim impossibility single-head-class": class_bound("impossibility single-head-class", heads_count, None,
                                                         False, None),
    "claim softmax-recovery": softmax,
    "claim bound heads": class_bound("bound heads", heads_count, "heads", False, None),
}


def check(data):
    """The claim restated in one line. Raises Refused unless `data` is a true, canonical certificate."""
    lines = Lines(data)
    lines.literal("qkcert 1")
    decide = CLAIMS[lines.choose(list(CLAIMS))](lines)
    lines.literal("end")
    body = "\n".join(lines.lines[:lines.at]) + "\n"
    lines.literal("sha256 " + hashlib.sha256(body.encode("ascii")).hexdigest())
    if lines.at != len(lines.lines):
        lines.at += 1
        lines.refuse("nothing after the hash")
    return decide()


def unpacked(data):
    """The bytes of a certificate, decompressed when they are one gzip member and nothing else."""
    if not data.startswith(b"\x1f\x8b"):
        return data
    member = zlib.decompressobj(wbits=31)
    try:
        content = member.decompress(data, MAX_BYTES)
    except zlib.error as reason:
        raise Refused(f"not gzip data: {reason}")
    if not member.eof:
        raise Refused("the gzip data ends too early, or its content is too long")
    if member.unused_data:
        raise Refused("more behind the gzip data")
    return content


def main(files):
    if not files:
        print("usage: independent_checker.py FILE...", file=sys.stderr)
        return 2
    status = 0
    for name in files:
        try:
            with open(name, "rb") as file:
                print(f"{name}: {check(unpacked(file.read()))}")
        except (OSError, Refused) as reason:
            print(f"{name}: {reason}", file=sys.stderr)
            status = 1
    return status


# Python refuses to read integers of more than 4300 digits unless told otherwise.
if hasattr(sys, "set_int_max_str_digits"):
    sys.set_int_max_str_digits(0)

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
