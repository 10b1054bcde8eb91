import random

from flask import Flask

app = Flask(__name__, static_folder=None)
# Flask sorts keys by default, which would put "Test Number 10" second.
app.json.sort_keys = False  # type: ignore[attr-defined]  # typed as the base class, without it


@app.get("/json")
def numbers() -> dict[str, int]:
    return {f"Test Number {i}": random.randint(0, 1000) for i in range(1, 11)}
