#include <map>
#include <qkcert/core/errors.hpp>
#include <qkcert/reports/bibliography.hpp>

namespace qkcert {

namespace {

const std::map<std::string, const char*>& entries() {
  static const std::map<std::string, const char*> all = {
      {"adler2026", R"(@inproceedings{adler2026,
  author = {Adler, M.},
  title = {A Capacity-Based Rationale for Multi-Head Attention},
  booktitle = {International Conference on Machine Learning},
  year = {2026},
  note = {arXiv:2509.22840},
}
)"},
      {"alon2003", R"(@article{alon2003,
  author = {Alon, Noga},
  title = {Problems and Results in Extremal Combinatorics---{I}},
  journal = {Discrete Mathematics},
  volume = {273},
  pages = {31--53},
  year = {2003},
}
)"},
      {"cover1965", R"(@article{cover1965,
  author = {Cover, Thomas M.},
  title = {Geometrical and Statistical Properties of Systems of Linear Inequalities with
    Applications in Pattern Recognition},
  journal = {IEEE Transactions on Electronic Computers},
  volume = {EC-14},
  number = {3},
  pages = {326--334},
  year = {1965},
}
)"},
      {"qkcert", R"(@misc{qkcert,
  author = {{The qkcert authors}},
  title = {qkcert: Exact Certificates for the Key-Query Channel of Multi-Head Attention},
  year = {2026},
}
)"},
      {"schlaefli1901", R"(@book{schlaefli1901,
  author = {Schl{\"a}fli, Ludwig},
  title = {Theorie der vielfachen {K}ontinuit{\"a}t},
  publisher = {Z{\"u}rcher \& Furrer},
  address = {Z{\"u}rich},
  year = {1901},
}
)"},
      {"warren1968", R"(@article{warren1968,
  author = {Warren, Hugh E.},
  title = {Lower Bounds for Approximation by Nonlinear Manifolds},
  journal = {Transactions of the American Mathematical Society},
  volume = {133},
  number = {1},
  pages = {167--178},
  year = {1968},
}
)"},
  };
  return all;
}

}  // namespace

std::string bibliography(const std::set<std::string>& keys) {
  std::string text;
  for (const std::string& key : keys) {
    const auto found = entries().find(key);
    require(found != entries().end(), "bibliography: an unknown key");
    text += (text.empty() ? "" : "\n") + std::string(found->second);
  }
  return text;
}

}  // namespace qkcert
