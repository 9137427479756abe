#include <qkcert/core/errors.hpp>
#include <qkcert/io/arrays.hpp>
#include <qkcert/io/npy.hpp>
#include <qkcert/io/npz.hpp>
#include <qkcert/io/safetensors.hpp>

namespace qkcert {

NamedArrays::NamedArrays(std::string bytes, std::string source)
    : bytes_(std::move(bytes)), source_(std::move(source)) {
  if (bytes_.starts_with("PK"))
    npz_ = std::make_unique<Npz>(bytes_, source_);
  else
    tensors_ = std::make_unique<Safetensors>(bytes_, source_);
}

NamedArrays::~NamedArrays() = default;

std::vector<std::string> NamedArrays::names() const {
  return npz_ ? npz_->names() : tensors_->names();
}

Array NamedArrays::array(const std::string& name) {
  if (npz_ ? !npz_->contains(name) : !tensors_->contains(name)) {
    std::string known;
    std::size_t listed = 0;
    for (const std::string& each : names())
      if (listed++ < 20) known += (known.empty() ? "" : ", ") + qkcert::quoted(each);
    throw UsageError(source_ + ": expected an array " + qkcert::quoted(name) + ", found " +
                     (known.empty() ? "none" : known + (listed > 20 ? ", …" : "")));
  }
  if (tensors_) return tensors_->array(name);
  const auto [member, fresh] = members_.try_emplace(name);
  if (fresh) member->second = npz_->member(name);
  return parse_npy_array(member->second, source_ + ": " + name);
}

}  // namespace qkcert
