#include <zlib.h>

#include <algorithm>
#include <new>
#include <qkcert/core/errors.hpp>
#include <qkcert/io/gzip.hpp>

namespace qkcert {

namespace {

constexpr int gzip_window = 15 + 16;  // the largest window; 16 stands for the gzip header
constexpr std::size_t block_bytes = std::size_t{1} << 16;

/// A zlib stream over bytes of any length: zlib counts in unsigned ints, so it is fed in pieces.
class Stream {
 public:
  explicit Stream(std::string_view input) : rest_(input), block_(block_bytes, '\0') {}

  z_stream* operator->() { return &stream_; }
  z_stream* get() { return &stream_; }

  void feed() {
    if (stream_.avail_in > 0) return;
    const std::size_t count = std::min<std::size_t>(rest_.size(), std::size_t{1} << 30);
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(rest_.data()));
    stream_.avail_in = static_cast<uInt>(count);
    rest_.remove_prefix(count);
  }
  bool all_fed() const { return rest_.empty(); }
  std::size_t left() const { return rest_.size() + stream_.avail_in; }

  void offer_room() {
    stream_.next_out = reinterpret_cast<Bytef*>(block_.data());
    stream_.avail_out = static_cast<uInt>(block_.size());
  }
  std::string_view output() const { return {block_.data(), block_.size() - stream_.avail_out}; }

 private:
  z_stream stream_{};
  std::string_view rest_;
  std::string block_;
};

struct Inflating : Stream {
  explicit Inflating(std::string_view input) : Stream(input) {
    if (inflateInit2(get(), gzip_window) != Z_OK) throw Error("gzip: zlib cannot begin");
  }
  Inflating(const Inflating&) = delete;
  ~Inflating() { inflateEnd(get()); }
};

struct Deflating : Stream {
  explicit Deflating(std::string_view input) : Stream(input) {
    constexpr int memory_level = 9;
    if (deflateInit2(get(), Z_BEST_COMPRESSION, Z_DEFLATED, gzip_window, memory_level,
                     Z_DEFAULT_STRATEGY) != Z_OK)
      throw Error("gzip: zlib cannot begin");
  }
  Deflating(const Deflating&) = delete;
  ~Deflating() { deflateEnd(get()); }
};

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

std::string gzip(std::string_view bytes) {
  Deflating stream(bytes);
  std::string packed;
  for (int result = Z_OK; result != Z_STREAM_END;) {
    stream.feed();
    stream.offer_room();
    result = deflate(stream.get(), stream.all_fed() ? Z_FINISH : Z_NO_FLUSH);
    if (result == Z_STREAM_ERROR) throw Error("gzip: zlib fails");
    packed += stream.output();
  }
  return packed;
}

std::string gunzip(std::string_view bytes, const std::string& source, std::size_t max_bytes) {
  Inflating stream(bytes);
  const auto fail = [&](const std::string& what) {
    throw FormatError(source + ": byte " + std::to_string(bytes.size() - stream.left()) +
                      " of the gzip file: " + what);
  };
  std::string content;
  for (int result = Z_OK; result != Z_STREAM_END;) {
    stream.feed();
    stream.offer_room();
    result = inflate(stream.get(), Z_NO_FLUSH);
    if (result == Z_MEM_ERROR) throw std::bad_alloc();
    // Without input and with all room taken there is nothing to do: more would have to follow.
    if (result == Z_BUF_ERROR) fail("expected more, found the end");
    if (result != Z_OK && result != Z_STREAM_END)
      fail(std::string("expected gzip data, found damage: ") +
           (stream->msg ? stream->msg : "a preset dictionary"));
    if (stream.output().size() > max_bytes - content.size())
      throw FileError(source + ": is longer than " + std::to_string(max_bytes) +
                      " bytes when decompressed");
    content += stream.output();
  }
  if (stream.left() > 0) fail("expected the end, found more behind the member");
  return content;
}

std::string read_packed_file(const std::string& path) {
  std::string bytes = read_file(path);
  return is_gzip(bytes) ? gunzip(bytes, path) : bytes;
}

std::string packed_for(const std::string& path, std::string_view bytes) {
  return path.ends_with(".gz") ? gzip(bytes) : std::string(bytes);
}

}  // namespace qkcert
