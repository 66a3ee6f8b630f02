"""The board's end of a network cable: its port stays its own while the cable is out."""

from __future__ import annotations

import socket
from random import Random

import pytest

from sim.endpoints.net import TcpEndpoint

HOSTS = ["127.0.0.1", "::1"]


def taken(host: str, port: int) -> bool:
    """Can nobody else have the port?"""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as other:
        try:
            other.bind((host, port))
        except OSError:
            return True
    return False


@pytest.mark.parametrize("host", HOSTS)
async def test_a_port_whose_cable_is_out_refuses_everybody_and_stays_its_own(host: str) -> None:
    end = TcpEndpoint(host, 0, Random(1))
    end.attach(lambda data: None)
    port = end.port
    for _ in range(3):
        end.unplug()
        assert taken(host, port)
        with pytest.raises(ConnectionRefusedError), socket.create_connection((host, port), timeout=1):
            pass
        end.replug()
        assert end.port == port
        with socket.create_connection((host, port), timeout=1):
            pass
    end.close()
    assert not taken(host, port)


async def test_two_boards_cannot_have_one_port() -> None:
    one = TcpEndpoint("127.0.0.1", 0, Random(1))
    one.attach(lambda data: None)
    with pytest.raises(OSError, match="in use"):
        TcpEndpoint("127.0.0.1", one.port, Random(2)).attach(lambda data: None)
    one.close()
