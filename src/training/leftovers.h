// The files that a run needs beside its output, such as DIR.vectors. A stopped run may have left
// them; files of the same names that others wrote are not touched.
#pragma once

#include <string>

namespace headlight {

/// Throws Error if a file or directory beside `directory` has a name that a run needs, but was not
/// written by headlight fit. `force`: files may be replaced, directories not.
void refuse_foreign_files(const std::string& directory, bool force);

}  // namespace headlight
