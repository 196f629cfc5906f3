"""Under which names and addresses this machine is reached in the hall's network."""

from __future__ import annotations

import fcntl
import re
import socket
import struct
from contextlib import suppress

_SIOCGIFADDR = 0x8915
"""Linux: the IPv4 address of an interface (netdevice(7))."""

_HOST = re.compile(r"[a-z0-9]([a-z0-9.-]{0,250}[a-z0-9])?", re.IGNORECASE)


def own_addresses() -> list[str]:
    """IPv4 addresses of all interfaces but the loopback; that of the way out first."""
    found = [_way_out(), *_of_interfaces()]
    return [one for one in dict.fromkeys(found) if one and not one.startswith("127.")]


def own_names() -> list[str]:
    """The machine's name, alone and as mDNS tells it; nothing where it has none of use."""
    name = socket.gethostname().partition(".")[0].lower()
    if not _HOST.fullmatch(name) or name == "localhost":
        return []
    return [name, f"{name}.local"]


def _way_out() -> str:
    """From which address packets leave; none is sent for that."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.connect(("192.0.2.1", 9))
        return str(asking.getsockname()[0])
    return ""


def _of_interfaces() -> list[str]:
    found = []
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for _, name in socket.if_nameindex():
            with suppress(OSError):
                told = fcntl.ioctl(asking, _SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
                found.append(socket.inet_ntoa(told[20:24]))
    return found
