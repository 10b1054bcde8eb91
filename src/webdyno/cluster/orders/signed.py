"""What an agent is told to do, with the proof that whoever says so knows the secret.

Orders are numbered and name whom they are for, so that one that was overheard is good for nothing.
"""

from __future__ import annotations

import itertools
import json
import secrets

from webdyno.cluster.orders.tasks import AnyTask, Order
from webdyno.cluster.wire.messages import MalformedMessage, read_message
from webdyno.cluster.wire.secret import holds, proof


class OrderDenied(Exception):
    """An order without the secret, for somebody else, or given before."""


class Orders:
    """Those of one machine, which runs the study or `hit`, to one agent."""

    def __init__(self, secret: str, address: str) -> None:
        self._secret, self._address = secret, address
        self._numbers = itertools.count(1)
        self._giver = secrets.token_hex(8)

    def sign(self, task: AnyTask) -> tuple[str, str]:
        """The order as text, and its ticket."""
        text = Order(
            to=self._address, giver=self._giver, number=next(self._numbers), task=task
        ).model_dump_json()
        return text, proof(self._secret, "order", text)


class Inbox:
    """The agent's side."""

    def __init__(self, secret: str, address: str) -> None:
        self._secret, self._address = secret, address
        self._last = 0
        self._giver = ""

    def take(self, text: str, ticket: str) -> AnyTask:
        """What is to be done. Raises `OrderDenied`, and `MalformedMessage` for what no machine of
        this version says; an agent takes orders from the first who gave one alone."""
        if not holds(self._secret, ticket, "order", text):
            raise OrderDenied("the order is not signed with the cluster's secret")
        try:
            document = json.loads(text)
        except (ValueError, RecursionError):
            raise MalformedMessage(
                "the machine that gives the orders sent invalid data (not JSON); check that it "
                "runs the same Webdyno"
            ) from None
        order = read_message(Order, document, "the machine that gives the orders")
        if order.to != self._address:
            raise OrderDenied(f"the order is for {order.to}")
        self._giver = self._giver or order.giver
        if order.giver != self._giver or order.number <= self._last:
            raise OrderDenied("the order was given before, or by another machine")
        self._last = order.number
        return order.task
