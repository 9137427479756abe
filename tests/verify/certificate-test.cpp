#include <qkcert/verify/certificate.hpp>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <new>
#include <qkcert/core/errors.hpp>
#include <qkcert/verify/check.hpp>

#include "support.hpp"
#include "verify/slow_checker.hpp"

// ---- the largest piece of memory that this thread asked operator new for

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
namespace {
thread_local std::size_t largest_allocation = 0;
}

[[gnu::noinline]] void* operator new(std::size_t size) {
  largest_allocation = std::max(largest_allocation, size);
  if (void* memory = std::malloc(std::max<std::size_t>(size, 1))) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
#else
namespace {
thread_local std::size_t largest_allocation = 0;  // not counted: the sanitizer owns operator new
}
#endif

namespace qkcert {
namespace {

using namespace test;

/// Whether `bytes` is accepted: read, written back to the same bytes, and found to be true.
bool accepted(const std::string& bytes) {
  try {
    const Claim claim = read_certificate(bytes, "test");
    CHECK(write_certificate(claim) == bytes);
    return check(claim, 1).holds;
  } catch (const FormatError&) {
    return false;
  }
}

bool readable(const std::string& bytes) {
  try {
    read_certificate(bytes, "test");
    return true;
  } catch (const FormatError&) {
    return false;
  }
}

/// Why `bytes` is refused.
std::string refusal(const std::string& bytes) {
  try {
    const Verdict verdict = check(read_certificate(bytes, "c"), 1);
    CHECK_FALSE(verdict.holds);
    return verdict.text;
  } catch (const FormatError& error) {
    return error.what();
  }
}

std::string with_footer(const std::string& body) { return rehash(body + "end\nsha256 \n"); }

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

const std::string small_recovery = with_footer(
    "qkcert 1\nclaim recovery\ngraph 2 2\n0 1\n1 0\nembedding 2 1\n3\n-2\n"
    "decoder threshold-max 2\nheads 2\nhead 1\nquery\n1\nkey\n-1\nhead 2\nquery\n0 1\nkey\n5 -4\n"
    "extremes 24 -4\n");
const std::string small_impossibility = with_footer(
    "qkcert 1\nclaim impossibility single-head\ngraph 3 2\n2 0\n2 1\nembedding 3 2\n1 -1\n0 2\n1 "
    "1\n"
    "edge-multipliers 2\n2 0 3\n2 1 3\nnonedge-multipliers 2\n0 2 3\n1 2 3\n");
const std::string small_bound = with_footer(
    "qkcert 1\nclaim bound counting\nfamily out-degrees 4 2 0 1 3\nd_model 1\nweight-max 1\n"
    "key-dimension 1\n");

std::map<std::string, std::string> valid_files() {
  std::map<std::string, std::string> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(QKCERT_TEST_DATA "/certificates/valid"))
    files[entry.path().stem()] = corpus("certificates/valid/" + entry.path().filename().string());
  return files;
}

// ---- the corpus

TEST_CASE("valid certificates are accepted and written back byte for byte") {
  const auto files = valid_files();
  CHECK(files.size() >= 9);
  for (const auto& [name, bytes] : files) {
    CAPTURE(name);
    CHECK(accepted(bytes));
    CHECK(SlowChecker::accepts(bytes));
    CHECK(rehash(bytes) == bytes);
  }
}

TEST_CASE("invalid certificates are refused for the fault they are named after") {
  const std::map<std::string, std::string> reasons = {
      {"body-changed-hash-not",
       "c: line 44: expected the hash "
       "fb9c7f198bcd230615c20ea9d4f68ac3ba2cc83a25299fede016fe4c300c44aa, found "
       "'102608d87c707debdd954426032ccb391e44ffdd…'"},
      {"bound-family-unknown",
       "c: line 3: expected a family and exactly its arguments, found unknown family "
       "'permutations'; known are permutation, derangement, functional, out-regular, digraph, "
       "digraph-loops, matching, out-degrees"},
      {"bound-one-too-high",
       "key-dimension 4 is too high: (2·127+1)^(2·100·D) reaches the family's size one below"},
      {"bound-one-too-low",
       "key-dimension 2 is too low: (2·127+1)^(2·100·D) is below the family's size there"},
      {"claim-unknown", "c: line 2: expected a known claim, found 'discovery'"},
      {"crlf", "c: line 1: expected 'qkcert 1\\x0a', found 'qkcert 1\\x0d'"},
      {"decoder-unknown",
       "c: line 21: expected 'decoder threshold-max ', found 'decoder threshold-sum 2'"},
      {"double-space", "c: line 4: expected a vertex from 0 to 7, found ' 3'"},
      {"edge-missing", "the non-edge (3, 5) scores 3, which is above the threshold 2"},
      {"edge-twice", "c: line 6: expected an edge after the one before it, found '1 1'"},
      {"edges-not-sorted", "c: line 5: expected an edge after the one before it, found '0 3'"},
      {"extremes-off-by-one",
       "the greatest non-edge score is stated as 0, but is 1 at the pair (0, 1)"},
      {"float-safe-edge-margin-too-small",
       "the edge (0, 0) is not safe in floats: its distance to the threshold 326 is 0.706 times "
       "the error bound in head 0"},
      {"float-safe-embedding-below-range",
       "the embedding at row 0, column 0, 1, has the exponent -127, and bf16 has those from -126 "
       "to 127"},
      {"float-safe-embedding-of-too-many-bits",
       "the embedding at row 0, column 0, 257, has 9 significant bits, and bf16 holds 8"},
      {"float-safe-extremes-behind", "c: line 44: expected 'end\\x0a', found 'extremes 3 1'"},
      {"float-safe-format-unknown", "c: line 3: expected fp32, fp16 or bf16, found 'fp8'"},
      {"float-safe-non-edge-at-threshold",
       "the non-edge (0, 1) is not safe in floats: its distance to the threshold 1 is 0.000 times "
       "the error bound in head 0"},
      {"float-safe-non-edge-margin-too-small",
       "the non-edge (1, 0) is not safe in floats: its distance to the threshold 273 is 0.643 "
       "times the error bound in head 0"},
      {"float-safe-queries-beyond-range",
       "head 0: queries may reach (1 + Γ)·25·2^12, which is beyond the range of fp16"},
      {"float-safe-scale-missing", "c: line 3: expected '\\x0ascale ', found the end of the line"},
      {"float-safe-subnormal-intermediates",
       "the scales add up to -15, which leaves room for subnormal intermediates"},
      {"float-safe-threshold-beyond-range",
       "the threshold 2 has the exponent 141, and fp32 has those from -126 to 127"},
      {"float-safe-threshold-of-too-many-bits",
       "the threshold 33554433 has 26 significant bits, and fp32 holds 24"},
      {"float-safe-weight-of-too-many-bits",
       "head 0: key at row 7, column 2, 257, has 9 significant bits, and bf16 holds 8"},
      {"hash-upper-case",
       "c: line 44: expected the hash "
       "102608d87c707debdd954426032ccb391e44ffdd0cbf95d767689e9a5e2cd11e, found "
       "'102608D87C707DEBDD954426032CCB391E44FFDD…'"},
      {"heads-clique-clash-missing", "c: line 34: expected 'edge-multipliers ', found 'end'"},
      {"heads-clique-multiplier-changed",
       "the edges (3, 1) and (4, 4): the multipliers' totals are 99 on edges and 100 on non-edges; "
       "equal and positive is required"},
      {"heads-clique-non-edge", "c: line 18: expected an edge, found '0 4'"},
      {"heads-clique-of-one", "c: line 17: expected a count of at least 2, found '1'"},
      {"heads-clique-third-edge",
       "the edges (0, 3) and (3, 1): the multiplier at (4, 4) is on a third edge"},
      {"impossibility-embedding-changed",
       "the weighted sums differ at row 0, column 3: "
       "2564446242151985772795792308287182095322160 over edges, "
       "2564310847096729902680374182077236491753320 over non-edges"},
      {"impossibility-multiplier-on-wrong-side", "c: line 32: expected a non-edge, found '0 9 1'"},
      {"impossibility-multiplier-zero", "c: line 40: expected an integer of at least 1, found '0'"},
      {"impossibility-totals-differ",
       "the multipliers' totals are 91587365791142349028421153867399360547221 on edges and "
       "91587365791142349028421153867399360547220 on non-edges; equal and positive is required"},
      {"integer-with-leading-zero", "c: line 10: expected an integer, found '07 9 5'"},
      {"integer-with-plus", "c: line 10: expected an integer, found '+7 9 5'"},
      {"minus-zero", "c: line 13: expected an integer, found '-0 0 0 0 0'"},
      {"narrow-head-weight-max-too-large",
       "width·weight-max²·Σ|M_ij| is 2400000, which is not below the total 256"},
      {"narrow-head-width-zero", "c: line 20: expected an integer of at least 1, found '0'"},
      {"no-final-newline", "c: line 44: expected '\\x0a', found the end"},
      {"row-too-short", "c: line 10: expected ' ', found the end of the line"},
      {"softmax-beta-negative", "c: line 16: expected a ratio of at least 0, found '-3 1'"},
      {"softmax-beta-too-low",
       "the edge (0, 1) has a weight of at most theta in head 0 in its worst context of up to 3 "
       "vertices"},
      {"softmax-beta-zero", "beta must be positive"},
      {"softmax-context-size-one", "c: line 18: expected an integer of at least 2, found '1'"},
      {"softmax-context-size-too-large",
       "the edge (0, 1) has a weight of at most theta in head 0 in its worst context of up to 5 "
       "vertices"},
      {"softmax-ratio-not-in-lowest-terms",
       "c: line 17: expected a ratio in lowest terms, found '6 10'"},
      {"softmax-recovering-head-changed",
       "the edge (0, 1) has a weight of at most theta in head 4 in its worst context of up to 3 "
       "vertices"},
      {"softmax-recovering-head-missing",
       "c: line 90: expected a count from 0 to 2^64 - 1, found 'end'"},
      {"softmax-recovering-head-out-of-range",
       "c: line 86: expected a head of the channel, found '5'"},
      {"softmax-theta-one", "theta must lie between 0 and 1"},
      {"softmax-theta-too-high",
       "the edge (0, 1) has a weight of at most theta in head 0 in its worst context of up to 3 "
       "vertices"},
      {"softmax-theta-too-low",
       "the non-edge (0, 0) has a weight above theta in head 0 in the context of its ends alone"},
      {"softmax-threshold-too-low",
       "the non-edge (0, 0) has a weight above theta in head 0 in the context of its ends alone"},
      {"tau-below-greatest-non-edge",
       "the non-edge (0, 1) scores 1, which is above the threshold 0"},
      {"tau-equals-least-edge", "the edge (0, 3) scores 3, which is not above the threshold 3"},
      {"trailing-line", "c: line 45: expected the end of the file, found the end of the line"},
      {"truncated-in-key-matrix", "c: line 44: expected 'sha256 ', found 'sha256'"},
      {"universal-family-without-edges", "the graphs of the class have no edges"},
      {"universal-heads-one-too-high", "heads is stated as 7, but is 6"},
      {"universal-heads-one-too-low", "heads is stated as 5, but is 6"},
      {"universal-heads-per-edge-missing", "heads is stated as 3, but is 4"},
      {"universal-pair-not-balanced", "the pair (0, 2) is not good: its vector gives 2 and -1"},
      {"universal-pair-not-good",
       "the pair (0, 2) is not good: its vector gives 1 at 1, which is not within 1"},
      {"universal-pair-of-one-vertex", "c: line 15: expected a pair i j with i < j, found '3 3'"},
      {"universal-pair-reversed", "c: line 13: expected a pair i j with i < j, found '2 1'"},
      {"universal-pair-signs-swapped", "the pair (2, 3) is not good: its vector gives -1 at 2"},
      {"universal-pairs-not-sorted",
       "c: line 11: expected a pair after the one before it, found '0 1'"},
      {"universal-pairs-too-few",
       "some vertex is in no listed pair with 1 others: an edge may clash with 10 others, and only "
       "5 are allowed for"},
      {"universal-row-not-dominant",
       "row 3 has the norm 54, which is not above 102 at the pair (3, 0)"},
      {"universal-vector-missing", "c: line 22: expected an integer, found 'heads 6'"},
      {"version-2", "c: line 1: expected 'qkcert 1\\x0a', found 'qkcert 2'"},
      {"vertex-negative", "c: line 4: expected a vertex from 0 to 7, found '-1 3'"},
      {"vertex-out-of-range", "c: line 11: expected a vertex from 0 to 7, found '8'"},
  };
  std::size_t files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(QKCERT_TEST_DATA "/certificates/invalid")) {
    const std::string name = entry.path().stem();
    CAPTURE(name);
    ++files;
    const std::string bytes = corpus("certificates/invalid/" + name + ".qkc");
    REQUIRE(reasons.contains(name));
    CHECK(refusal(bytes) == reasons.at(name));
    CHECK_FALSE(SlowChecker::accepts(bytes));
  }
  CHECK(files == reasons.size());
}

// ---- changed files, the footer left alone

TEST_CASE("every truncation and every change of one byte is refused") {
  for (const std::string& valid : {small_recovery, small_impossibility, small_bound}) {
    REQUIRE(accepted(valid));
    REQUIRE(SlowChecker::accepts(valid));
    std::size_t wrongly_read = 0;
    for (std::size_t at = 0; at < valid.size(); ++at) {
      wrongly_read += readable(valid.substr(0, at));
      for (int change = 1; change < 256; ++change) {
        std::string bytes = valid;
        bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ change);
        wrongly_read += readable(bytes);
      }
    }
    CHECK(wrongly_read == 0);
  }
  for (const auto& [name, valid] : valid_files())
    for (std::size_t at = 0; at < valid.size(); ++at)
      if (readable(valid.substr(0, at))) FAIL_CHECK(name << " cut at " << at << " is read");
}

