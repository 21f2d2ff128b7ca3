"""Sequences: the language, its checks and its engine.

Pure Python. Imports the kernel only; Home Assistant is behind ports.
"""
