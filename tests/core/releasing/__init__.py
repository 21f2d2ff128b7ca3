"""Tests of scripts/release."""
