#include <algorithm>
#include <qkcert/core/decimal.hpp>
#include <qkcert/core/reader.hpp>
#include <qkcert/io/contexts.hpp>

namespace qkcert {

std::vector<std::vector<std::size_t>> parse_contexts(std::string_view bytes,
                                                     const std::string& source,
                                                     std::size_t vertices) {
  std::vector<std::vector<std::size_t>> contexts;
  Reader in(bytes, source, Reader::Position::line);
  while (!in.at_end()) {
    const std::size_t at = in.offset();
    std::string_view line = in.line();
    if (line.ends_with('\r')) line.remove_suffix(1);
    std::vector<std::size_t> context;
    for (;;) {
      line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
      if (line.empty() || (context.empty() && (line[0] == '#' || line[0] == '%'))) break;
      const std::string_view word = line.substr(0, line.find_first_of(" \t"));
      const auto vertex = parse_uint64(word);
      if (!vertex || *vertex >= vertices)
        in.fail_at(at, "vertices below " + std::to_string(vertices), quoted(word));
      context.push_back(*vertex);
      line.remove_prefix(word.size());
    }
    if (context.empty()) continue;
    std::sort(context.begin(), context.end());
    const auto twice = std::adjacent_find(context.begin(), context.end());
    if (twice != context.end())
      in.fail_at(at, "different vertices", std::to_string(*twice) + " twice");
    contexts.push_back(std::move(context));
  }
  return contexts;
}

}  // namespace qkcert