// ---- changed files with the right hash: only the claim itself is left to be judged

/// Both checkers read the same files and accept the same ones. Returns whether it was accepted.
bool check_against_slow(const std::string& bytes) {
  const bool holds = accepted(bytes);
  if (holds != SlowChecker::accepts(bytes) || readable(bytes) != SlowChecker::reads(bytes))
    FAIL_CHECK("the checkers disagree on\n" << bytes);
  return holds;
}

TEST_CASE("every changed integer is judged as by the slow checker") {
  for (const auto& [name, valid] : valid_files()) {
    CAPTURE(name);
    const std::size_t body = valid.rfind("sha256 ");
    std::size_t holding = 0, failing = 0;
    for (std::size_t at = 0, next = 0; at < body; at = next + 1) {
      next = valid.find_first_of(" \n", at);
      const auto value = parse_integer(std::string_view(valid).substr(at, next - at));
      if (!value) continue;
      for (const int change : {-1, 1}) {
        std::string bytes = valid;
        bytes.replace(at, next - at, to_decimal(*value + change));
        ++(check_against_slow(rehash(bytes)) ? holding : failing);
      }
    }
    CHECK(failing > 0);
    if (name == "onehot-code-8") CHECK(holding > 0);  // the threshold 1 is as good as 2
  }
}

