#include <qkcert/core/errors.hpp>
#include <qkcert/reports/class_bounds.hpp>
#include <qkcert/verify/check.hpp>

namespace qkcert {

std::vector<ClassBound> class_bounds(const BoundQuery& query) {
  require(query.failure_bits == 0, "class_bounds: it speaks of the class itself");
  std::vector<ClassBound> list;
  for (const BoundKind& kind : bound_kinds()) {
    if (kind.weights != "finite" && kind.weights != "real") continue;
    std::optional<Claim> claim;
    try {
      claim = kind.compute(query);
    } catch (const UsageError&) {
      continue;
    } catch (const SizeError&) {
      continue;
    }
    const auto key_dimension = key_dimension_of(*claim);
    if (!key_dimension) continue;
    if (const Verdict verdict = check(*claim, 1); !verdict.holds)
      throw Error("the bound does not pass its check: " + verdict.text);
    list.push_back({std::string(kind.name), kind.weights == "finite", *key_dimension});
  }
  return list;
}

const ClassBound* strongest(const std::vector<ClassBound>& bounds) {
  const ClassBound* best = nullptr;
  for (const ClassBound& bound : bounds)
    if (!best || bound.key_dimension > best->key_dimension) best = &bound;
  return best;
}

Integer weight_class(const Integer& weight_max) { return power_of_two(bit_length(weight_max)) - 1; }

}  // namespace qkcert
