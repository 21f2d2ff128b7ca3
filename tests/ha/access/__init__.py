"""Access control in a real Home Assistant."""
