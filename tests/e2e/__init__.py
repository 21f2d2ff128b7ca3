"""A real Home Assistant process, its real API, a real browser."""
