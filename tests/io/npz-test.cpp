#include <filesystem>
#include <map>
#include <qkcert/core/errors.hpp>
#include <qkcert/io/arrays.hpp>
#include <qkcert/io/npz.hpp>

#include "support.hpp"

namespace qkcert::test {
namespace {

std::vector<std::string> folder(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(QKCERT_TEST_DATA) + "/" + name))
    names.push_back(entry.path().stem());
  return names;
}

/// Reads all of a file, every entry of every array.
void read_all(const std::string& bytes, const std::string& source) {
  NamedArrays arrays(bytes, source);
  for (const std::string& name : arrays.names()) {
    const Array array = arrays.array(name);
    for (std::size_t i = 0; i < array.size(); ++i) array(i);
  }
}

std::vector<std::int64_t> halves(const Array& array) {  // twice the entries, as integers
  std::vector<std::int64_t> result;
  for (std::size_t i = 0; i < array.size(); ++i) {
    const Dyadic x = array(i);
    Integer value = Integer(x.magnitude) * power_of_two(static_cast<std::size_t>(x.exponent + 150));
    value = value * 2 / power_of_two(150);
    result.push_back(to_int64(x.negative ? Integer(-value) : value).value());
  }
  return result;
}

TEST_CASE("every valid .npz file gives its arrays", "[npz]") {
  for (const std::string& name : folder("npz/valid")) {
    INFO(name);
    NamedArrays arrays(corpus("npz/valid/" + name + ".npz"), name);
    if (name == "empty") {
      CHECK(arrays.names().empty());
      CHECK_THROWS_WITH(arrays.array("q"), "empty: expected an array 'q', found none");
      continue;
    }
    CHECK(arrays.names() == std::vector<std::string>{"k", "q"});
    const Array q = arrays.array("q"), k = arrays.array("k");
    CHECK(q.shape() == std::vector<std::size_t>{2, 3});
    CHECK(k.shape() == std::vector<std::size_t>{3});
    CHECK(halves(q) == std::vector<std::int64_t>{2, 0, 192, 128, 64, 1});
    CHECK(halves(k) == std::vector<std::int64_t>{-8, 16, 24});
    CHECK_THROWS_WITH(arrays.array("v"), name + ": expected an array 'v', found 'k', 'q'");
    CHECK_THROWS_AS(q(6), ShapeError);
  }
  CHECK(folder("npz/valid").size() == 5);
}

