"""The machines: how many processors, and which of them share a core or a node."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Machine:
    """A topology. `sockets` that are `numa` have a node, and a part of the memory, each."""

    name: str
    sockets: int = 1
    cores: int = 1
    """Of a socket."""
    threads: int = 1
    """Of a core."""
    numa: bool = False

    @property
    def processors(self) -> int:
        """What the guest's kernel counts."""
        return self.sockets * self.cores * self.threads

    def arguments(self, memory_mib: int) -> list[str]:
        """QEMU's arguments for this topology and so much memory."""
        shape = f"sockets={self.sockets},cores={self.cores},threads={self.threads}"
        found = ["-smp", f"{self.processors},{shape}", "-m", f"{memory_mib}M"]
        if not self.numa:
            return found
        of_node, of_socket = memory_mib // self.sockets, self.cores * self.threads
        found[-1] = f"{of_node * self.sockets}M"
        for node in range(self.sockets):
            memory = f"memory-backend-ram,id=memory{node},size={of_node}M"
            cpus = f"{node * of_socket}-{(node + 1) * of_socket - 1}"
            found += ["-object", memory]
            found += ["-numa", f"node,nodeid={node},cpus={cpus},memdev=memory{node}"]
        return found


MACHINES = (
    Machine("1"),
    Machine("2-threads", threads=2),
    Machine("3", cores=3),
    Machine("8-threads", cores=4, threads=2),
    Machine("8-numa", sockets=2, cores=4, numa=True),
)
"""From the smallest cloud machine to a server of two sockets."""
