"""Where Home Assistant finds HomeAgent in this work tree."""
