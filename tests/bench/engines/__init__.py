"""Engines that play computer against computer, each in a process of its own: `python -m tests.bench.engines.NAME`."""