TEST_CASE("every changed byte under a right hash is judged as by the slow checker") {
  std::size_t changed_and_true = 0;
  for (const std::string& valid : {small_recovery, small_impossibility, small_bound}) {
    const std::size_t body = valid.rfind("end\n");
    for (std::size_t at = 0; at < body; ++at)
      for (const char c : std::string("0123456789-+ \n\t\r\x7f\xc3.eEx,'_", 26) + '\0') {
        std::string bytes = valid;
        bytes[at] = c;
        changed_and_true += check_against_slow(rehash(bytes)) && bytes != valid;
        changed_and_true += check_against_slow(rehash(std::string(valid).insert(at, 1, c)));
      }
  }
  CHECK(changed_and_true > 10);  // other thresholds in the gap, classes that need the same D
}

TEST_CASE("moved, missing and repeated lines and words are judged as by the slow checker") {
  auto files = valid_files();
  files.erase("single-head-impossible-24-6");  // long, and like its smaller brother
  files["small-recovery"] = small_recovery;
  files["small-impossibility"] = small_impossibility;
  files["small-bound"] = small_bound;
  for (const auto& [name, valid] : files) {
    CAPTURE(name);
    const std::size_t body = valid.rfind("end\n");
    for (const char* separators : {"\n", " \n"})
      for (std::size_t at = 0, next = 0; at < body; at = next) {
        next = valid.find_first_of(separators, at) + 1;
        const std::string piece = valid.substr(at, next - at);
        CHECK_FALSE(check_against_slow(rehash(std::string(valid).erase(at, piece.size()))));
        CHECK_FALSE(check_against_slow(rehash(std::string(valid).insert(at, piece))));
        const std::size_t after = valid.find_first_of(separators, next) + 1;
        std::string swapped = valid;
        swapped.replace(at, after - at, valid.substr(next, after - next) + piece);
        if (next < body) check_against_slow(rehash(swapped));
        CHECK_FALSE(check_against_slow(with_footer(valid.substr(0, at))));
      }
  }
}

