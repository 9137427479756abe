#include <bit>
#include <qkcert/constructions/fit_state.hpp>
#include <qkcert/core/errors.hpp>
#include <string_view>

namespace qkcert::fit {

namespace {

using Eigen::Index;

constexpr std::string_view digits = "0123456789abcdef";
constexpr std::size_t word_length = 16;

class Writer {
 public:
  void word(std::uint64_t value) {
    for (unsigned shift = 64; shift > 0; shift -= 4) text += digits[value >> (shift - 4) & 15];
  }
  void field(Phase value) { word(static_cast<std::uint64_t>(value)); }
  void field(std::uint64_t value) { word(value); }
  void field(double value) { word(std::bit_cast<std::uint64_t>(value)); }
  void field(const MatrixXd& value) {
    word(static_cast<std::uint64_t>(value.rows()));
    word(static_cast<std::uint64_t>(value.cols()));
    for (Index i = 0; i < value.size(); ++i) field(value.data()[i]);
  }

  std::string text;
};

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::uint64_t word() {
    require_state(text_.size() >= word_length);
    std::uint64_t value = 0;
    for (const char c : text_.substr(0, word_length)) {
      const std::size_t digit = digits.find(c);
      require_state(digit != std::string_view::npos);
      value = value << 4 | digit;
    }
    text_.remove_prefix(word_length);
    return value;
  }
  void field(Phase& value) {
    const std::uint64_t number = word();
    require_state(number <= static_cast<std::uint64_t>(Phase::quantise));
    value = static_cast<Phase>(number);
  }
  void field(std::uint64_t& value) { value = word(); }
  void field(double& value) { value = std::bit_cast<double>(word()); }
  void field(MatrixXd& value) {
    const std::uint64_t rows = word(), cols = word(), left = text_.size() / word_length;
    require_state(rows <= left && cols <= left && (rows == 0 || cols <= left / rows));
    value.resize(static_cast<Index>(rows), static_cast<Index>(cols));
    for (Index i = 0; i < value.size(); ++i) field(value.data()[i]);
  }
  void finish() const { require_state(text_.empty()); }

 private:
  static void require_state(bool condition) {
    if (!condition) throw FormatError("fit: the state to resume from is damaged");
  }

  std::string_view text_;
};

template <class Stream, class Fields>
void each_field(Stream& stream, Fields& state) {
  stream.field(state.phase);
  stream.field(state.step);
  stream.field(state.t_minus);
  stream.field(state.sharpness);
  stream.field(state.gap);
  stream.field(state.unit);
  stream.field(state.loss);
  stream.field(state.point);
  stream.field(state.best);
}

}  // namespace

std::string write_state(const State& state) {
  Writer writer;
  each_field(writer, state);
  return std::move(writer.text);
}

State read_state(const std::string& text) {
  State state;
  Reader reader(text);
  each_field(reader, state);
  reader.finish();
  return state;
}

}  // namespace qkcert::fit
