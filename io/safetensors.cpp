#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/io/safetensors.hpp>
#include <set>

namespace qkcert {

namespace {

using Json = nlohmann::json;

constexpr std::size_t most_header_bytes = 100'000'000;

/// The dtypes that are read.
const std::map<std::string_view, Dtype> dtypes = {
    {"BOOL", {'b', 1, false}}, {"I8", {'i', 1, false}},   {"I16", {'i', 2, false}},
    {"I32", {'i', 4, false}},  {"I64", {'i', 8, false}},  {"U8", {'u', 1, false}},
    {"U16", {'u', 2, false}},  {"U32", {'u', 4, false}},  {"U64", {'u', 8, false}},
    {"F16", {'f', 2, false}},  {"BF16", {'t', 2, false}}, {"F32", {'f', 4, false}},
    {"F64", {'f', 8, false}}};

/// The header; nothing when a key comes twice, with that key. Errors: Json::exception.
std::optional<Json> parse_header(std::string_view text, std::string& twice) {
  std::vector<std::set<std::string>> keys;
  bool unique = true;
  const auto watch = [&](int, Json::parse_event_t event, Json& value) {
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::key && !keys.back().insert(value.get<std::string>()).second) {
      if (unique) twice = value.get<std::string>();
      unique = false;
    }
    return true;
  };
  Json header = Json::parse(text, watch);
  if (!unique) return std::nullopt;
  return header;
}

/// A list of sizes from 0 to 2^64 - 1.
std::optional<std::vector<std::size_t>> sizes(const Json& list) {
  if (!list.is_array()) return std::nullopt;
  std::vector<std::size_t> result;
  for (const Json& size : list) {
    if (!size.is_number_unsigned()) return std::nullopt;
    result.push_back(size.get<std::size_t>());
  }
  return result;
}

}  // namespace

Safetensors::Safetensors(std::string_view bytes, std::string source)
    : bytes_(bytes), source_(std::move(source)) {
  Reader in(bytes_, source_, Reader::Position::byte);
  const std::uint64_t length = unsigned_value(in.take(8, "header length"), false);
  if (length > most_header_bytes)
    in.fail_at(0, "a header of at most 100000000 bytes", std::to_string(length));
  const std::string_view text = in.take(length, "header");
  data_begin_ = in.offset();
  if (!text.starts_with("{")) in.fail_at(8, "a JSON object");
  std::string twice;
  std::optional<Json> header;
  try {
    header = parse_header(text, twice);
  } catch (const Json::exception&) {
    in.fail_at(8, "a header in JSON", "other bytes");
  }
  if (!header) in.fail_at(8, "every key once", qkcert::quoted(twice) + " again");
  for (const auto& [name, entry] : header->items()) {
    if (name == "__metadata__") {
      const bool strings =
          entry.is_object() && std::all_of(entry.begin(), entry.end(),
                                           [](const Json& value) { return value.is_string(); });
      if (!strings) fail(name, "an object of strings", "something else");
      continue;
    }
    if (!entry.is_object() || entry.size() != 3 || !entry.contains("dtype") ||
        !entry.contains("shape") || !entry.contains("data_offsets"))
      fail(name, "dtype, shape and data_offsets", "something else");
    const auto shape = sizes(entry["shape"]), offsets = sizes(entry["data_offsets"]);
    if (!entry["dtype"].is_string()) fail(name, "a dtype", "something else");
    if (!shape) fail(name, "a shape of sizes from 0 to 2^64 - 1", "something else");
    if (!offsets || offsets->size() != 2) fail(name, "two data_offsets", "something else");
    Tensor tensor{entry["dtype"].get<std::string>(), *shape, (*offsets)[0], (*offsets)[1]};
    check(name, tensor, in.remaining());
    tensors_.emplace(name, std::move(tensor));
  }
  check_cover(in.remaining());
}

void Safetensors::fail(const std::string& name, const std::string& expected,
                       const std::string& found) const {
  throw FormatError(source_ + ": tensor " + qkcert::quoted(name) + ": expected " + expected +
                    ", found " + found);
}

void Safetensors::check(const std::string& name, const Tensor& tensor, std::size_t data) const {
  const std::string offsets = std::to_string(tensor.begin) + " and " + std::to_string(tensor.end);
  if (tensor.begin > tensor.end) fail(name, "data_offsets begin <= end", offsets);
  if (tensor.end > data) fail(name, "data_offsets up to " + std::to_string(data), offsets);
  const auto dtype = dtypes.find(tensor.dtype);
  if (dtype == dtypes.end()) return;
  const Integer size = byte_size(tensor.shape, dtype->second.bytes);
  if (size != tensor.end - tensor.begin)
    fail(name, to_decimal(size) + " bytes", std::to_string(tensor.end - tensor.begin));
}

void Safetensors::check_cover(std::size_t data) const {
  std::vector<std::pair<std::size_t, std::size_t>> ranges;
  for (const auto& [name, tensor] : tensors_) ranges.emplace_back(tensor.begin, tensor.end);
  std::sort(ranges.begin(), ranges.end());
  std::size_t at = 0;
  const Reader in(bytes_, source_, Reader::Position::byte);
  for (const auto& [begin, end] : ranges) {
    if (begin != at)
      in.fail_at(data_begin_ + at, begin < at ? "tensors apart from each other" : "a tensor",
                 begin < at ? "an overlap" : "bytes of none");
    at = end;
  }
  if (at != data) in.fail_at(data_begin_ + at, "the end", "bytes of no tensor");
}

std::vector<std::string> Safetensors::names() const {
  std::vector<std::string> result;
  for (const auto& [name, tensor] : tensors_) result.push_back(name);
  return result;
}

Array Safetensors::array(const std::string& name) const {
  const Tensor& tensor = tensors_.at(name);
  const auto dtype = dtypes.find(tensor.dtype);
  if (dtype == dtypes.end())
    fail(name, "a dtype of BOOL I8 I16 I32 I64 U8 U16 U32 U64 F16 BF16 F32 F64",
         qkcert::quoted(tensor.dtype));
  Reader in(bytes_, source_, Reader::Position::byte);
  in.take(data_begin_ + tensor.begin, "the bytes before");
  return {in, bytes_.substr(data_begin_ + tensor.begin, tensor.end - tensor.begin), dtype->second,
          false, tensor.shape};
}

}  // namespace qkcert