TEST_CASE("random changes under a right hash are judged as by the slow checker") {
  repeat(3000, [](Random& random) {
    std::string bytes =
        std::array{small_recovery, small_impossibility, small_bound}[random.below(3)];
    for (std::uint64_t changes = 1 + random.below(4); changes > 0; --changes) {
      const std::size_t at = random.below(bytes.rfind("end\n"));
      const char digit = "0123456789- \n"[random.below(13)];
      if (const auto kind = random.below(4); kind == 0)
        bytes.insert(at, 1, digit);
      else if (kind == 1)
        bytes.erase(at, 1);
      else
        bytes[at] = digit;
    }
    check_against_slow(rehash(bytes));
  });
}

// ---- bytes that no canonical file has

TEST_CASE("foreign bytes are refused") {
  for (const std::string& valid : {small_recovery, small_impossibility, small_bound}) {
    CHECK_FALSE(readable(""));
    CHECK_FALSE(readable("\n"));
    CHECK_FALSE(readable(rehash("\xef\xbb\xbf" + valid)));  // BOM
    CHECK_FALSE(readable(rehash("\n" + valid)));
    CHECK_FALSE(readable(rehash("# comment\n" + valid)));
    CHECK_FALSE(readable(valid + "\n"));
    CHECK_FALSE(readable(valid + " "));
    CHECK_FALSE(readable(valid + std::string(1, '\0')));
    CHECK_FALSE(readable(valid + valid));
    CHECK_FALSE(readable(replaced(valid, "\nend\n", "\nend \n")));
    CHECK_FALSE(readable(replaced(valid, "sha256 ", "sha256  ")));
    CHECK_FALSE(readable(replaced(valid, "sha256 ", "SHA256 ")));
    CHECK_FALSE(readable(rehash(replaced(valid, "\nend\n", "\nend\nend\n"))));
    CHECK_FALSE(readable(rehash(replaced(valid, "\nend\n", "\n"))));
    CHECK_FALSE(readable(valid.substr(0, valid.rfind("end\n"))));
    CHECK_FALSE(readable(valid.substr(0, valid.rfind("sha256"))));
    std::string crlf;
    for (const char c : valid) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
    CHECK_FALSE(readable(rehash(crlf)));
  }
}

