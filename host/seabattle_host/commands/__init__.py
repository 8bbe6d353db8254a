"""The commands, one module each: declare the options, call the rooms below, print what they return."""
