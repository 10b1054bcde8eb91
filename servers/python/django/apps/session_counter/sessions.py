"""Django's database-backed sessions on the table of the study: no expiry, the data as JSON."""

import json
from typing import Any

from django.contrib.sessions.backends.db import SessionStore as DatabaseStore

from apps.session_counter.models import UserSession


class SessionStore(DatabaseStore):
    @classmethod
    def get_model_class(cls) -> type[UserSession]:
        return UserSession

    def create_model_instance(self, data: dict[str, Any]) -> UserSession:
        key = self._get_or_create_session_key()
        return UserSession(session_key=key, session_data=self.encode(data))

    def load(self) -> dict[str, Any]:
        row = UserSession.objects.filter(pk=self.session_key).first()
        if row is None:
            self._session_key = None
            return {}
        return self.decode(row.session_data)

    def encode(self, session_dict: dict[str, Any]) -> str:
        return json.dumps(session_dict)

    def decode(self, session_data: str) -> dict[str, Any]:
        return json.loads(session_data)
