#pragma once
/// The kinds of theory claims that a claims file can make (docs/claims.md), and how each is
/// decided.
///
/// A kind reads its parameters from the claim's table, and later, in a process of its own, observes
/// facts: `key_dimension` is 6, `recovers` is true. What the claim expects of them stands in its
/// table `expect` and is compared here alone, exactly.

#include <functional>
#include <qkcert/core/integer.hpp>
#include <qkcert/io/toml.hpp>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace qkcert {

using Fact = std::variant<bool, Integer, std::string>;

/// `true`, `12` or the text itself.
std::string to_text(const Fact& fact);

/// A fact by its name.
struct Observation {
  std::string name;
  Fact fact;
};

/// What was found. A fact that makes no sense here, such as the D_K of a proposal that recovers
/// nothing, is left out; then no expectation of it is met.
struct Observations {
  std::vector<Observation> facts = {};
  std::string detail = {};  ///< one line: a claim restated, or why something does not hold
};

/// What a kind can observe, and how it may be expected: a flag as `name = true`; a number as
/// `name`, `name_at_least` or `name_at_most`; a lower bound as `name_at_least` alone; a text as
/// `name` or `name_contains`.
struct Observable {
  enum class Type { flag, number, lower_bound, text };
  std::string_view name;
  Type type;
  /// Whether true is expected of this flag unless the claim says otherwise,
  bool expected = false;
  /// or expects something of this number instead.
  std::string_view unless = {};
};

/// A claim whose parameters have been read.
struct ClaimWork {
  std::vector<std::string> inputs;        ///< the files that the result depends on
  std::function<Observations()> observe;  ///< on one thread; errors are thrown
};

struct ClaimKind {
  std::string_view name;
  std::span<const Observable> observables;
  /// Reads the claim's parameters; `folder` is where its relative paths begin.
  /// Errors: PlacedError.
  ClaimWork (*read)(const Toml& claim, const std::string& folder);
};

/// All kinds, sorted by name.
std::span<const ClaimKind> claim_kinds();

/// One thing that a claim expects.
struct Expectation {
  enum class Relation { equal, at_least, at_most, contains };
  std::string name;
  Relation relation = Relation::equal;
  Fact fact;

  bool met_by(const Fact& found) const;
  /// `key_dimension <= 6`.
  std::string text() const;
};

/// The expectations of the claim, those that its kind has by itself first.
/// Errors: PlacedError, also when there is none.
std::vector<Expectation> read_expectations(const Toml& claim, const ClaimKind& kind);

/// An expectation that is not met: both in exact words.
struct Mismatch {
  std::string name, expected, found;
  friend bool operator==(const Mismatch&, const Mismatch&) = default;
};

/// Those that are not met, in their order.
std::vector<Mismatch> mismatches(const std::vector<Expectation>& expectations,
                                 const Observations& observations);

}  // namespace qkcert
