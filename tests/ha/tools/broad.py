"""A Home Assistant with as many kinds of actions as can be set up without devices."""

from pathlib import Path

from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component

DOMAINS = (
    "ai_task alarm_control_panel assist_satellite automation backup browser button"
    " calendar camera climate conversation counter cover date datetime device_tracker"
    " downloader event fan ffmpeg frontend group humidifier image image_processing"
    " input_boolean input_button input_datetime input_number input_select input_text"
    " intent_script kitchen_sink lawn_mower light lock logbook logger lovelace"
    " media_player notify number persistent_notification person profiler remote"
    " rest_command scene schedule script select shell_command shopping_list siren stt"
    " switch system_log template text time timer todo trend tts update vacuum valve"
    " wake_word water_heater weather zone alert history_stats statistics filter"
    " derivative min_max bayesian generic_thermostat utility_meter universal workday"
    " demo"
).split()

SCRIPT = {
    "alias": "Movie night",
    "description": "Dims the lights for a film.",
    "fields": {
        "room": {
            "name": "Room",
            "description": "Where the film is shown.",
            "required": True,
            "selector": {"area": {}},
        },
        "level": {"selector": {"number": {"min": 0, "max": 100}}},
        "lights": {"selector": {"entity": {"multiple": True}}},
        "mood": {"selector": {"select": {"options": ["dark", "cosy"]}}},
    },
    "sequence": [],
}

CONFIG: dict[str, object] = {
    "script": {"movie_night": SCRIPT, "plain": {"sequence": []}},
    "shell_command": {"say": "echo"},
    "rest_command": {"ring": {"url": "http://127.0.0.1/"}},
    "alert": {
        "door": {"name": "x", "entity_id": "lock.x", "notifiers": [], "repeat": 5}
    },
    "browser": {},
    "counter": {"visits": {}},
    "timer": {"egg": {}},
    "input_boolean": {"away": {}},
    "utility_meter": {"water": {"source": "sensor.water"}},
    "intent_script": {},
    "group": {"lamps": {"entities": ["light.bed_light", "light.ceiling_lights"]}},
    "scene": [{"name": "Evening", "entities": {"light.bed_light": "on"}}],
}


async def async_build(hass: HomeAssistant, folder: Path) -> frozenset[str]:
    """Set everything up; return the domains that could be."""
    assert await async_setup_component(hass, "homeassistant", {})
    config = CONFIG | {"downloader": {"download_dir": str(folder)}}
    done = set()
    for domain in DOMAINS:
        if await async_setup_component(hass, domain, {domain: config.get(domain, {})}):
            done.add(domain)
    await hass.async_block_till_done()
    return frozenset(done)
