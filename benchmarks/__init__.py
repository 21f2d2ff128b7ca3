"""The figures of HomeAgent's speed, side by side with Home Assistant's own engine.

`scripts/bench` runs them; docs/benchmarks.md tells what each one measures. Nothing here
is part of the integration, and nothing here is a test: a figure is a ratio of two times
that were taken in turn, in one process and one run.
"""
