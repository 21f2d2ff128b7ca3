"""Make the first user of an empty Home Assistant and log in; imports api and jsonish."""

from dataclasses import dataclass, field
import secrets

from .api import HomeApi
from .jsonish import as_object, as_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """The person who owns the home; the password is random."""

    name: str = "Robin"
    username: str = "robin"
    password: str = field(default_factory=lambda: secrets.token_urlsafe(12))


async def create_owner(api: HomeApi, owner: Owner) -> None:
    """Make the owner, as the first page of a new Home Assistant does, and log in.

    The other pages count as done from the start (`folder.write_storage`), for one of
    them makes Home Assistant set up integrations that need the internet.
    """
    user = {
        "client_id": _client(api),
        "name": owner.name,
        "username": owner.username,
        "password": owner.password,
        "language": "en",
    }
    answer = as_object(await api.post("/api/onboarding/users", user), "the new user")
    await _take_token(api, as_text(answer["auth_code"], "the code of the new user"))


async def log_in(api: HomeApi, owner: Owner) -> None:
    """Log in by user name and password, as the login page does."""
    client = _client(api)
    start = {"client_id": client, "handler": ["homeassistant", None]}
    flow = as_object(
        await api.post("/auth/login_flow", start | {"redirect_uri": client}),
        "the login",
    )
    answer = as_object(
        await api.post(
            f"/auth/login_flow/{flow['flow_id']}",
            {
                "client_id": client,
                "username": owner.username,
                "password": owner.password,
            },
        ),
        "the answer of the login",
    )
    await _take_token(api, as_text(answer.get("result"), "the code of the login"))


async def _take_token(api: HomeApi, code: str) -> None:
    form = {"grant_type": "authorization_code", "code": code, "client_id": _client(api)}
    tokens = as_object(
        await api.request("POST", "/auth/token", form=form), "the token's answer"
    )
    api.token = as_text(tokens["access_token"], "the access token")


def _client(api: HomeApi) -> str:
    return f"{api.url}/"
