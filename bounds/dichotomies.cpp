#include <qkcert/bounds/dichotomies.hpp>
#include <qkcert/bounds/least.hpp>
#include <qkcert/core/counts.hpp>

namespace qkcert {

namespace {

bool reach(const Family& family, const Integer& d_model, const Integer& heads,
           const Integer& size) {
  if (d_model < 1) throw UsageError("a bound on heads needs d_model >= 1");
  const std::uint64_t m = family.vertices();
  return dichotomies_reach(m, largest_rank(m, d_model), heads, size);
}

}  // namespace

SingleHeadClassImpossibility single_head_class(const Family& family, const Integer& d_model) {
  if (reach(family, d_model, 1, family.size()))
    throw UsageError(
        "there are at least as many dichotomies as graphs: nothing follows for one head");
  return {family, d_model};
}

HeadsBound heads_bound(const Family& family, const Integer& d_model) {
  const Integer size = family.size();
  const auto reaches = [&](const Integer& heads) { return reach(family, d_model, heads, size); };
  Integer high = 1;
  while (!reaches(high)) high *= 2;
  return {family, d_model, least(high == 1 ? Integer(0) : Integer(high / 2 + 1), high, reaches)};
}

}  // namespace qkcert
