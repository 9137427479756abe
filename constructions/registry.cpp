#include <algorithm>
#include <array>
#include <qkcert/constructions/edge_pairs.hpp>
#include <qkcert/constructions/edge_per_head.hpp>
#include <qkcert/constructions/fit.hpp>
#include <qkcert/constructions/interpolation.hpp>
#include <qkcert/constructions/method.hpp>
#include <qkcert/constructions/onehot_code.hpp>
#include <qkcert/constructions/onehot_neighborly.hpp>
#include <qkcert/constructions/onehot_signature.hpp>
#include <qkcert/constructions/onehot_trigonometric.hpp>
#include <qkcert/constructions/projection.hpp>
#include <qkcert/constructions/signature.hpp>
#include <qkcert/constructions/storage.hpp>
#include <qkcert/constructions/tuple_per_head.hpp>
#include <qkcert/core/errors.hpp>

namespace qkcert {

namespace {

void check_parameter(const Method& method, const char* what, bool taken,
                     const std::optional<std::size_t>& value) {
  if (!value) return;
  const std::string subject = std::string(method.name) + ": " + what;
  if (!taken) throw UsageError(subject + " cannot be chosen, it follows from the input");
  if (*value == 0) throw UsageError(subject + " must be at least 1");
}

}  // namespace

std::span<const Method> methods() {
  static const std::array all = {edge_pairs_method(),
                                 edge_per_head_method(),
                                 fit_method(),
                                 interpolation_method(),
                                 interpolation_rounded_method(),
                                 onehot_code_method(),
                                 onehot_neighborly_method(),
                                 onehot_signature_method(),
                                 onehot_trigonometric_method(),
                                 projection_method(),
                                 signature_method(),
                                 tuple_per_head_method()};
  return all;
}

const Method& find_method(std::string_view name) {
  std::string known;
  for (const Method& method : methods()) {
    if (method.name == name) return method;
    known += (known.empty() ? "" : ", ") + std::string(method.name);
  }
  throw UsageError("unknown method '" + std::string(name) + "'; known are " + known);
}

Architecture plan(const Method& method, const Request& request) {
  require(request.embedding.vertices() == request.graph.vertices(),
          "plan: one embedding row per vertex is required");
  check_parameter(method, "heads", method.takes_heads, request.heads);
  check_parameter(method, "head-dim", method.takes_head_dim, request.head_dim);
  check_parameter(method, "key-dimension", true, request.key_dimension);
  const Architecture planned = method.plan(request);
  const Integer rows = std::max<std::size_t>(request.embedding.d_model(), 1);
  const Integer key_dimension = Integer(planned.heads) * planned.head_dim + planned.wider;
  require_storable(method.name, 2 * rows * key_dimension, 64);
  return planned;
}

Channel propose(const Method& method, const Request& request) {
  const Architecture planned = plan(method, request);
  if (!request.resume.empty() && !method.resumes)
    throw UsageError(std::string(method.name) + ": it makes no checkpoints to resume from");
  Channel channel = method.propose(request);
  require_valid(channel, request.embedding.d_model());
  require(channel.heads.size() == planned.heads, "propose: not the planned number of heads");
  for (std::size_t k = 0; k < planned.heads; ++k)
    require(channel.heads[k].width() == planned.width(k), "propose: not the planned width");
  return channel;
}

}  // namespace qkcert
