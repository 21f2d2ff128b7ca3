"""The command `scripts/seq`: sequences in files, for people who keep them in git.

Stands beside the integration and uses its core: the language, its checks, and for dry
runs the real engine, batch and door, with tools that somebody declared. Never imports
Home Assistant.
"""
