/* The command-line tool of the wheel: its verbs are in the library beside it. */
int bristle_tool_main(int argc, char **argv);

int main(int argc, char **argv) { return bristle_tool_main(argc, argv); }
