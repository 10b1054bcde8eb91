"""A machine that has joined lives no longer than the first one, or than the link to it."""

from __future__ import annotations

import time
from collections.abc import Callable

from webdyno.cluster.keeper.listener import LIFE
from webdyno.cluster.machines.membership import Membership
from webdyno.cluster.wire.channel import Channel, ChannelRefused, dial
from webdyno.errors import UserError

BEAT_S = 1.0
SILENT_S = 5.0
"""No answer for so long, and the first machine counts as gone."""


def grasp(member: Membership, secret: str) -> Channel:
    """The lifeline to the first machine. Raises `UserError` with what to do about it."""
    # As it was asked for: the keeper's own port is one that nobody has typed.
    where = f"{member.head}:{member.port}"
    try:
        channel = dial(
            member.head, member.keeper_port, secret, LIFE, source=member.address, timeout_s=SILENT_S
        )
        channel.hear()
    except ChannelRefused as refused:
        raise UserError(
            f"{where} refused: {refused}; copy the secret's file from the first machine again"
        ) from None
    except OSError as error:
        raise UserError(
            f"no cluster answers at {where} ({error.strerror or error}); run `webdyno machines "
            "start` there, and open the ports in the firewall"
        ) from None
    return channel


def hold(channel: Channel, ended: Callable[[], bool]) -> str:
    """Beat until the first machine is gone, or `ended`; gives why."""
    while not ended():
        try:
            channel.say({"alive": True})
            channel.hear()
        except (OSError, ChannelRefused) as error:
            return f"the first machine is gone ({error})"
        time.sleep(BEAT_S)
    return "Ray has ended on this machine"
