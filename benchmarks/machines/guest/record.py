"""Inside the machine: the newest run with all that its trials hold, as JSON."""

from webdyno.cli import context

store = context.open_store()
print(store.run(store.runs()[0].id).model_dump_json(indent=1))
