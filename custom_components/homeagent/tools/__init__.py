"""Tools: what the door can call. The first layer that may import Home Assistant."""
