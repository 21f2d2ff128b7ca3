"""Hosts: the link to waiters. Pure Python; imports the kernel only."""
