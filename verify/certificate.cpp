#include <qkcert/core/errors.hpp>
#include <qkcert/verify/advantage.hpp>
#include <qkcert/verify/certificate.hpp>
#include <qkcert/verify/columns.hpp>
#include <qkcert/verify/counting.hpp>
#include <qkcert/verify/dichotomies.hpp>
#include <qkcert/verify/float_safe.hpp>
#include <qkcert/verify/heads_clique.hpp>
#include <qkcert/verify/impossibility.hpp>
#include <qkcert/verify/margin.hpp>
#include <qkcert/verify/narrow_head.hpp>
#include <qkcert/verify/recovery.hpp>
#include <qkcert/verify/softmax.hpp>
#include <qkcert/verify/unit_heads.hpp>
#include <qkcert/verify/universal.hpp>
#include <qkcert/verify/warren.hpp>

namespace qkcert {

namespace {

/// A claim's name in its file and how its body is read.
struct Kind {
  std::string_view name;
  Claim (*read)(ClaimReader&);
};

/// In the order of the alternatives of Claim.
constexpr Kind kinds[] = {
    {"recovery", [](ClaimReader& in) -> Claim { return read_recovery(in); }},
    {"impossibility single-head", [](ClaimReader& in) -> Claim { return read_impossibility(in); }},
    {"bound counting", [](ClaimReader& in) -> Claim { return read_counting(in); }},
    {"bound margin", [](ClaimReader& in) -> Claim { return read_margin(in); }},
    {"bound unit-heads", [](ClaimReader& in) -> Claim { return read_unit_heads(in); }},
    {"advantage class", [](ClaimReader& in) -> Claim { return read_advantage(in); }},
    {"impossibility narrow-head", [](ClaimReader& in) -> Claim { return read_narrow_head(in); }},
    {"bound heads-clique", [](ClaimReader& in) -> Claim { return read_heads_clique(in); }},
    {"bound counting-random", [](ClaimReader& in) -> Claim { return read_counting_random(in); }},
    {"bound counting-columns", [](ClaimReader& in) -> Claim { return read_columns(in); }},
    {"bound warren", [](ClaimReader& in) -> Claim { return read_warren(in); }},
    {"bound warren-ranks", [](ClaimReader& in) -> Claim { return read_warren_ranks(in); }},
    {"impossibility single-head-class",
     [](ClaimReader& in) -> Claim { return read_single_head_class(in); }},
    {"bound heads", [](ClaimReader& in) -> Claim { return read_heads(in); }},
    {"universal edge-per-head",
     [](ClaimReader& in) -> Claim { return read_universal_edge_per_head(in); }},
    {"universal edge-pairs",
     [](ClaimReader& in) -> Claim { return read_universal_edge_pairs(in); }},
    {"softmax-recovery", [](ClaimReader& in) -> Claim { return read_softmax(in); }},
    {"float-safe", [](ClaimReader& in) -> Claim { return read_float_safe(in); }},
};
static_assert(std::size(kinds) == std::variant_size_v<Claim>);

}  // namespace

std::string_view claim_name(const Claim& claim) { return kinds[claim.index()].name; }

Claim read_certificate(std::string_view bytes, const std::string& source) {
  ClaimReader in(bytes, source);
  in.text().expect("qkcert 1\n");
  in.text().expect("claim ");
  const std::size_t at = in.text().offset();
  const std::string_view name = in.text().line();
  for (const Kind& kind : kinds)
    if (kind.name == name) {
      Claim claim = kind.read(in);
      in.footer();
      return claim;
    }
  in.text().fail_at(at, "a known claim", quoted(name));
}

std::string write_certificate(const Claim& claim) {
  ClaimWriter out;
  out.line("qkcert 1");
  out.line("claim ", std::string(claim_name(claim)));
  std::visit([&](const auto& each) { write_body(out, each); }, claim);
  return out.finish();
}

}  // namespace qkcert
