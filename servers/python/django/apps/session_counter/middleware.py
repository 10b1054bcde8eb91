"""Django's session middleware, with the session's key signed in the cookie."""

from django.conf import settings
from django.contrib.sessions.middleware import SessionMiddleware
from django.core import signing
from django.http import HttpRequest, HttpResponse


class SignedSessionMiddleware(SessionMiddleware):
    """Django's keys are random and not signed, while the contract asks for a signature."""

    def process_request(self, request: HttpRequest) -> None:
        key = request.get_signed_cookie(settings.SESSION_COOKIE_NAME, default=None)
        request.session = self.SessionStore(key)

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        response = super().process_response(request, response)
        cookie = response.cookies.get(settings.SESSION_COOKIE_NAME)
        if cookie is not None and cookie.value:
            signer = signing.get_cookie_signer(salt=cookie.key)
            cookie.set(cookie.key, *[signer.sign(cookie.value)] * 2)
        return response
