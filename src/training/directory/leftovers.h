// The files that a run needs beside its output, such as DIR.vectors. A stopped run may have left
// them; files of the same names that others wrote are not touched.
#pragma once

#include <string>
#include <string_view>

namespace headlight {

/// Throws Error if a file or directory beside `directory` has a name that a run needs, but was not
/// written by headlight fit. `force`: files may be replaced, directories not.
void refuse_foreign_files(const std::string& directory, bool force);

/// Deletes these files, after the directory got its name. A run that is killed between the two
/// leaves them for the next one of any kind.
void remove_leftovers(const std::string& directory);

/// Whether the file begins with `magic`, or is shorter and agrees with it so far.
bool begins_with(const std::string& path, std::string_view magic);

}  // namespace headlight
