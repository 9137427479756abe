#include <qkcert/core/errors.hpp>
#include <qkcert/io/file.hpp>
#include <qkcert/io/folder.hpp>
#include <search/folder.hpp>

#include "support.hpp"

namespace qkcert::test {

TEST_CASE("a folder is listed in order", "[folder]") {
  const Folder folder;
  CHECK(list_folder(folder.path()).empty());
  for (const char* name : {"b", ".a", "c"}) write_file(folder / name, "");
  CHECK(list_folder(folder.path()) == std::vector<std::string>{".a", "b", "c"});
  CHECK_THROWS_AS(list_folder(folder / "none"), FileError);
  CHECK_THROWS_WITH(list_folder(folder / "b"),
                    folder / "b" + ": cannot be listed: Not a directory");
}

TEST_CASE("a file is removed, an absent one stays absent", "[folder]") {
  const Folder folder;
  write_file(folder / "x", "");
  remove_file(folder / "x");
  CHECK(list_folder(folder.path()).empty());
  remove_file(folder / "x");
  CHECK_THROWS_AS(remove_file(folder.path()), FileError);
}

TEST_CASE("a folder is held by one at a time", "[folder]") {
  const Folder folder;
  const std::string path = folder / "new";
  {
    const FolderLock lock(path);
    CHECK(std::filesystem::is_directory(path));
    CHECK_THROWS_WITH(FolderLock(path), path + ": another process is changing this folder");
    CHECK_THROWS_AS(FolderLock(path), FileError);
    const FolderLock other(folder.path());
  }
  const FolderLock again(path);
}

TEST_CASE("what cannot be a folder is refused", "[folder]") {
  const Folder folder;
  write_file(folder / "x", "");
  CHECK_THROWS_AS(FolderLock(folder / "x"), FileError);
  CHECK_THROWS_AS(FolderLock(folder / "x/y"), FileError);
  CHECK_THROWS_WITH(FolderLock(folder / "none/y"),
                    folder / "none/y" + ": cannot be created: No such file or directory");
}

}  // namespace qkcert::test
