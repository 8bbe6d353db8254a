"""The commands, one module each: declare the options, call the packages below, print what they return."""
