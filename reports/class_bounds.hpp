#pragma once
/// The lower bounds on D_K beside which certified channels are set.

#include <qkcert/bounds/registry.hpp>
#include <string>
#include <vector>

namespace qkcert {

struct ClassBound {
  std::string name;       ///< such as `counting`
  bool finite;            ///< speaks of weights up to weight_max; else of all real ones
  Integer key_dimension;  ///< no smaller D_K serves every graph of the class on one embedding
};

/// Every bound on D_K for the class itself and for every channel, checked, in the registry's order;
/// without those that do not apply.
/// Require: query.failure_bits == 0. Errors: Error when a bound does not pass its check.
std::vector<ClassBound> class_bounds(const BoundQuery& query);

/// The highest of them, the first of equals; nothing for an empty list.
const ClassBound* strongest(const std::vector<ClassBound>& bounds);

/// The least A = 2^b - 1 with `weight_max` <= A: the weights fit into b bits and a sign.
Integer weight_class(const Integer& weight_max);

}  // namespace qkcert
