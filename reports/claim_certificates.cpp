#include <qkcert/bounds/registry.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/io/gzip.hpp>
#include <qkcert/reports/claim_certificates.hpp>
#include <qkcert/reports/claim_inputs.hpp>
#include <qkcert/search/advantage.hpp>
#include <qkcert/search/float_safe.hpp>
#include <qkcert/verify/certificate.hpp>
#include <qkcert/verify/sha256.hpp>

namespace qkcert {

namespace {

using Type = Observable::Type;

constexpr Observable certificate_facts[] = {{"holds", Type::flag, true},
                                            {"claim", Type::text},
                                            {"reason", Type::text},
                                            {"sha256", Type::text},
                                            {"vertices", Type::number},
                                            {"edges", Type::number},
                                            {"d_model", Type::number},
                                            {"heads", Type::number},
                                            {"key_dimension", Type::number},
                                            {"weight_max", Type::number},
                                            {"threshold", Type::number},
                                            {"least_edge_score", Type::number},
                                            {"greatest_nonedge_score", Type::number}};

void add_facts(const Claim& claim, std::vector<Observation>& facts) {
  facts.push_back({"claim", std::string(claim_name(claim))});
  std::visit(
      [&](const auto& each) {
        if constexpr (requires { each.graph; }) {
          facts.push_back({"vertices", Integer(each.graph.vertices())});
          facts.push_back({"edges", Integer(each.graph.edges().size())});
        }
        if constexpr (requires { each.embedding; })
          facts.push_back({"d_model", Integer(each.embedding.cols())});
        if constexpr (requires { each.channel; }) {
          facts.push_back({"heads", Integer(each.channel.heads.size())});
          facts.push_back({"key_dimension", Integer(each.channel.key_dimension())});
          facts.push_back({"weight_max", each.channel.weight_max()});
          facts.push_back({"threshold", each.threshold});
        }
        if constexpr (requires { each.key_dimension; })
          facts.push_back({"key_dimension", each.key_dimension});
      },
      claim);
  if (const auto* recovery = std::get_if<RecoveryClaim>(&claim)) {
    if (recovery->least_edge) facts.push_back({"least_edge_score", *recovery->least_edge});
    if (recovery->greatest_nonedge)
      facts.push_back({"greatest_nonedge_score", *recovery->greatest_nonedge});
  }
}

/// A verdict as facts.
void add(const Verdict& verdict, Observations& to) {
  to.facts.push_back({"holds", verdict.holds});
  if (!verdict.holds) to.facts.push_back({"reason", verdict.text});
  to.detail = verdict.text;
}

Observations observe_certificate(const std::string& path) {
  Observations found;
  const std::string bytes = read_packed_file(path);
  found.facts.push_back({"sha256", sha256(bytes)});
  try {
    const Claim claim = read_certificate(bytes, path);
    add_facts(claim, found.facts);
    add(check(claim, 1), found);
  } catch (const FormatError& error) {
    add({false, error.what()}, found);
  }
  return found;
}

ClaimWork read_certificate_claim(const Toml& claim, const std::string& folder) {
  ClaimWork work;
  const std::string path = input_file(claim.at("certificate"), folder, work.inputs);
  work.observe = [path] { return observe_certificate(path); };
  return work;
}

constexpr Observable advantage_facts[] = {{"holds", Type::flag, true}, {"reason", Type::text}};

ClaimWork read_advantage(const Toml& claim, const std::string& folder) {
  ClaimWork work;
  const std::string single = input_file(claim.at("single"), folder, work.inputs);
  const std::string heads = input_file(claim.at("heads"), folder, work.inputs);
  work.observe = [=] {
    Observations found;
    try {
      add(check_advantage(read_packed_file(single), single, read_packed_file(heads), heads, 1),
          found);
    } catch (const FormatError& error) {
      add({false, error.what()}, found);
    }
    return found;
  };
  return work;
}

constexpr Observable float_facts[] = {{"holds", Type::flag, true},
                                      {"reason", Type::text},
                                      {"embedding_scale", Type::number},
                                      {"weight_scale", Type::number}};

ClaimWork read_float_safe(const Toml& claim, const std::string& folder) {
  static constexpr std::string_view names[] = {"fp32", "fp16", "bf16"};
  ClaimWork work;
  const std::string path = input_file(claim.at("certificate"), folder, work.inputs);
  const FloatFormat format = find_float_format(claim.at("format").one_of(names)).value();
  work.observe = [=] {
    const Claim read = read_certificate(read_packed_file(path), path);
    const auto* recovery = std::get_if<RecoveryClaim>(&read);
    if (recovery == nullptr)
      throw UsageError(path + ": expected a certificate of recovery, found " +
                       std::string(claim_name(read)));
    const FloatSafeClaim safe = float_safe_claim(*recovery, format);
    Observations found{
        {{"embedding_scale", safe.embedding_scale}, {"weight_scale", safe.weight_scale}}};
    add(check(safe, 1), found);
    return found;
  };
  return work;
}

}  // namespace

std::vector<ClaimKind> certificate_claim_kinds() {
  return {{"certificate", certificate_facts, read_certificate_claim},
          {"advantage", advantage_facts, read_advantage},
          {"float-safe", float_facts, read_float_safe}};
}

}  // namespace qkcert
