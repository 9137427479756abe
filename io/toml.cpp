#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include <algorithm>
#include <qkcert/core/decimal.hpp>
#include <qkcert/core/nearest.hpp>
#include <qkcert/core/reader.hpp>
#include <qkcert/io/toml.hpp>
#include <set>

namespace qkcert {

PlacedError::PlacedError(const std::string& source, Place at, std::string why)
    : FormatError(source + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": " +
                  why),
      place(at),
      reason(std::move(why)) {}

struct Toml::Node {
  Kind kind;
  std::string key = {};
  Place place = {};
  Place key_place = {};
  std::string text = {};  ///< of a scalar: a string's value, else the spelling
  std::vector<std::shared_ptr<const Node>> members = {};  ///< in the order of the file
  mutable std::set<std::string, std::less<>> asked = {};
};

/// From toml++'s nodes to ours.
struct TomlReader {
  using Node = Toml::Node;
  std::string_view bytes;
  std::vector<std::size_t> lines = {0};  ///< where each line begins

  explicit TomlReader(std::string_view text) : bytes(text) {
    if (bytes.starts_with("\xef\xbb\xbf")) lines[0] = 3;
    for (std::size_t i = 0; i < bytes.size(); ++i)
      if (bytes[i] == '\n') lines.push_back(i + 1);
  }

  static Place place_of(const toml::source_position& position) {
    return {position.line, position.column};
  }

  std::size_t offset(const toml::source_position& position) const {
    const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
    std::size_t at = lines.at(position.line - 1);
    for (std::size_t column = 1; column < position.column && at < bytes.size(); ++column)
      for (++at; at < bytes.size() && continues(bytes[at]);) ++at;
    return at;
  }

  /// A number as it stands in the file, without the underscores.
  std::string spelling(const toml::source_region& region) const {
    const std::size_t begin = offset(region.begin);
    std::string text(bytes.substr(begin, offset(region.end) - begin));
    std::erase(text, '_');
    return text;
  }

