"""Hosts inside Home Assistant."""
