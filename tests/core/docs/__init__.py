"""Tests of what the documentation states about the core."""