TEST_CASE("a reason is one line of printable text whatever the file holds") {
  for (const std::string& name : {std::string("per\x1b[31m\r\0mutation", 17),
                                  std::string(5000, 'x'), std::string("\xff\xfe")}) {
    const std::string why = refusal(with_footer("qkcert 1\nclaim bound counting\nfamily " + name +
                                                " 5\nd_model 1\nweight-max 1\nkey-dimension 1\n"));
    CHECK(why.starts_with("c: line 3: expected a family and exactly its arguments, found "));
    CHECK(why.size() < 1000);
    CHECK(std::none_of(why.begin(), why.end(), [](char c) {
      return static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '\xff' || c == '\xfe';
    }));
  }
}

TEST_CASE("an absent extreme is spelled '-' and nothing else") {
  const auto file = [](const std::string& edges, const std::string& extremes) {
    return with_footer(
        "qkcert 1\nclaim recovery\ngraph 1 " + edges +
        "embedding 1 1\n1\ndecoder threshold-max 0\nheads 1\nhead 1\nquery\n1\nkey\n" +
        (edges == "0\n" ? "-1" : "1") + "\nextremes " + extremes + "\n");
  };
  CHECK(accepted(file("0\n", "- -1")));
  CHECK(accepted(file("1\n0 0\n", "1 -")));
  for (const char* none : {"", "--", "-0", "+", "none", " -", "- "}) {
    CHECK_FALSE(readable(file("0\n", std::string(none) + " -1")));
    CHECK_FALSE(readable(file("1\n0 0\n", "1 " + std::string(none))));
  }
}

