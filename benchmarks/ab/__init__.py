"""How good `webdyno ab` is: false alarms, slow-downs found, and what other tools say instead."""
