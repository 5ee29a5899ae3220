#include "base/build.h"

#include <headlight_build.h>  // written by build.cmake

namespace headlight {

const char* build_name() { return HEADLIGHT_BUILD; }

const char* build_line() { return "headlight " HEADLIGHT_BUILD HEADLIGHT_COMMIT; }

const char* build_libraries() { return HEADLIGHT_LIBRARIES; }

}  // namespace headlight