// ---- hostile sizes

constexpr std::array hostile = {"2147483648",
                                "4294967295",
                                "4294967296",
                                "4294967297",
                                "9223372036854775807",
                                "9223372036854775808",
                                "18446744073709551615",
                                "18446744073709551616",
                                "18446744073709551617",
                                "1000000000000000000000000000000",
                                "-1"};

void check_refused_cheaply(const std::string& body) {
  const std::string bytes = with_footer(body);
  largest_allocation = 0;
  const bool read = readable(bytes);
  if (read || largest_allocation > 100000)
    FAIL_CHECK((read ? "read: " : "allocates: ") << largest_allocation << "\n" << bytes);
}

TEST_CASE("hostile sizes are refused before anything of that size is allocated") {
  const std::string recovery = small_recovery.substr(0, small_recovery.rfind("end\n"));
  const std::string impossibility =
      small_impossibility.substr(0, small_impossibility.rfind("end\n"));
  const std::string no_vertex = "qkcert 1\nclaim recovery\ngraph 0 0\nembedding 0 ";
  const std::string bound = "qkcert 1\nclaim bound counting\nfamily ";
  const std::string rest = "\nd_model 1\nweight-max 1\nkey-dimension 0\n";
  for (const std::string n : hostile) {
    check_refused_cheaply(replaced(recovery, "graph 2 2", "graph " + n + " 2"));
    check_refused_cheaply(replaced(recovery, "graph 2 2", "graph 2 " + n));
    check_refused_cheaply(replaced(recovery, "graph 2 2", "graph " + n + " " + n));
    check_refused_cheaply(replaced(recovery, "\n0 1\n", "\n" + n + " 1\n"));
    check_refused_cheaply(replaced(recovery, "\n0 1\n", "\n0 " + n + "\n"));
    check_refused_cheaply(replaced(recovery, "embedding 2 1", "embedding " + n + " 1"));
    check_refused_cheaply(replaced(recovery, "embedding 2 1", "embedding 2 " + n));
    check_refused_cheaply(replaced(recovery, "heads 2", "heads " + n));
    check_refused_cheaply(replaced(recovery, "head 1", "head " + n));
    check_refused_cheaply(replaced(recovery, "head 2", "head " + n));
    check_refused_cheaply(replaced(impossibility, "edge-multipliers 2", "edge-multipliers " + n));
    check_refused_cheaply(
        replaced(impossibility, "nonedge-multipliers 2", "nonedge-multipliers " + n));
    check_refused_cheaply(replaced(impossibility, "\n2 0 3\n", "\n2 " + n + " 3\n"));
    // d_model rows of a head when there is no vertex to show how wide a row is; products wrap.
    for (const std::string width : hostile)
      check_refused_cheaply(no_vertex + n + "\ndecoder threshold-max 0\nheads 1\nhead " + width +
                            "\nquery\nkey\nextremes - -\n");
    check_refused_cheaply(no_vertex + "0\ndecoder threshold-max 0\nheads " + n +
                          "\nhead 1\nquery\nkey\nextremes - -\n");
    check_refused_cheaply(bound + "out-degrees " + n + rest);  // m + 1 wraps to no argument
    check_refused_cheaply(bound + "out-degrees " + n + " 0 0" + rest);
    check_refused_cheaply(bound + "permutation " + n + " " + n + rest);
    check_refused_cheaply(bound + "digraph 3 " + n + rest);
    check_refused_cheaply(bound + "digraph-loops 3 " + n + rest);
    check_refused_cheaply(bound + "out-regular 3 " + n + rest);
    check_refused_cheaply(bound + "matching 3 " + n + rest);  // 2e wraps to 0 and 2
  }
  check_refused_cheaply(bound + "matching 18446744073709551615 9223372036854775808" + rest);
  check_refused_cheaply(bound + "digraph 0 0" + rest);
  check_refused_cheaply(bound + "permutation" + rest);
  check_refused_cheaply(bound + "permutation 0" + rest);
}

