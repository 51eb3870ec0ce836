"""Other memory systems, installed beside us and asked the same questions in the same run."""

from ricordo.bench.peers.run import PEERS, Peer, Result, compare, whole

__all__ = ["PEERS", "Peer", "Result", "compare", "whole"]
