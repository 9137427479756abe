#pragma once
/// NumPy's .npz files: zip archives of .npy files, stored or deflated.
///
/// Source  PKWARE's APPNOTE.TXT 6.3.10, sections 4.3 and 4.4; numpy.savez and savez_compressed.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace qkcert {

/// The members of an archive, by the name without its `.npy`. `bytes` must outlive it.
///
/// Accepts  one zip archive that is the whole file: methods stored and deflated, sizes in the
///          central directory below 2^32 - 1; local headers with zip64 sizes or data descriptors,
///          as numpy and Python's zipfile write them, whose sizes are those of the directory.
/// Errors   FormatError that names the byte: no end record, or bytes or a comment behind it; several
///          disks; a directory that is not as long as stated; zip64 (a member or archive of 4 GiB
///          or more); encryption or another method; a member that does not end in .npy or comes
///          twice; a local header that contradicts the directory; members that overlap each other
///          or the directory.
class Npz {
 public:
  Npz(std::string_view bytes, std::string source);

  std::vector<std::string> names() const;
  bool contains(const std::string& name) const { return members_.contains(name); }

  /// The bytes of the .npy file. Require: contains(name).
  /// Ensure  its length and CRC-32 are those that the archive states.
  /// Errors  FormatError: damaged data, another length or checksum. No more is allocated than
  ///         1032 times the stored bytes, which deflate cannot exceed.
  std::string member(const std::string& name) const;

 private:
  struct Member {
    std::size_t header, begin, packed, size;
    std::uint32_t crc;
    bool deflated;
  };

  void read_directory(std::size_t begin, std::size_t end, std::size_t count);
  std::size_t data_begin(std::size_t header, const std::string& name, const Member& member,
                         unsigned method) const;
  void check_overlaps(std::size_t directory) const;

  std::string_view bytes_;
  std::string source_;
  std::map<std::string, Member> members_;
};

}  // namespace qkcert
