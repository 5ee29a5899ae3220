#include "command_line.h"

int main(int argc, char** argv) { return hl_command(argc, argv); }
