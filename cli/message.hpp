#pragma once
/// What ranks tell each other: values one after the other, in this machine's own spelling.

#include <cstring>
#include <qkcert/verify/extremes.hpp>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace qkcert::cli {

/// Values come out in the order, and of the types, in which they were put in.
/// Errors: Error when a get goes beyond the end.
class Message {
 public:
  Message() = default;
  explicit Message(std::vector<char> bytes) : bytes_(std::move(bytes)) {}
  const std::vector<char>& bytes() const& { return bytes_; }
  std::vector<char> bytes() && { return std::move(bytes_); }

  void put(std::uint64_t value) { put_all(std::span<const std::uint64_t>(&value, 1)); }
  void put(const std::string& text);
  void put(const Integer& value);
  void put(const Channel& channel);
  void put(const Projections& projections);
  void put(const Extremes& extremes);
  void put(std::span<const Edge> edges);
  /// The rows of a matrix in `range`.
  void put(const Matrix& matrix, VertexRange range);

  std::uint64_t get_number();
  std::string get_text();
  Integer get_integer();
  Channel get_channel();
  Projections get_projections();
  Extremes get_extremes();
  std::vector<Edge> get_edges();
  Matrix get_matrix();

 private:
  /// The next `size` bytes.
  const char* take(std::size_t size);

  template <class T>
  void put_all(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    const char* const begin = reinterpret_cast<const char*>(values.data());
    bytes_.insert(bytes_.end(), begin, begin + values.size_bytes());
  }
  void put_all(std::span<const Integer> values) {
    for (const Integer& each : values) put(each);
  }

  template <class T>
  std::vector<T> get_all(std::size_t count) {
    std::vector<T> values;
    if constexpr (std::is_same_v<T, Integer>) {
      for (std::size_t i = 0; i < count; ++i) values.push_back(get_integer());
    } else if (count > 0) {
      const char* const from = take(count * sizeof(T));
      values.resize(count);
      std::memcpy(values.data(), from, count * sizeof(T));
    }
    return values;
  }

  std::vector<char> bytes_;
  std::size_t at_ = 0;
};

}  // namespace qkcert::cli
