"""One module a command: `add_parser(subparsers)` and `run(args) -> int`."""
