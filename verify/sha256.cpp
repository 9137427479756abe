#include <openssl/evp.h>

#include <qkcert/core/errors.hpp>
#include <qkcert/verify/sha256.hpp>

namespace qkcert {

std::string sha256(std::string_view bytes) {
  static constexpr char hex[] = "0123456789abcdef";
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest, &size, EVP_sha256(), nullptr) != 1 ||
      size != 32)
    throw Error("sha256: the hash could not be computed");
  std::string text;
  for (unsigned i = 0; i < size; ++i) text += {hex[digest[i] >> 4], hex[digest[i] & 15]};
  return text;
}

}  // namespace qkcert