TEST_CASE("sizes that cost nothing are not refused") {
  // Without vertices or without d_model the other sizes describe empty matrices.
  const std::string huge = "18446744073709551615";
  CHECK(
      accepted(with_footer("qkcert 1\nclaim recovery\ngraph 2 0\nembedding 2 0\n\n\n"
                           "decoder threshold-max 0\nheads 1\nhead " +
                           huge + "\nquery\nkey\nextremes - 0\n")));
  CHECK(
      accepted(with_footer("qkcert 1\nclaim recovery\ngraph 0 0\nembedding 0 2\n"
                           "decoder threshold-max -7\nheads 1\nhead 1\nquery\n1\n2\nkey\n3\n4\n"
                           "extremes - -\n")));
  CHECK(
      refusal(with_footer("qkcert 1\nclaim impossibility single-head\ngraph 0 0\nembedding 0 " +
                          huge + "\nedge-multipliers 0\nnonedge-multipliers 0\n")) ==
      "the multipliers' totals are 0 on edges and 0 on non-edges; equal and positive is required");
}

TEST_CASE("heads of no width and channels of no heads are refused") {
  CHECK(refusal(rehash(replaced(small_recovery, "heads 2", "heads 0"))) ==
        "c: line 10: expected at least one head, found '0'");
  CHECK(refusal(rehash(replaced(small_recovery, "head 2", "head 0"))) ==
        "c: line 16: expected a width of at least 1, found '0'");
}

// ---- writing

Family random_family(Random& random) {
  const std::uint64_t m = 1 + random.below(6);
  switch (random.below(5)) {
    case 0:
      return Family("permutation", {m});
    case 1:
      return Family("out-regular", {m, random.below(m)});
    case 2:
      return Family("digraph-loops", {m, random.below(m * m + 1)});
    case 3:
      return Family("matching", {m, random.below(m / 2 + 1)});
    default:
      std::vector<std::uint64_t> arguments{m};
      while (arguments.size() <= m) arguments.push_back(random.below(m));
      return Family("out-degrees", std::move(arguments));
  }
}

