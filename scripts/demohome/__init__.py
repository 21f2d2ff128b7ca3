"""A real Home Assistant in a temporary folder, for the demo and the e2e tests.

Nothing here is part of the integration; it reaches Home Assistant only from outside,
through its process, its HTTP and WebSocket API and its log.
"""
