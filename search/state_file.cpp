#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/version.hpp>
#include <qkcert/io/file.hpp>
#include <qkcert/search/state_file.hpp>
#include <qkcert/verify/claim_writer.hpp>
#include <qkcert/verify/sha256.hpp>

namespace qkcert {

namespace {

constexpr std::string_view first_line = "qkcert-state 1\n";
constexpr std::size_t hash_line = sizeof("sha256 \n") - 1 + 64;

/// Takes `word`, a value and a newline off the front of `bytes`.
std::string_view take_line(std::string_view& bytes, std::string_view word,
                           const std::string& source) {
  const std::size_t end = bytes.find('\n');
  if (!bytes.starts_with(word) || end == std::string_view::npos)
    throw FormatError(source + ": a state file is expected, its line `" + std::string(word) +
                      "…` is missing");
  const std::string_view value = bytes.substr(word.size(), end - word.size());
  bytes.remove_prefix(end + 1);
  return value;
}

}  // namespace

std::string request_key(std::string_view method, const Request& request) {
  ClaimWriter writer;
  const auto parameter = [&](const char* name, const std::optional<std::size_t>& value) {
    writer.line(name, " ", value ? std::to_string(*value) : "-");
  };
  writer.line("qkcert ", version());
  writer.line("method ", method);
  parameter("heads", request.heads);
  parameter("head-dim", request.head_dim);
  parameter("key-dimension", request.key_dimension);
  writer.integer_line("weight-max", request.weight_max);
  parameter("seed", request.seed);
  parameter("patience", request.patience);
  writer.graph(request.graph);
  writer.embedding(request.embedding.rows);
  return sha256(writer.finish());
}

std::string write_state(std::string_view key, std::string_view payload) {
  std::string bytes(first_line);
  bytes.append("key ").append(key).append("\npayload ");
  bytes.append(std::to_string(payload.size())).append("\n").append(payload).append("\n");
  return bytes + "sha256 " + sha256(bytes) + "\n";
}

std::string read_state(std::string_view bytes, std::string_view key, const std::string& source) {
  std::string_view rest = bytes;
  if (take_line(rest, "qkcert-state ", source) != "1")
    throw FormatError(source + ": a state file of another version");
  if (bytes.size() < hash_line)
    throw FormatError(source + ": a state file is expected, it is truncated");
  const std::string_view hashed = bytes.substr(0, bytes.size() - hash_line);
  const std::string_view found_key = take_line(rest, "key ", source);
  const auto size = parse_uint64(take_line(rest, "payload ", source));
  if (bytes.substr(hashed.size()) != "sha256 " + sha256(hashed) + "\n" || !size ||
      rest.size() < hash_line + 1 || *size != rest.size() - hash_line - 1)
    throw FormatError(source + ": the state is damaged: its length or its hash is wrong");
  if (found_key != key)
    throw UsageError(source +
                     ": the state belongs to another graph, embedding, set of options or version "
                     "of the program; give the same ones, or remove the file");
  return std::string(rest.substr(0, *size));
}

StateFile::StateFile(std::string path, std::string key)
    : path_(std::move(path)), key_(std::move(key)) {
  require_writable(path_);
}

std::string StateFile::load() const {
  if (!file_exists(path_)) return {};
  return read_state(read_file(path_), key_, path_);
}

void StateFile::save(std::function<std::string()> payload) {
  held_ = std::move(payload);
  if (std::chrono::steady_clock::now() - written_ > interval) flush();
}

void StateFile::flush() {
  if (!held_) return;
  write_file(path_, write_state(key_, held_()));
  held_ = nullptr;
  written_ = std::chrono::steady_clock::now();
}

void StateFile::remove() {
  held_ = nullptr;
  remove_file(path_);
}

}  // namespace qkcert
