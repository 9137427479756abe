#pragma once
/// The tables of the page.

#include <map>
#include <qkcert/reports/class_bounds.hpp>
#include <qkcert/reports/html.hpp>
#include <qkcert/reports/page.hpp>

namespace qkcert {

/// The class, d_model and A that the lower bound beside a channel speaks of.
struct ChannelClass {
  Family family;  ///< the narrowest that the graph belongs to
  Integer d_model;
  Integer weight_max;  ///< weight_class() of the channel's weights
};
/// Nothing for other claims and for graphs without vertices.
std::optional<ChannelClass> class_of(const Surveyed& certificate);

/// The bounds of the classes that have been asked for, each computed once.
class BoundsCache {
 public:
  const std::vector<ClassBound>& of(const Family& family, const Integer& d_model,
                                    const Integer& weight_max);

 private:
  std::map<std::string, std::vector<ClassBound>> known_;
};

/// `path` without the folder.
std::string name_in(const PageInput& input, const std::string& path);
/// `text` without the folder where a word begins with it.
std::string text_in(const PageInput& input, std::string text);
/// The id of the details of certificate `index`.
std::string article_id(std::size_t index);
/// The certificate's spelling, or its beginning when the family has an argument for each vertex.
std::string class_name(const Family& family);

std::string certificates_section(const PageInput& input, BoundsCache& bounds);
std::string bounds_section(const PageInput& input, BoundsCache& bounds);
/// Empty without records. `faults` is told what is wrong with them.
std::string records_section(const PageInput& input, BoundsCache& bounds, std::size_t& faults);

}  // namespace qkcert
