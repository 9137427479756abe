#pragma once
/// Results with everything that the formats have to escape.

#include <qkcert/reports/claims.hpp>

namespace qkcert::test {

inline ClaimResults results() {
  using Outcome = ClaimResult::Outcome;
  ClaimResults results{"claims/a b,c:100%.toml", {}};
  results.claims.push_back({"good",
                            "It holds.",
                            "Theorem 1",
                            "bound",
                            {3, 1},
                            {Outcome::passed, {}, "bound counting: D_K >= 5"}});
  results.claims.push_back({"b1-high",
                            "D_K ≥ 6, \"surely\" & <always>",
                            "B1, 50% sure",
                            "bound",
                            {12, 1},
                            {Outcome::failed,
                             {{"value", "value = 6", "5"}, {"applies", "applies = false", "true"}},
                             "bound counting: D_K >= 5"}});
  results.claims.push_back(
      {"text",
       "One\ttab.",
       "a:b,c",
       "certificate",
       {20, 1},
       {Outcome::failed, {{"reason", "reason contains 'x'", "'a\nb\r\x01\xff ]]>'"}}, ""}});
  results.claims.push_back({"slow",
                            "It never ends.",
                            "B2",
                            "construction",
                            {31, 1},
                            {Outcome::error, {}, "not decided within the limit of 0.5 s"}});
  results.claims.push_back(
      {"", "", "", "", {40, 7}, {Outcome::error, {}, "id: expected a string, found the number 7"}});
  return results;
}

inline ClaimResults all_passed() {
  ClaimResults all = results();
  all.claims.resize(1);
  all.claims[0].unchanged = true;
  return all;
}

}  // namespace qkcert::test
