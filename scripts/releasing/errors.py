"""What is told when there will be no release; imports nothing of ours."""


class ReleaseError(Exception):
    """There is no release; says why, and what would be right."""