TEST_CASE("what is written is read back, for every type of claim") {
  repeat(400, [](Random& random) {
    const unsigned bits = static_cast<unsigned>(1 + random.below(200));
    const std::size_t m = random.below(6);
    const std::size_t d_model = random.below(4);
    const Graph graph = random_digraph(random, m, 25 * random.below(5));
    const Matrix x = random_matrix(random, m, d_model, bits);

    const auto extreme = [&]() -> std::optional<Integer> {
      if (random.below(3) == 0) return std::nullopt;
      return random_integer(random, bits);
    };
    const RecoveryClaim recovery{graph,
                                 x,
                                 random_integer(random, bits),
                                 random_channel(random, d_model, 3, 4, bits),
                                 extreme(),
                                 extreme()};
    std::string bytes = write_certificate(recovery);
    const auto read = std::get<RecoveryClaim>(read_certificate(bytes, "test"));
    CHECK(read.graph == recovery.graph);
    CHECK(read.embedding == recovery.embedding);
    CHECK(read.threshold == recovery.threshold);
    CHECK(read.channel == recovery.channel);
    CHECK(read.least_edge == recovery.least_edge);
    CHECK(read.greatest_nonedge == recovery.greatest_nonedge);
    CHECK(write_certificate(read) == bytes);
    CHECK(SlowChecker::reads(bytes));

    SingleHeadImpossibility impossibility{graph, x, {}, {}};
    for (std::size_t u = 0; u < m; ++u)
      for (std::size_t v = 0; v < m; ++v)
        if (random.below(2) == 0)
          (graph.contains({u, v}) ? impossibility.edge_multipliers
                                  : impossibility.nonedge_multipliers)
              .push_back({{u, v}, 1 + abs(random_integer(random, bits))});
    bytes = write_certificate(impossibility);
    const auto again = std::get<SingleHeadImpossibility>(read_certificate(bytes, "test"));
    CHECK(again.graph == graph);
    CHECK(again.embedding == x);
    for (const auto member : {&SingleHeadImpossibility::edge_multipliers,
                              &SingleHeadImpossibility::nonedge_multipliers}) {
      REQUIRE((again.*member).size() == (impossibility.*member).size());
      for (std::size_t i = 0; i < (again.*member).size(); ++i) {
        CHECK(((again.*member)[i].pair == (impossibility.*member)[i].pair));
        CHECK((again.*member)[i].weight == (impossibility.*member)[i].weight);
      }
    }
    CHECK(write_certificate(again) == bytes);
    CHECK(SlowChecker::reads(bytes));

    const CountingBound bound{random_family(random), 1 + abs(random_integer(random, bits)),
                              1 + abs(random_integer(random, bits)),
                              abs(random_integer(random, bits))};
    bytes = write_certificate(bound);
    const auto third = std::get<CountingBound>(read_certificate(bytes, "test"));
    CHECK((third.family == bound.family && third.d_model == bound.d_model &&
           third.weight_max == bound.weight_max && third.key_dimension == bound.key_dimension));
    CHECK(write_certificate(third) == bytes);
  });
}

TEST_CASE("claims whose shapes disagree are not written") {
  const Channel channel{{{Matrix(2, 1), Matrix(2, 1)}}};
  const RecoveryClaim good{Graph(3, {}), Matrix(3, 2), 0, channel, {}, 0};
  CHECK_NOTHROW(write_certificate(good));
  RecoveryClaim bad = good;
  bad.embedding = Matrix(2, 2);
  CHECK_THROWS_AS(write_certificate(bad), ShapeError);
  bad = good;
  bad.embedding = Matrix(3, 1);
  CHECK_THROWS_AS(write_certificate(bad), ShapeError);
  bad = good;
  bad.channel = {};
  CHECK_THROWS_AS(write_certificate(bad), ShapeError);
  CHECK_THROWS_AS(write_certificate(SingleHeadImpossibility{Graph(2, {}), Matrix(3, 1), {}, {}}),
                  ShapeError);
}

}  // namespace
}  // namespace qkcert
