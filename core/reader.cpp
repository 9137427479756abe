#include <algorithm>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/reader.hpp>

namespace qkcert {

std::string quoted(std::string_view bytes) {
  static constexpr char hex[] = "0123456789abcdef";
  std::string text = "'";
  for (const char c : bytes.substr(0, 40)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f)
      text += c;
    else
      text += {'\\', 'x', hex[byte >> 4], hex[byte & 15]};
  }
  return text + (bytes.size() > 40 ? "…'" : "'");
}

std::string_view Reader::take(std::size_t count, std::string_view what) {
  if (count > remaining())
    fail_at(offset_, std::to_string(count) + " bytes of " + std::string(what),
            std::to_string(remaining()) + " bytes");
  offset_ += count;
  return bytes_.substr(offset_ - count, count);
}

std::string_view Reader::word() {
  const std::size_t begin = offset_;
  while (offset_ < bytes_.size() && bytes_[offset_] != ' ' && bytes_[offset_] != '\n') ++offset_;
  return bytes_.substr(begin, offset_ - begin);
}

std::string_view Reader::until(std::string_view stops) {
  const std::size_t begin = offset_;
  offset_ = std::min(bytes_.find_first_of(stops, begin), bytes_.size());
  return bytes_.substr(begin, offset_ - begin);
}

std::string_view Reader::line() {
  const std::size_t begin = offset_;
  const std::size_t end = std::min(bytes_.find('\n', begin), bytes_.size());
  offset_ = std::min(end + 1, bytes_.size());
  return bytes_.substr(begin, end - begin);
}

void Reader::expect(std::string_view text) {
  if (!accept(text)) fail(quoted(text));
}

bool Reader::accept(std::string_view text) {
  if (!bytes_.substr(offset_).starts_with(text)) return false;
  offset_ += text.size();
  return true;
}

void Reader::expect_room(std::uint64_t count, std::size_t least_bytes,
                         std::string_view what) const {
  require(least_bytes > 0, "Reader::expect_room: least_bytes must be positive");
  if (count > remaining() / least_bytes)
    fail_at(offset_, std::to_string(count) + " " + std::string(what),
            "only " + std::to_string(remaining()) + " bytes");
}

void Reader::fail_at(std::size_t offset, std::string_view expected) const {
  const std::string_view rest = bytes_.substr(offset);
  const std::string_view found = rest.substr(0, rest.find('\n'));
  if (rest.empty())
    fail_at(offset, expected, "the end");
  else if (found.empty())
    fail_at(offset, expected, "the end of the line");
  else
    fail_at(offset, expected, quoted(found));
}

void Reader::fail_at(std::size_t offset, std::string_view expected, std::string_view found) const {
  throw FormatError(source_ + ": " + place(offset) + ": expected " + std::string(expected) +
                    ", found " + std::string(found));
}

std::string Reader::place(std::size_t offset) const {
  if (position_ == Position::byte) return "byte " + std::to_string(offset);
  const std::string_view before = bytes_.substr(0, offset);
  return "line " + std::to_string(std::count(before.begin(), before.end(), '\n') + 1);
}

}  // namespace qkcert
