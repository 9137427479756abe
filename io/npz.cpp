#include <zlib.h>

#include <algorithm>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/reader.hpp>
#include <qkcert/io/array.hpp>
#include <qkcert/io/npz.hpp>

namespace qkcert {

namespace {

constexpr std::size_t end_bytes = 22;
constexpr std::size_t zip64_mark = 0xffffffff;
constexpr unsigned stored = 0, deflated = 8;
constexpr unsigned encrypted = 1, has_descriptor = 8;

/// Little-endian fields of a record, in order.
class Fields {
 public:
  Fields(std::string_view bytes, const std::string& source, std::size_t at)
      : in_(bytes, source, Reader::Position::byte) {
    in_.take(at, "an archive");
  }

  std::size_t offset() const { return in_.offset(); }
  std::size_t two() { return unsigned_value(in_.take(2, "a zip field"), false); }
  std::size_t four() { return unsigned_value(in_.take(4, "a zip field"), false); }
  std::string_view text(std::size_t count) { return in_.take(count, "a zip field"); }
  void expect(std::string_view text) { in_.expect(text); }
  [[noreturn]] void fail(std::string_view expected, const std::string& found) const {
    in_.fail_at(in_.offset(), expected, found);
  }

 private:
  Reader in_;
};

}  // namespace

Npz::Npz(std::string_view bytes, std::string source) : bytes_(bytes), source_(std::move(source)) {
  Fields whole(bytes_, source_, 0);
  if (bytes_.size() < end_bytes) whole.fail("a zip archive", "a shorter file");
  Fields end(bytes_, source_, bytes_.size() - end_bytes);
  end.expect("PK\x05\x06");
  if (end.two() != 0 || end.two() != 0) end.fail("one disk", "several");
  const std::size_t here = end.two(), count = end.two();
  if (here != count) end.fail("one disk", "members on others");
  const std::size_t size = end.four(), begin = end.four();
  if (count == 0xffff || size == zip64_mark || begin == zip64_mark)
    end.fail("an archive below 4 GiB", "a zip64 archive");
  if (end.two() != 0) end.fail("no comment", "one");
  if (begin + size != bytes_.size() - end_bytes)
    end.fail("a directory up to byte " + std::to_string(bytes_.size() - end_bytes),
             "one up to byte " + std::to_string(begin + size));
  read_directory(begin, begin + size, count);
  check_overlaps(begin);
}

void Npz::read_directory(std::size_t begin, std::size_t end, std::size_t count) {
  Fields in(bytes_, source_, begin);
  for (std::size_t i = 0; i < count; ++i) {
    in.expect("PK\x01\x02");
    in.two();  // version made by
    in.two();  // version needed
    const std::size_t flags = in.two();
    if ((flags & encrypted) != 0) in.fail("no encryption", "an encrypted member");
    const auto method = static_cast<unsigned>(in.two());
    if (method != stored && method != deflated)
      in.fail("the method stored or deflated", "method " + std::to_string(method));
    in.four();  // time and date
    Member member{};
    member.crc = static_cast<std::uint32_t>(in.four());
    member.packed = in.four();
    member.size = in.four();
    member.deflated = method == deflated;
    const std::size_t name_bytes = in.two(), extra = in.two(), comment = in.two();
    if (in.two() != 0) in.fail("one disk", "a member on another");
    in.two();   // internal attributes
    in.four();  // external attributes
    member.header = in.four();
    if (member.packed == zip64_mark || member.size == zip64_mark || member.header == zip64_mark)
      in.fail("members below 4 GiB", "a zip64 member");
    if (!member.deflated && member.packed != member.size)
      in.fail("a stored member of one length", "two lengths");
    std::string name(in.text(name_bytes));
    in.text(extra);
    in.text(comment);
    if (!name.ends_with(".npy")) in.fail("members NAME.npy", qkcert::quoted(name));
    member.begin = data_begin(member.header, name, member, method);
    name.resize(name.size() - 4);
    if (!members_.emplace(name, member).second) in.fail("every member once", qkcert::quoted(name));
  }
  if (in.offset() != end)
    in.fail("a directory up to byte " + std::to_string(end), "its last member");
}

/// The first byte behind the local header, which must say what the directory says.
std::size_t Npz::data_begin(std::size_t header, const std::string& name, const Member& member,
                            unsigned method) const {
  if (header > bytes_.size())
    Fields(bytes_, source_, bytes_.size()).fail("a member's header", "the end");
  Fields in(bytes_, source_, header);
  in.expect("PK\x03\x04");
  in.two();  // version needed
  const std::size_t flags = in.two();
  if (in.two() != method) in.fail("the method of the directory", "another");
  in.four();  // time and date
  const std::size_t crc = in.four(), packed = in.four(), size = in.four();
  const bool later = (flags & has_descriptor) != 0;
  const auto agrees = [later](std::size_t stated, std::size_t directory, bool wide) {
    return stated == directory || (later && stated == 0) || (wide && stated == zip64_mark);
  };
  if (!agrees(crc, member.crc, false) || !agrees(packed, member.packed, true) ||
      !agrees(size, member.size, true))
    in.fail("the lengths and checksum of the directory", "others");
  const std::size_t name_bytes = in.two(), extra = in.two();
  if (in.text(name_bytes) != name) in.fail("the name of the directory", "another");
  in.text(extra);
  const std::size_t begin = in.offset();
  in.text(member.packed);
  return begin;
}

void Npz::check_overlaps(std::size_t directory) const {
  std::vector<std::pair<std::size_t, std::size_t>> ranges{{directory, bytes_.size()}};
  for (const auto& [name, member] : members_)
    ranges.emplace_back(member.header, member.begin + member.packed);
  std::sort(ranges.begin(), ranges.end());
  for (std::size_t i = 1; i < ranges.size(); ++i)
    if (ranges[i].first < ranges[i - 1].second)
      Fields(bytes_, source_, ranges[i].first).fail("members apart from each other", "an overlap");
}

std::vector<std::string> Npz::names() const {
  std::vector<std::string> result;
  for (const auto& [name, member] : members_) result.push_back(name);
  return result;
}

std::string Npz::member(const std::string& name) const {
  const Member& member = members_.at(name);
  const std::string_view packed = bytes_.substr(member.begin, member.packed);
  const auto fail = [&](const std::string& expected, const std::string& found) {
    Fields(bytes_, source_, member.begin).fail(expected + " in " + qkcert::quoted(name), found);
  };
  std::string content;
  if (!member.deflated) {
    content = packed;
  } else {
    constexpr std::size_t most_ratio = 1032;
    if (member.size > most_ratio * packed.size() + most_ratio)
      fail("deflated data", "more than it can hold");
    content.resize(member.size);
    z_stream stream{};
    if (inflateInit2(&stream, -15) != Z_OK) throw Error("npz: zlib cannot begin");
    // Lengths are below 2^32, so each is one unsigned int.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    char none = 0;
    stream.next_out = reinterpret_cast<Bytef*>(content.empty() ? &none : content.data());
    stream.avail_out = static_cast<uInt>(content.size());
    const int result = inflate(&stream, Z_FINISH);
    const bool whole = stream.avail_in == 0 && stream.avail_out == 0;
    inflateEnd(&stream);
    if (result != Z_STREAM_END || !whole)
      fail("deflated data of " + std::to_string(member.size) + " bytes", "damage");
  }
  const auto crc = crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size());
  if (crc != member.crc) fail("the checksum of the directory", "another");
  return content;
}

}  // namespace qkcert
