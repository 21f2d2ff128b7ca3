"""The HomeAgent waiter: keeps an AI agent at work on a computer in the house."""

__version__ = "0.1.0"
