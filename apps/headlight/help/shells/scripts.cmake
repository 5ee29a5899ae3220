# cmake -DSHELLS=folder -DOUTPUT=shell_scripts.cpp -P scripts.cmake
#
# The completion scripts as constants in C++.
foreach(shell bash zsh fish)
  file(READ "${SHELLS}/headlight.${shell}" ${shell})
endforeach()
file(WRITE "${OUTPUT}" "#include \"help/shell_scripts.h\"

namespace headlight {

const std::string_view kBashScript = R\"script(${bash})script\";
const std::string_view kZshScript = R\"script(${zsh})script\";
const std::string_view kFishScript = R\"script(${fish})script\";

}  // namespace headlight
")