TEST_CASE("every invalid .npz file is refused for the fault it is named after", "[npz]") {
  const std::map<std::string, std::string> reasons = {
      {"byte-more",
       "f: byte 459: expected 'PK\\x05\\x06', found "
       "'K\\x05\\x06\\x00\\x00\\x00\\x00\\x02\\x00\\x02\\x00f\\x00\\x00\\x00d\\x01\\x00\\x00\\x00\\"
       "x00\\x00'"},
      {"comment",
       "f: byte 461: expected 'PK\\x05\\x06', found "
       "'\\x06\\x00\\x00\\x00\\x00\\x02\\x00\\x02\\x00f\\x00\\x00\\x00d\\x01\\x00\\x00\\x03\\x00abc"
       "'"},
      {"count-one-less", "f: byte 407: expected a directory up to byte 458, found its last member"},
      {"count-one-more",
       "f: byte 458: expected 'PK\\x01\\x02', found "
       "'PK\\x05\\x06\\x00\\x00\\x00\\x00\\x03\\x00\\x03\\x00f\\x00\\x00\\x00d\\x01\\x00\\x00\\x00"
       "\\x00'"},
      {"crc-of-directory-and-header-differ",
       "f: byte 26: expected the lengths and checksum of the directory, found others"},
      {"crc-wrong", "f: byte 35: expected the checksum of the directory in 'q', found another"},
      {"data-changed", "f: byte 35: expected the checksum of the directory in 'q', found another"},
      {"deflated-bomb", "f: byte 35: expected deflated data in 'q', found more than it can hold"},
      {"deflated-damaged", "f: byte 35: expected deflated data of 152 bytes in 'q', found damage"},
      {"deflated-one-byte-less",
       "f: byte 35: expected deflated data of 151 bytes in 'q', found damage"},
      {"deflated-one-byte-more",
       "f: byte 35: expected deflated data of 153 bytes in 'q', found damage"},
      {"directory-offset-too-small",
       "f: byte 480: expected a directory up to byte 458, found one up to byte 457"},
      {"directory-size-too-large",
       "f: byte 480: expected a directory up to byte 458, found one up to byte 459"},
      {"encrypted", "f: byte 366: expected no encryption, found an encrypted member"},
      {"header-of-another-name", "f: byte 35: expected the name of the directory, found another"},
      {"header-offset-outside", "f: byte 480: expected a member's header, found the end"},
      {"header-offset-wrong",
       "f: byte 1: expected 'PK\\x03\\x04', found "
       "'K\\x03\\x04\\x14\\x00\\x00\\x00\\x00\\x00\\x00\\x00!"
       "\\x00\\xcar\\xddZ\\x98\\x00\\x00\\x00\\x98\\x00\\x00\\x00\\x05\\x00\\x00\\x00q."
       "npy\\x93NUMPY…'"},
      {"member-no-array", "f: q: byte 0: expected '\\x93NUMPY', found '0 1'"},
      {"member-no-npy", "f: byte 238: expected members NAME.npy, found 'q.txt'"},
      {"member-twice", "f: byte 476: expected every member once, found 'q'"},
      {"members-overlap", "f: byte 187: expected members apart from each other, found an overlap"},
      {"method-lzma", "f: byte 368: expected the method stored or deflated, found method 14"},
      {"several-disks", "f: byte 464: expected one disk, found several"},
      {"stored-of-two-lengths",
       "f: byte 402: expected a stored member of one length, found two lengths"},
      {"ten-bytes", "f: byte 0: expected a zip archive, found a shorter file"},
      {"truncated",
       "f: byte 457: expected 'PK\\x05\\x06', found "
       "'yPK\\x05\\x06\\x00\\x00\\x00\\x00\\x02\\x00\\x02\\x00f\\x00\\x00\\x00d\\x01\\x00\\x00\\x00"
       "'"},
      {"zip64-archive", "f: byte 478: expected an archive below 4 GiB, found a zip64 archive"},
      {"zip64-member", "f: byte 402: expected members below 4 GiB, found a zip64 member"},
  };
  for (const std::string& name : folder("npz/invalid")) {
    INFO(name);
    REQUIRE(reasons.contains(name));
    const std::string bytes = corpus("npz/invalid/" + name + ".npz");
    CHECK_THROWS_AS(read_all(bytes, "f"), FormatError);
    CHECK_THROWS_WITH(read_all(bytes, "f"), reasons.at(name));
  }
  CHECK(folder("npz/invalid").size() == reasons.size());
}

TEST_CASE("every prefix of a .npz file is refused, damaged ones give an error or arrays", "[npz]") {
  for (const char* name : {"stored", "deflated", "numpy-savez", "data-descriptors"}) {
    const std::string bytes = corpus("npz/valid/" + std::string(name) + ".npz");
    for (std::size_t size = 0; size < bytes.size(); ++size)
      CHECK_THROWS_AS(read_all(bytes.substr(0, size), "f"), FormatError);
    repeat(2000, [&](Random& random) {
      std::string damaged = bytes;
      for (std::size_t i = 1 + random.below(3); i > 0; --i)
        damaged[random.below(damaged.size())] = static_cast<char>(random.below(256));
      try {
        read_all(damaged, "f");
      } catch (const FormatError&) {
      }
    });
  }
}

}  // namespace
}  // namespace qkcert::test