  std::shared_ptr<Node> read(const toml::node& from) const {
    auto node = std::make_shared<Node>();
    node->place = node->key_place = place_of(from.source().begin);
    if (const auto* table = from.as_table()) {
      node->kind = Toml::Kind::table;
      for (const auto& [key, value] : *table) {
        auto member = read(value);
        member->key = key.str();
        member->key_place = place_of(key.source().begin);
        node->members.push_back(std::move(member));
      }
      std::ranges::stable_sort(node->members, {}, [](const auto& member) {
        return std::pair(member->key_place.line, member->key_place.column);
      });
    } else if (const auto* list = from.as_array()) {
      node->kind = Toml::Kind::list;
      for (const toml::node& value : *list) node->members.push_back(read(value));
    } else if (const auto* text = from.as_string()) {
      node->kind = Toml::Kind::text;
      node->text = text->get();
    } else if (const auto* integer = from.as_integer()) {
      node->kind = Toml::Kind::integer;
      node->text = std::to_string(integer->get());
    } else if (const auto* flag = from.as_boolean()) {
      node->kind = Toml::Kind::flag;
      node->text = flag->get() ? "true" : "false";
    } else {
      node->kind = from.is_floating_point() ? Toml::Kind::real : Toml::Kind::time;
      node->text = spelling(from.source());
    }
    return node;
  }
};

Toml parse_toml(std::string_view bytes, const std::string& source) {
  const toml::parse_result parsed = toml::parse(bytes);
  if (!parsed)
    throw PlacedError(source, TomlReader::place_of(parsed.error().source().begin),
                      "not TOML: " + std::string(parsed.error().description()));
  return {TomlReader(bytes).read(parsed.table()), std::make_shared<const std::string>(source)};
}

Toml::Kind Toml::kind() const { return node_->kind; }
const std::string& Toml::key() const { return node_->key; }
Place Toml::place() const { return node_->place; }
const std::string& Toml::source() const { return *source_; }

void Toml::fail(std::string_view expected, std::string_view found) const {
  const std::string subject = key().empty() ? "" : key() + ": ";
  throw PlacedError(
      *source_, place(),
      subject + "expected " + std::string(expected) + ", found " + std::string(found));
}

void Toml::fail(std::string_view expected) const {
  switch (kind()) {
    case Kind::text:
      fail(expected, "the string " + qkcert::quoted(node_->text));
    case Kind::integer:
    case Kind::real:
      fail(expected, "the number " + node_->text);
    case Kind::flag:
      fail(expected, node_->text);
    case Kind::time:
      fail(expected, "the time " + node_->text);
    case Kind::list:
      fail(expected, "a list");
    case Kind::table:
      break;
  }
  fail(expected, "a table");
}

const std::string& Toml::text() const {
  if (kind() != Kind::text) fail("a string");
  return node_->text;
}

bool Toml::flag() const {
  if (kind() != Kind::flag) fail("true or false");
  return node_->text == "true";
}

std::uint64_t Toml::count(std::uint64_t least, std::uint64_t most) const {
  if (kind() == Kind::integer)
    if (const auto value = parse_uint64(node_->text); value && *value >= least && *value <= most)
      return *value;
  const std::string range = most == std::numeric_limits<std::uint64_t>::max()
                                ? "of at least " + std::to_string(least)
                                : "from " + std::to_string(least) + " to " + std::to_string(most);
  fail("an integer " + range);
}

Integer Toml::integer() const {
  if (kind() == Kind::integer || kind() == Kind::text)
    if (const auto value = parse_integer(node_->text)) return *value;
  fail("an integer, or a string of its digits");
}

Rational Toml::ratio() const {
  if (kind() == Kind::integer || kind() == Kind::real || kind() == Kind::text) {
    if (const auto value = parse_decimal(node_->text)) return *value;
    const std::size_t slash = node_->text.find('/');
    if (kind() == Kind::text && slash != std::string::npos) {
      const auto above = parse_integer(std::string_view(node_->text).substr(0, slash));
      const auto below = parse_integer(std::string_view(node_->text).substr(slash + 1));
      if (above && below && *above >= 0 && *below > 0) return Rational(*above, *below);
    }
  }
  fail("a number such as 3, 0.25 or \"1/3\"");
}

namespace {

/// ` (nearest: 'x')`, or nothing.
std::string hint(std::string_view word, const std::vector<std::string>& known) {
  const auto meant = nearest(word, known);
  return meant ? " (nearest: '" + *meant + "')" : "";
}

std::string enumerated(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

}  // namespace

const std::string& Toml::one_of(std::span<const std::string_view> names) const {
  const std::vector<std::string> known(names.begin(), names.end());
  if (kind() == Kind::text && std::ranges::find(known, node_->text) != known.end())
    return node_->text;
  if (kind() != Kind::text) fail("one of " + enumerated(known));
  fail("one of " + enumerated(known),
       "the string " + qkcert::quoted(node_->text) + hint(node_->text, known));
}

std::vector<Toml> Toml::list() const {
  if (kind() != Kind::list) fail("a list");
  std::vector<Toml> members;
  for (const auto& member : node_->members) members.push_back(inner(member));
  return members;
}

std::vector<Toml> Toml::tables() const {
  if (kind() != Kind::list) fail("a list of tables");
  std::vector<Toml> members = list();
  for (const Toml& member : members)
    if (member.kind() != Kind::table) member.fail("a table");
  return members;
}

std::optional<Toml> Toml::find(std::string_view key) const {
  if (kind() != Kind::table) fail("a table");
  node_->asked.emplace(key);
  const auto& members = node_->members;
  const auto found =
      std::ranges::find_if(members, [&](const auto& member) { return member->key == key; });
  return found == members.end() ? std::nullopt : std::optional(inner(*found));
}

Toml Toml::at(std::string_view key) const {
  if (auto value = find(key)) return *value;
  const std::vector<std::string> wanted{std::string(key)};
  for (const auto& member : node_->members)
    if (!node_->asked.contains(member->key) && nearest(member->key, wanted))
      throw PlacedError(*source_, member->key_place,
                        "expected the key '" + wanted[0] + "', found " +
                            qkcert::quoted(member->key) + hint(member->key, wanted));
  throw PlacedError(*source_, place(), "expected the key '" + wanted[0] + "', found no such key");
}

void Toml::finish() const {
  const std::vector<std::string> known(node_->asked.begin(), node_->asked.end());
  for (const auto& member : node_->members)
    if (!node_->asked.contains(member->key))
      throw PlacedError(*source_, member->key_place,
                        "expected one of the keys " + enumerated(known) + ", found " +
                            qkcert::quoted(member->key) + hint(member->key, known));
}

namespace {

std::string json_string(std::string_view text) {
  static constexpr char hex[] = "0123456789abcdef";
  std::string json = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20)
      json += {'\\', 'u', '0', '0', hex[byte >> 4], hex[byte & 15]};
    else if (c == '"' || c == '\\')
      json += {'\\', c};
    else
      json += c;
  }
  return json + "\"";
}

}  // namespace

std::string Toml::canonical() const {
  if (kind() == Kind::text || kind() == Kind::time) return json_string(node_->text);
  if (kind() != Kind::list && kind() != Kind::table) return node_->text;
  std::vector<std::string> parts;
  for (const auto& member : node_->members)
    parts.push_back((kind() == Kind::table ? json_string(member->key) + ":" : "") +
                    inner(member).canonical());
  if (kind() == Kind::table) std::ranges::sort(parts);
  std::string json;
  for (const std::string& part : parts) json += (json.empty() ? "" : ",") + part;
  return kind() == Kind::table ? "{" + json + "}" : "[" + json + "]";
}

}  // namespace qkcert
