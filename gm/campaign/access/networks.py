"""What callers are counted by, at every door."""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network


@lru_cache(maxsize=1000)
def network(host: str) -> str:
    """One caller: of an IPv6 address the first half, for the rest a caller may choose."""
    try:
        address = IPv6Address(host.partition("%")[0])
    except ValueError:
        return host
    return str(address.ipv4_mapped or IPv6Network((address, 64), strict=False))


@lru_cache(maxsize=1000)
def neighbourhood(caller: str) -> str:
    """What one person may rent in one piece, of a caller as `network` names it: 256 addresses, or an IPv6 site."""
    try:
        if ":" in caller:
            return str(IPv6Network(caller, strict=False).supernet(new_prefix=48))
        return str(IPv4Network((caller, 24), strict=False))
    except ValueError:
        return caller
