#include <filesystem>
#include <qkcert/bounds/registry.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/reports/table.hpp>
#include <qkcert/reports/table_layout.hpp>
#include <qkcert/verify/certificate.hpp>
#include <qkcert/verify/check.hpp>
#include <qkcert/verify/sha256.hpp>

#include "support.hpp"

namespace qkcert::test {
namespace {

using Kind = TableQuantity::Kind;

const std::string folder = std::string(QKCERT_TEST_DATA) + "/tables";

Table table_of(const std::string& rest, const std::string& grid =
                                            "family = \"permutation\"\nvertices = [8, 30]\n"
                                            "d_model = [2, 8]\nweight_max = [1, \"real\"]\n") {
  const TableSpec spec =
      read_table_spec("caption = \"A\"\nlabel = \"a\"\n" + rest + "\n[grid]\n" + grid, "test");
  return compute_table(spec, folder, "test");
}

/// The entry of a table of one point and one quantity of certified channels.
TableEntry upper_of(const std::string& upper, const std::string& grid) {
  const TableSpec spec = read_table_spec(
      "caption = \"A\"\nlabel = \"a\"\n[grid]\n" + grid + "[[upper]]\nname = \"x\"\n" + upper,
      "test");
  return compute_table(spec, folder, "test").points.at(0).entries.at(0);
}

const std::string point = "family = \"permutation\"\nvertices = 8\nd_model = 8\n";

}  // namespace

TEST_CASE("bounds in a table are those of the registry", "[tables]") {
  const Table table = table_of(
      "bounds = [\"counting\", \"warren\", \"heads\", \"single-head-class\", \"strongest\"]");
  REQUIRE(table.points.size() == 8);
  for (const TablePoint& each : table.points) {
    const TableInstance instance = table_instance(table.spec, each.values);
    const BoundQuery query{instance.family, instance.d_model, instance.weight_max.value_or(1), 0};
    const auto& entries = each.entries;
    const bool real = !instance.weight_max;
    INFO(point_text(table.spec, each.values));
    CHECK(entries[0].value.has_value() != real);
    if (!real) {
      CHECK(*entries[0].value == *key_dimension_of(bound_kinds()[0].compute(query)));
      CHECK(*entries[4].value == *key_dimension_of(strongest_bound(query)));
    }
    std::optional<Integer> most;
    for (const BoundKind& kind : bound_kinds())
      if (kind.weights == "real" || (kind.weights == "finite" && !real)) try {
          const auto dimension = key_dimension_of(kind.compute(query));
          if (dimension && (!most || *dimension > *most)) most = dimension;
        } catch (const Error&) {
        }
    CHECK(entries[4].value == Rational(most.value()));
    for (const TableEntry& entry : entries) CHECK(entry.value.has_value() == entry.reason.empty());
    if (entries[3].value) CHECK(*entries[3].value == 2);
    CHECK(entries[2].quantity == "heads");
  }
}

TEST_CASE("printed values hold", "[tables]") {
  repeat(300, [](Random& random) {
    const Rational value(random_integer(random, 20) * random_integer(random, 20) + 1,
                         1 + random.below(1000));
    if (value < 0) return;
    for (const unsigned digits : {0U, 1U, 2U, 7U}) {
      const std::string text = value_text({.value = value, .quantity = "ratio"}, digits);
      const Rational printed = parse_decimal(text).value();
      CHECK(printed >= value);
      CHECK(printed - value < Rational(1, power(10, digits)));
    }
  });
  repeat(300, [](Random& random) {
    const Integer value = abs(random_integer(random, 1 + static_cast<unsigned>(random.below(300))));
    const std::string text = value_text({.value = Rational(value), .quantity = "graphs"}, 2);
    const std::string whole = to_decimal(value);
    if (whole.size() <= 24)
      CHECK(text == whole);
    else
      CHECK(text == whole.substr(0, 6) + "… (" + std::to_string(bit_length(value)) + " bits)");
  });
  CHECK(value_text({.quantity = "D_K"}, 2) == "—");
}

TEST_CASE("a ratio is over the highest bound on D_K for the class", "[tables]") {
  const std::string upper =
      "[[upper]]\nname = \"x\"\noptional = true\nmethod = \"edge-per-head\"\n"
      "embedding = \"one-hot\"\n";
  const auto ratio_of = [&](const std::string& bounds, const std::string& grid) {
    const TableSpec spec = read_table_spec(
        "caption = \"A\"\nlabel = \"a\"\n" + bounds + "\n[grid]\n" + grid + upper, "test");
    return compute_table(spec, folder, "test").points.at(0).entries.back();
  };
  const std::string grid =
      "family = \"permutation\"\nvertices = 30\nd_model = 30\nweight_max = 1\n";
  const TableEntry ratio = ratio_of("bounds = [\"heads\", \"warren\", \"counting\"]", grid);
  CHECK(ratio.value == Rational(30, 2));
  CHECK(ratio.method == "counting");
  // Bounds but for failure bits are no denominators.
  CHECK_FALSE(ratio_of("failure_bits = 5\nbounds = [\"counting-random\"]", grid).value);
  CHECK(ratio_of("failure_bits = 5\nbounds = [\"warren\", \"strongest\"]", grid).value);
  CHECK_FALSE(ratio_of("bounds = [\"heads\"]", grid).value);
  // Nor is 0.
  const TableEntry zero =
      ratio_of("bounds = \"counting\"",
               "family = \"permutation\"\nvertices = 1\nd_model = 1\nweight_max = 1\n");
  CHECK(zero.reason == "the lower bound is 0");
}

TEST_CASE("a constructed certificate is the one that is hashed", "[tables]") {
  const Table table = table_of(
      "[[upper]]\nname = \"x\"\noptional = true\nmethod = \"onehot-code\"\nembedding = "
      "\"one-hot\"");
  REQUIRE(table.certificates.size() == 2);  // 8 vertices in 8 dimensions, both kinds of weights
  std::size_t next = 0;
  for (const TablePoint& each : table.points) {
    const TableEntry& entry = each.entries.at(0);
    CHECK(entry.value.has_value() == entry.reason.empty());
    if (!entry.value) continue;
    const TableFile& file = table.certificates.at(next++);
    CHECK(entry.certificate == file.name);
    CHECK(entry.sha256 == sha256(file.bytes));
    const Claim claim = read_certificate(file.bytes, file.name);
    CHECK(check(claim).holds);
    CHECK(*entry.value == std::get<RecoveryClaim>(claim).channel.key_dimension());
  }
  CHECK(table.certificates[0].name == "test/onehot-code-1-permutation-m8-d8-a1.qkc");
}

TEST_CASE("only certificates that fit and hold stand in a table", "[tables]") {
  const std::string file = "certificates = \"certificates/m8-d8.qkc\"\n";
  const TableEntry entry = upper_of(file, point + "weight_max = 1\n");
  CHECK((entry.value == Rational(3) && entry.claim == "recovery"));
  CHECK(entry.sha256 == sha256(corpus("tables/certificates/m8-d8.qkc")));
  const auto refused = [&](const std::string& upper, const std::string& grid) {
    try {
      upper_of(upper, grid);
    } catch (const TableRefusal& refusal) {
      return std::string(refusal.what());
    }
    return std::string("accepted");
  };
  const auto says = [&](const std::string& message, const std::string& words) {
    INFO(message);
    CHECK(message.find(words) != std::string::npos);
  };
  says(refused(file, "family = \"matching\"\nvertices = 8\nd_model = 8\nweight_max = 1\n"),
       "its graph is no matching 8 4");
  says(refused(file, "family = \"permutation\"\nvertices = 8\nd_model = 7\nweight_max = 1\n"),
       "its d_model is 8, not 7");
  const std::string other = "certificates = \"../certificates/valid/";
  says(refused(
           other + "onehot-neighborly-7.qkc\"\n",
           "family = \"digraph-loops\"\nedges = 8\nvertices = 7\nd_model = 7\nweight_max = 1295\n"),
       "a weight is 1296, at most 1295 is allowed");
  says(refused(other + "bound-digraph-64-200-d16-w7.qkc\"\n", point + "weight_max = 1\n"),
       "it claims bound counting, and no channel");
  const std::string pairs = other + "universal-pairs-permutation-9.qkc\"\n";
  const std::string nine = "family = \"permutation\"\nvertices = 9\nd_model = 6\nweight_max = ";
  says(refused(pairs, nine + "127\n"), "it speaks of weights of any size");
  says(refused(pairs,
               "family = \"derangement\"\nvertices = 9\nd_model = 6\nweight_max = \"real\"\n"),
       "its class is permutation 9, not derangement 9");
  CHECK(upper_of(pairs, nine + "\"real\"\n").value == Rational(5));
  const std::string invalid = "certificates = \"../certificates/invalid/";
  says(refused(invalid + "body-changed-hash-not.qkc\"\n", point + "weight_max = 1\n"), "hash");
  says(refused(invalid + "extremes-off-by-one.qkc\"\n", point + "weight_max = 1\n"),
       "it does not hold");
}

TEST_CASE("several files give the least D_K, and none is an error", "[tables]") {
  const std::string grid = point + "weight_max = \"real\"\n";
  const TableEntry least =
      upper_of("certificates = \"certificates/class-m{vertices}-d8-*\"\n", grid);
  CHECK((least.value == Rational(3) && least.certificate == "certificates/class-m8-d8-a.qkc.gz"));
  CHECK(least.sha256 == sha256(corpus("tables/certificates/m8-d8.qkc")));
  CHECK_THROWS_AS(upper_of("certificates = \"certificates/*-b.qkc\"\n", grid), TableRefusal);
  const std::string nine =
      "family = \"permutation\"\nvertices = 9\nd_model = 6\nweight_max = \"real\"\n";
  for (const char* pattern : {"*m9*", "cl*ass-m9-d6-b.qkc", "class-*9*-b*c", "*9*-d6-*", "**m9**"})
    CHECK(upper_of("certificates = \"certificates/" + std::string(pattern) + "\"\n", nine).value ==
          Rational(5));
  for (const char* pattern : {"*m9", "m9*", "class-m9-d6-b.qkc*c", "*9*9*", "class-m9-d6-b*b.qkc"})
    CHECK_THROWS_AS(
        upper_of("certificates = \"certificates/" + std::string(pattern) + "\"\n", nine),
        UsageError);
  const std::string none = "certificates = \"certificates/none-*\"\n";
  CHECK_THROWS_AS(upper_of(none, grid), UsageError);
  CHECK(upper_of(none + "optional = true\n", grid).reason == "no file matches certificates/none-*");
  const std::string missing = "certificates = \"certificates/none.qkc\"\n";
  CHECK_THROWS_AS(upper_of(missing, grid), FileError);
  CHECK_FALSE(upper_of(missing + "optional = true\n", grid).value);
  CHECK_THROWS_AS(upper_of("records = \"nowhere\"\n", grid), Error);
}

TEST_CASE("a table stands still, and stops", "[tables]") {
  const std::string path = folder + "/corners.toml";
  std::vector<std::string> points;
  const auto once = render_table(
      path, {.threads = 1, .on_point = [&](std::size_t done, std::size_t total, const auto& at) {
               CHECK((done == points.size() && total == 8));
               points.push_back(at);
             }});
  const auto again = render_table(path, {.threads = 3});
  CHECK(points.size() == 8);
  REQUIRE(once.size() == again.size());
  for (std::size_t i = 0; i < once.size(); ++i)
    CHECK((once[i].name == again[i].name && once[i].bytes == again[i].bytes));
  const std::atomic<bool> stop = true;
  CHECK_THROWS_WITH(render_table(path, {.stop = &stop}), "stopped");
  CHECK_THROWS_AS(render_table(path, {.construct = false}), UsageError);
  CHECK_THROWS_AS(render_table(folder + "/none.toml"), FileError);
}

TEST_CASE("quantities that a column axis does not touch stand once", "[tables]") {
  const TableSpec spec = read_table_spec(
      "caption = \"A\"\nlabel = \"a\"\nclass_size = true\nbounds = [\"counting\", "
      "\"warren\"]\n[grid]\n"
      "family = \"permutation\"\nvertices = [8, 9]\nd_model = [2, 3]\nweight_max = [1, 2, 3]\n"
      "[layout]\nrows = [\"vertices\"]\ncolumns = [\"weight_max\", \"d_model\"]\n",
      "test");
  const Table table = compute_table(spec, folder, "test");
  const TableLayout layout = table_layout(table);
  CHECK((layout.rows.size() == 2 && layout.groups.size() == 6));
  REQUIRE(layout.columns.size() == 1 + 6 * 2);
  CHECK((layout.columns[0].quantity == 0 && !layout.columns[0].group));
  for (std::size_t row = 0; row < 2; ++row)
    for (const TableColumn& column : layout.columns) {
      if (!column.group) continue;
      const auto& group = layout.groups[*column.group];
      const std::vector<std::size_t> values = {0, row, group[1], group[0]};
      const TableEntry& entry = entry_at(table, layout, row, column);
      const auto at = std::find_if(table.points.begin(), table.points.end(),
                                   [&](const TablePoint& each) { return each.values == values; });
      REQUIRE(at != table.points.end());
      CHECK(&entry == &at->entries[column.quantity]);
    }
}

}  // namespace qkcert::test
