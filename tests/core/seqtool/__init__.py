"""Tests of the command `scripts/seq`."""
