#include "message.hpp"

#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>

namespace qkcert::cli {

const char* Message::take(std::size_t size) {
  if (size > bytes_.size() - at_) throw Error("a message between ranks ends too early");
  at_ += size;
  return bytes_.data() + at_ - size;
}

void Message::put(const std::string& text) {
  put(text.size());
  put_all(std::span<const char>(text));
}

void Message::put(const Integer& value) { put(to_decimal(value)); }

void Message::put(const Matrix& matrix, VertexRange range) {
  put(range.size());
  put(matrix.cols());
  put(matrix.narrow());
  for (std::size_t i = range.begin; i < range.end; ++i) {
    if (matrix.narrow())
      put_all(matrix.narrow_row(i));
    else
      put_all(matrix.wide_row(i));
  }
}

void Message::put(const Channel& channel) {
  put(channel.heads.size());
  for (const Head& head : channel.heads)
    for (const Matrix* weights : {&head.query, &head.key}) put(*weights, {0, weights->rows()});
}

void Message::put(const Projections& projections) {
  put(projections.range.begin);
  put(projections.range.end);
  put(projections.heads.size());
  for (const ExactRows& head : projections.heads) {
    put(head.cols);
    put(head.max_abs);
    put(head.entries.index());
    std::visit(
        [&](const auto& entries) {
          put_all(std::span<const typename std::remove_cvref_t<decltype(entries)>::value_type>(
              entries));
        },
        head.entries);
  }
}

void Message::put(const Extremes& extremes) {
  for (const auto* extreme : {&extremes.least_edge, &extremes.greatest_nonedge}) {
    put(extreme->has_value());
    if (!*extreme) continue;
    put((*extreme)->score);
    put((*extreme)->pair.source);
    put((*extreme)->pair.target);
  }
}

void Message::put(std::span<const Edge> edges) {
  put(edges.size());
  put_all(edges);
}

std::uint64_t Message::get_number() { return get_all<std::uint64_t>(1)[0]; }

std::string Message::get_text() {
  const std::size_t size = get_number();
  return {take(size), size};
}

Integer Message::get_integer() {
  const std::size_t size = get_number();
  const auto value = parse_integer({take(size), size});
  if (!value) throw Error("a message between ranks holds no integer where one belongs");
  return *value;
}

Matrix Message::get_matrix() {
  const std::size_t rows = get_number(), cols = get_number();
  const bool narrow = get_number() != 0;
  Matrix matrix(rows, cols);
  for (std::size_t i = 0; i < rows; ++i) {
    std::size_t j = 0;
    if (narrow)
      for (const std::int64_t x : get_all<std::int64_t>(cols)) matrix.set(i, j++, x);
    else
      for (const Integer& x : get_all<Integer>(cols)) matrix.set(i, j++, x);
  }
  return matrix;
}

Channel Message::get_channel() {
  Channel channel;
  channel.heads.resize(get_number());
  for (Head& head : channel.heads)
    for (Matrix* weights : {&head.query, &head.key}) *weights = get_matrix();
  return channel;
}

Projections Message::get_projections() {
  Projections projections;
  projections.range.begin = get_number();
  projections.range.end = get_number();
  projections.heads.resize(get_number());
  for (ExactRows& head : projections.heads) {
    head.cols = get_number();
    head.max_abs = get_integer();
    const std::size_t count = projections.range.size() * head.cols;
    switch (get_number()) {
      case 0:
        head.entries = get_all<std::int32_t>(count);
        break;
      case 1:
        head.entries = get_all<std::int64_t>(count);
        break;
      default:
        head.entries = get_all<Integer>(count);
    }
  }
  return projections;
}

Extremes Message::get_extremes() {
  Extremes extremes;
  for (auto* extreme : {&extremes.least_edge, &extremes.greatest_nonedge}) {
    if (get_number() == 0) continue;
    Integer score = get_integer();
    const std::size_t source = get_number(), target = get_number();
    *extreme = Extreme{std::move(score), {source, target}};
  }
  return extremes;
}

std::vector<Edge> Message::get_edges() { return get_all<Edge>(get_number()); }

}  // namespace qkcert::cli
