"""One load from its first request to its last, with the observer's marks around it."""

from __future__ import annotations

from dataclasses import replace

from webdyno.generators.job import BEGIN, END, Job
from webdyno.generators.progress import LoadProgress
from webdyno.trial.events import LoadWentOn
from webdyno.trial.loads.loading import Loading, Marks, WatchedLoad
from webdyno.trial.watching.measure import CoresClock


def load_and_watch(loading: Loading, job: Job, marks: Marks) -> WatchedLoad:
    """Make `job`'s load, with a mark of the observer where it begins and where it ends.

    Also tells how busy the server's and the generator's cores were between the marks. A generator
    that does not tell its edges is marked around its whole run, in which it also opens its
    connections. Raises `GeneratorError`.
    """

    def watch(progress: LoadProgress) -> bool:
        loading.listener(
            LoadWentOn(
                elapsed_s=progress.elapsed_s,
                rps=progress.rps,
                errors=progress.counts.errors,
                ticks=progress.ticks,
            )
        )
        return False

    cores = CoresClock(loading.plan)
    tells = loading.generator.abilities.tells_edges

    def edge(name: str) -> None:
        loading.observer.mark(marks[0] if name == BEGIN else marks[1])
        (cores.go_on if name == BEGIN else cores.hold)()

    if tells:
        result = loading.generator.run(replace(job, edge=edge), watch)
    else:
        edge(BEGIN)
        result = loading.generator.run(job, watch)
        edge(END)
    return WatchedLoad(result, cores.so_far(), marks, exactly=tells)
