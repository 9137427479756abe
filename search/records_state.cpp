#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/reader.hpp>
#include <qkcert/search/record_cells.hpp>
#include <qkcert/search/records_state.hpp>

namespace qkcert {

namespace {

using json = nlohmann::ordered_json;

constexpr std::uint64_t format_version = 1;

json to_json(const Record& record) {
  return {{"key_dimension", record.key_dimension()},
          {"method", record.method},
          {"heads", record.architecture.heads},
          {"head_dim", record.architecture.head_dim},
          {"wider", record.architecture.wider},
          {"seed", record.seed},
          {"patience", record.patience},
          {"version", record.version},
          {"date", record.date},
          {"sha256", record.sha256}};
}

/// Every character is in `allowed`.
bool only(const std::string& text, std::string_view allowed) {
  return text.find_first_not_of(allowed) == std::string::npos;
}

/// A JSON value and its place, for messages.
class Value {
 public:
  Value(const json& value, std::string source, std::string path)
      : value_(value), source_(std::move(source)), path_(std::move(path)) {}

  [[noreturn]] void fail(const std::string& expected) const {
    // Invalid UTF-8 cannot be here: the parser refuses it.
    throw FormatError(source_ + ": " + (path_.empty() ? "" : path_ + ": ") + "expected " +
                      expected + ", found " + qkcert::quoted(value_.dump()));
  }
  Value member(const std::string& key) const {
    if (!value_.is_object() || !value_.contains(key)) fail("an object with " + key);
    return {value_[key], source_, path_.empty() ? key : path_ + "." + key};
  }
  std::uint64_t count(std::uint64_t least, std::uint64_t most) const {
    if (!value_.is_number_unsigned() || value_ < least || value_ > most)
      fail("an integer from " + std::to_string(least) + " to " + std::to_string(most));
    return value_;
  }
  std::string text(const std::string& expected,
                   const std::function<bool(const std::string&)>& is) const {
    if (!value_.is_string() || !is(value_.get_ref<const std::string&>())) fail(expected);
    return value_;
  }
  const json& get() const { return value_; }
  Value element(std::size_t index) const {
    return {value_[index], source_, path_ + "[" + std::to_string(index) + "]"};
  }

 private:
  const json& value_;
  std::string source_, path_;
};

Record read_record(const Value& value) {
  constexpr std::uint64_t any = std::numeric_limits<std::uint64_t>::max();
  constexpr std::uint64_t size = 1U << 20;  // so that heads·head_dim + wider is small
  Record record;
  record.method = value.member("method").text("the name of a method", [](const std::string& name) {
    const auto all = methods();
    return std::any_of(all.begin(), all.end(), [&](const Method& m) { return m.name == name; });
  });
  record.architecture = {value.member("heads").count(1, size),
                         value.member("head_dim").count(1, size), 0};
  record.architecture.wider = value.member("wider").count(0, record.architecture.heads - 1);
  record.seed = value.member("seed").count(0, any);
  record.patience = static_cast<unsigned>(value.member("patience").count(1, 1000));
  record.version = value.member("version").text("a version such as 0.1.0", [](const auto& text) {
    return !text.empty() && only(text, "0123456789.");
  });
  record.date = value.member("date").text("a date such as 2026-01-31", [](const auto& text) {
    return text.size() == 10 && only(text, "0123456789-") && text[4] == '-' && text[7] == '-';
  });
  record.sha256 = value.member("sha256").text("64 hexadecimal digits", [](const auto& text) {
    return text.size() == 64 && only(text, "0123456789abcdef");
  });
  const std::uint64_t key_dimension = record.key_dimension();
  if (value.member("key_dimension").get() != key_dimension)
    value.member("key_dimension").fail("heads·head_dim + wider = " + std::to_string(key_dimension));
  return record;
}

CellHistory read_history(const Value& value) {
  if (!value.get().is_array()) value.fail("an array of records");
  CellHistory history;
  for (std::size_t i = 0; i < value.get().size(); ++i) {
    const Value entry = value.element(i);
    history.push_back(read_record(entry));
    if (history.size() > 1 && history.back().key_dimension() >= history.end()[-2].key_dimension())
      entry.member("key_dimension")
          .fail("less than " + std::to_string(history.end()[-2].key_dimension()));
  }
  return history;
}

}  // namespace

std::string format_records(const RecordsState& state) {
  json cells = json::object();
  for (const auto& [name, history] : state) {
    json& list = cells[name] = json::array();
    for (const Record& record : history) list.push_back(to_json(record));
  }
  return json{{"qkcert-records", format_version}, {"cells", cells}}.dump(1) + "\n";
}

RecordsState parse_records(std::string_view bytes, const std::string& source) {
  json parsed;
  try {
    parsed = json::parse(bytes);
  } catch (const json::exception& error) {
    throw FormatError(source + ": expected JSON: " + error.what());
  }
  const Value root(parsed, source, "");
  root.member("qkcert-records").count(format_version, format_version);
  const Value cells = root.member("cells");
  if (!cells.get().is_object()) cells.fail("an object with the cells");
  RecordsState state;
  const std::vector<Cell> known = record_cells();
  for (const auto& item : cells.get().items()) {
    const std::string& name = item.key();
    if (std::none_of(known.begin(), known.end(), [&](const Cell& c) { return c.name == name; }))
      throw FormatError(source + ": expected the name of a cell, found " + qkcert::quoted(name));
    state.emplace(name, read_history(cells.member(name)));
  }
  // Duplicate and unknown keys and other spellings all show here.
  const std::string canonical = format_records(state);
  if (canonical != bytes) {
    const auto at = std::mismatch(canonical.begin(), canonical.end(), bytes.begin(), bytes.end());
    throw FormatError(
        source + ": line " + std::to_string(1 + std::count(canonical.begin(), at.first, '\n')) +
        ": expected the spelling in which qkcert writes it, known keys only and once");
  }
  return state;
}

}  // namespace qkcert
