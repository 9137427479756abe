#include <zlib.h>

#include <qkcert/core/errors.hpp>
#include <qkcert/io/gzip.hpp>

#include "support.hpp"

namespace qkcert::test {
namespace {

std::string random_bytes(Random& random, std::size_t size, std::uint64_t values) {
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random.below(values));
  return bytes;
}

/// A member written by zlib's own file interface's header fields: `flags` of RFC 1952.
std::string with_header(std::string_view content, gz_header header) {
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  REQUIRE(deflateSetHeader(&stream, &header) == Z_OK);
  std::string packed(content.size() + 1000, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  packed.resize(packed.size() - stream.avail_out);
  deflateEnd(&stream);
  return packed;
}

Bytef* field(const char* text) { return reinterpret_cast<Bytef*>(const_cast<char*>(text)); }

/// What gunzip says against `bytes`; nothing when it accepts them.
std::string refusal(const std::string& bytes, std::size_t max_bytes = max_file_bytes) {
  try {
    gunzip(bytes, "x.gz", max_bytes);
  } catch (const FormatError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("gzip and back gives the bytes", "[gzip]") {
  for (const std::size_t size : {0, 1, 65535, 65536, 65537, 1 << 20})
    CHECK(gunzip(gzip(std::string(size, 'x')), "x") == std::string(size, 'x'));
  repeat(40, [](Random& random) {
    const std::string bytes = random_bytes(random, random.below(200000), 2 + random.below(255));
    const std::string packed = gzip(bytes);
    CHECK(is_gzip(packed));
    CHECK(packed == gzip(bytes));
    CHECK(gunzip(packed, "x") == bytes);
  });
}

TEST_CASE("gzip writes neither name nor time", "[gzip]") {
  const std::string packed = gzip("qkcert 1\n");
  // Magic, deflate, no flags, no time; then the level and the system.
  CHECK(packed.substr(0, 8) == std::string("\x1f\x8b\x08\0\0\0\0\0", 8));
}

TEST_CASE("other writers' header fields are read over", "[gzip]") {
  gz_header header{};
  header.text = 1;
  header.time = 123456789;
  header.name = field("certificate.qkc");
  header.comment = field("a comment");
  header.extra = field("extra");
  header.extra_len = 5;
  header.hcrc = 1;
  const std::string packed = with_header("content", header);
  CHECK(gunzip(packed, "x") == "content");
  for (std::size_t size = 2; size < packed.size(); ++size)
    CHECK(refusal(packed.substr(0, size)).find("found the end") != std::string::npos);
  std::string wrong = packed;
  wrong[20] ^= 1;  // within the extra field or the name: only the header's checksum sees it
  CHECK(refusal(wrong).find("header crc mismatch") != std::string::npos);
}

TEST_CASE("every truncation is refused", "[gzip]") {
  repeat(3, [](Random& random) {
    const std::string packed = gzip(random_bytes(random, 300, 40));
    for (std::size_t size = 0; size < packed.size(); ++size)
      CHECK(refusal(packed.substr(0, size)) ==
            "x.gz: byte " + std::to_string(size) +
                " of the gzip file: expected more, found the end");
  });
}

TEST_CASE("a flipped bit changes nothing or is refused", "[gzip]") {
  repeat(2, [](Random& random) {
    const std::string bytes = random_bytes(random, 200, 40);
    const std::string packed = gzip(bytes);
    std::size_t accepted = 0;
    for (std::size_t bit = 0; bit < 8 * packed.size(); ++bit) {
      std::string flipped = packed;
      flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
      if (!refusal(flipped).empty()) continue;
      ++accepted;
      // Only in the header's flags, time, level and system, and in the last bits before the trailer.
      CHECK(((bit / 8 >= 3 && bit / 8 < 10) || bit / 8 == packed.size() - 9));
      CHECK(gunzip(flipped, "x") == bytes);
    }
    CHECK(accepted < 8 * 8);
  });
}

TEST_CASE("nothing may follow the member", "[gzip]") {
  const std::string packed = gzip("content");
  const std::string at = "x.gz: byte " + std::to_string(packed.size());
  for (const std::string& more :
       {std::string("x"), std::string(1, '\0'), packed, std::string("\n")})
    CHECK(refusal(packed + more) ==
          at + " of the gzip file: expected the end, found more behind the member");
}

TEST_CASE("the content may not be longer than the limit", "[gzip]") {
  const std::string bomb = gzip(std::string(10'000'000, '\0'));
  CHECK(bomb.size() < 20'000);
  CHECK_THROWS_AS(gunzip(bomb, "x", 9'999'999), FileError);
  CHECK_THROWS_WITH(gunzip(bomb, "x", 1000), "x: is longer than 1000 bytes when decompressed");
  CHECK(gunzip(bomb, "x", 10'000'000).size() == 10'000'000);
  CHECK(gunzip(gzip(""), "x", 0).empty());
  // A length that the trailer understates is no way around it.
  std::string lying = bomb;
  lying[lying.size() - 1] = lying[lying.size() - 2] = lying[lying.size() - 3] = 0;
  CHECK_THROWS_AS(gunzip(lying, "x", 1000), FileError);
  CHECK(refusal(lying).find("length") != std::string::npos);
}

TEST_CASE("bytes that are no gzip are refused", "[gzip]") {
  CHECK_FALSE(is_gzip(""));
  CHECK_FALSE(is_gzip("\x1f"));
  CHECK_FALSE(is_gzip("qkcert 1\n"));
  CHECK_FALSE(refusal("").empty());
  CHECK_FALSE(refusal("qkcert 1\n").empty());
  CHECK(refusal(std::string("\x1f\x8b\x07\0\0\0\0\0\0\0", 10)).find("damage") != std::string::npos);
  repeat(200, [](Random& random) {
    CHECK_FALSE(refusal("\x1f\x8b" + random_bytes(random, random.below(100), 256)).empty());
  });
}

TEST_CASE("the name decides whether a file is compressed", "[gzip]") {
  CHECK(packed_for("a.qkc", "x") == "x");
  CHECK(packed_for("-", "x") == "x");
  CHECK(packed_for("a.qkc.gz", "x") == gzip("x"));
}

}  // namespace qkcert::test
