"""The words of people, in each language, as the editor has them."""

from collections.abc import Mapping
import json
from pathlib import Path
from typing import Any, Final

from custom_components.homeagent.editing.wording import Wording

INTEGRATION: Final = Path(__file__).parents[3] / "custom_components/homeagent"
LANGUAGES: Final[Mapping[str, Any]] = {
    path.stem: json.loads(path.read_text(encoding="utf-8"))
    for path in sorted((INTEGRATION / "translations").glob("*.json"))
}


def _wording(language: str) -> Wording:
    selectors = LANGUAGES[language]["selector"]
    words = {"texts": selectors["editor"]["options"]}
    said, forms = selectors["said"]["options"], selectors["form_problems"]["options"]
    return Wording(**words, said=said, forms=forms)


WORDINGS: Final = {language: _wording(language) for language in LANGUAGES}
EN: Final = WORDINGS["en"]
ZH: Final = WORDINGS["zh-Hans"]
