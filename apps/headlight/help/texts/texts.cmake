# cmake -DTEXTS=folder -DOUTPUT=fixed_texts.cpp -P texts.cmake
#
# The fixed parts of completion scripts and of the manual page, and the list of tasks, as constants in
# C++.
foreach(ending bash zsh fish 1)
  file(READ "${TEXTS}/headlight.${ending}" text_${ending})
endforeach()
file(READ "${TEXTS}/tasks.txt" tasks)
file(WRITE "${OUTPUT}" "#include \"help/fixed_texts.h\"

namespace headlight {

const std::string_view kBashScript = R\"text(${text_bash})text\";
const std::string_view kZshScript = R\"text(${text_zsh})text\";
const std::string_view kFishScript = R\"text(${text_fish})text\";
const std::string_view kManualPageEnd = R\"text(${text_1})text\";
const std::string_view kTasks = R\"text(${tasks})text\";

}  // namespace headlight
")
