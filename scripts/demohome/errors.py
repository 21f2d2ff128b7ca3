"""What goes wrong with a real home, told to a person. Imports nothing of ours."""


class HomeError(Exception):
    """The home did not do what it should; the text is for the person at the screen."""


class ApiError(HomeError):
    """Home Assistant's API answered with an error; `status` is HTTP's, 0 elsewhere."""

    def __init__(self, message: str, *, status: int = 0) -> None:
        """Remember the status."""
        super().__init__(message)
        self.status = status
