"""Tests of the link: the real Home Assistant end and the real waiter end."""
