"""The kernel: one door for every tool call.

Pure Python. Never imports Home Assistant, and no other package of this integration.
"""
