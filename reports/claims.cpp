#include <algorithm>
#include <map>
#include <qkcert/core/nearest.hpp>
#include <qkcert/core/reader.hpp>
#include <qkcert/reports/claims.hpp>

namespace qkcert {

namespace {

constexpr std::uint64_t most_seconds = 1'000'000;

std::string line_of(const Toml& value) {
  const std::string& text = value.text();
  if (text.empty() || text.find_first_of("\r\n") != text.npos) value.fail("one line of text");
  return text;
}

std::string id_of(const Toml& value) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  };
  const std::string& id = value.text();
  if (id.empty() || !std::ranges::all_of(id, fits)) value.fail("letters, digits, '-', '_' and '.'");
  return id;
}

std::chrono::milliseconds time_of(const Toml& value) {
  const Rational milliseconds = value.ratio() * 1000;
  if (milliseconds < 1 || milliseconds > most_seconds * 1000)
    value.fail("seconds from 0.001 to " + std::to_string(most_seconds));
  const Integer whole = floor_quotient(numerator(milliseconds), denominator(milliseconds));
  return std::chrono::milliseconds(to_int64(whole).value());
}

const ClaimKind& kind_of(const Toml& value) {
  std::vector<std::string_view> names;
  for (const ClaimKind& kind : claim_kinds()) names.push_back(kind.name);
  const std::string& name = value.one_of(names);
  return *std::ranges::find(claim_kinds(), name, &ClaimKind::name);
}

void read(const Toml& table, const std::string& folder, std::map<std::string, std::size_t>& lines,
          TheoryClaim& claim) {
  claim.id = id_of(table.at("id"));
  if (const auto [first, is_new] = lines.emplace(claim.id, claim.place.line); !is_new)
    table.at("id").fail("an id of its own",
                        "that of the claim in line " + std::to_string(first->second));
  claim.statement = line_of(table.at("statement"));
  claim.source = line_of(table.at("source"));
  if (const auto limit = table.find("time_limit")) claim.time_limit = time_of(*limit);
  const ClaimKind& kind = kind_of(table.at("kind"));
  claim.kind = kind.name;
  claim.work = kind.read(table, folder);
  claim.expectations = read_expectations(table, kind);
  table.finish();
}

TheoryClaim mistaken(const PlacedError& error) {
  TheoryClaim claim{.id = {}, .statement = {}, .source = {}, .kind = {}, .place = error.place};
  claim.mistake = error;
  return claim;
}

}  // namespace

ClaimsFile parse_claims(std::string_view bytes, const std::string& path) {
  ClaimsFile file{path, {}};
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == path.npos ? "" : path.substr(0, slash == 0 ? 1 : slash);
  std::map<std::string, std::size_t> lines;
  try {
    const Toml all = parse_toml(bytes, path);
    for (const Toml& table : all.at("claim").tables()) {
      TheoryClaim claim{
          .id = {}, .statement = {}, .source = {}, .kind = {}, .place = table.place()};
      claim.canonical = table.canonical();
      try {
        read(table, folder, lines, claim);
      } catch (const PlacedError& error) {
        claim.mistake = error;
      } catch (const Error& error) {
        claim.mistake = PlacedError(path, table.place(), error.what());
      }
      file.claims.push_back(std::move(claim));
    }
    all.finish();
  } catch (const PlacedError& error) {
    file.claims.insert(file.claims.begin(), mistaken(error));
  }
  if (file.claims.empty())
    file.claims.push_back(mistaken(PlacedError(path, {}, "expected a claim, found none")));
  return file;
}

ClaimsFile only(ClaimsFile file, const std::vector<std::string>& ids) {
  std::vector<std::string> known;
  for (const TheoryClaim& claim : file.claims) known.push_back(claim.id);
  for (const std::string& id : ids) {
    if (std::ranges::find(known, id) != known.end()) continue;
    const auto meant = nearest(id, known);
    throw UsageError(file.path + ": expected the id of a claim, found " + qkcert::quoted(id) +
                     (meant ? " (nearest: '" + *meant + "')" : ""));
  }
  std::erase_if(file.claims, [&](const TheoryClaim& claim) {
    return !claim.id.empty() && std::ranges::find(ids, claim.id) == ids.end();
  });
  return file;
}

std::string_view to_text(ClaimResult::Outcome outcome) {
  static constexpr std::string_view words[] = {"passed", "failed", "error"};
  return words[static_cast<std::size_t>(outcome)];
}

std::string CheckedClaim::message() const {
  if (result.outcome == ClaimResult::Outcome::error) return result.detail;
  std::string text;
  for (const Mismatch& each : result.mismatches)
    text += (text.empty() ? "" : "; ") + std::string("expected ") + each.expected + ", found " +
            each.found;
  if (!text.empty() && !result.detail.empty() && text.find(result.detail) == text.npos)
    text += " (" + result.detail + ")";
  std::ranges::replace_if(
      text, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

std::size_t ClaimResults::count(ClaimResult::Outcome outcome) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      claims, [&](const CheckedClaim& claim) { return claim.result.outcome == outcome; }));
}

ClaimResult::Outcome ClaimResults::outcome() const {
  ClaimResult::Outcome worst = ClaimResult::Outcome::passed;
  for (const CheckedClaim& claim : claims) worst = std::max(worst, claim.result.outcome);
  return worst;
}

}  // namespace qkcert
