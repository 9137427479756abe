#pragma once
/// The bounded reader under every file format: a cursor over bytes that are already in memory.
///
/// It never reads past the end, never allocates for a size it has only been told, and every failure
/// names the source, the place, what was expected and what was found.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace qkcert {

/// Shows bytes in an error message: printable ASCII as it is, the rest as \xNN, cut at 40 bytes.
std::string quoted(std::string_view bytes);

class Reader {
 public:
  /// How failures name a place: `source: line 7: …` or `source: byte 1024: …`.
  enum class Position { line, byte };

  /// `bytes` must outlive the reader.
  Reader(std::string_view bytes, std::string source, Position position)
      : bytes_(bytes), source_(std::move(source)), position_(position) {}

  bool at_end() const { return offset_ == bytes_.size(); }
  std::size_t offset() const { return offset_; }
  std::size_t remaining() const { return bytes_.size() - offset_; }
  /// The bytes before the cursor.
  std::string_view consumed() const { return bytes_.substr(0, offset_); }

  /// The next `count` bytes. Errors: FormatError when fewer are left.
  std::string_view take(std::size_t count, std::string_view what);

  /// The bytes up to, not including, the next space, newline or the end; may be empty.
  std::string_view word();

  /// The bytes up to, not including, the next of `stops` or the end; may be empty.
  std::string_view until(std::string_view stops);

  /// The bytes up to the next newline or the end, which is consumed and not returned.
  std::string_view line();

  /// Consumes `text`. Errors: FormatError when something else follows.
  void expect(std::string_view text);

  /// Consumes `text` and returns true, or returns false when something else follows.
  bool accept(std::string_view text);

  /// Checks that `count` items of at least `least_bytes` bytes each can still follow, before
  /// anything of that size is allocated. Require: least_bytes > 0.
  void expect_room(std::uint64_t count, std::size_t least_bytes, std::string_view what) const;

  /// How a failure at `offset` names its place: `line 7` or `byte 1024`.
  std::string place(std::size_t offset) const;

  /// Throws FormatError for the byte at `offset` (default: the cursor).
  [[noreturn]] void fail(std::string_view expected) const { fail_at(offset_, expected); }
  [[noreturn]] void fail_at(std::size_t offset, std::string_view expected) const;
  /// The same with a description of what was found instead of the bytes there.
  [[noreturn]] void fail_at(std::size_t offset, std::string_view expected,
                            std::string_view found) const;

 private:
  std::string_view bytes_;
  std::string source_;
  Position position_;
  std::size_t offset_ = 0;
};

}  // namespace qkcert
