import random

from fastapi import FastAPI

app = FastAPI()


@app.get("/json")
async def numbers() -> dict[str, int]:
    return {f"Test Number {i}": random.randint(0, 1000) for i in range(1, 11)}
