"""Tests with a real small model; scripts/test --with-model runs them."""
