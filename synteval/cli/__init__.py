"""The command line: one file a command, each a thin wrapper over library functions."""
