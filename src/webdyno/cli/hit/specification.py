"""From the options of `hit` to the engine's specification."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from webdyno.catalog.loads import load_bounds
from webdyno.catalog.terms import quantity
from webdyno.catalog.terms.cpus import cpus_text, parse_cpus
from webdyno.cli.hit.options import (
    CLOSED_CONNECTIONS,
    DURATION,
    ERRORS,
    OPEN_CONNECTIONS,
    STEP,
    TOLERANCE,
    Options,
)
from webdyno.cli.hit.refusals import refuse_contradictions, refuse_mixtures, refuse_security
from webdyno.cli.option_values import of_option, share_of
from webdyno.errors import UserError

if TYPE_CHECKING:
    from webdyno.catalog.loads.load import Objective
    from webdyno.generators.specification import LoadSpec, PhaseSpec, RequestSpec, Shape, TlsSpec
    from webdyno.generators.target import Target

LEAST_TOLERANCE, MOST_TOLERANCE = 0.01, 0.5
"""Of the rate that a search finds."""


def specification(target: Target, options: Options) -> LoadSpec:
    """What the engine is to do; for a search, the closed loop that comes before it.

    Raises `UserError` naming the option and the remedy.
    """
    from webdyno.generators.specification import Http2Spec, LoadSpec, TargetSpec

    refuse_contradictions(options)
    refuse_security(target, options)
    refuse_mixtures(target, options)
    cpus = _cpus(options.cpus)
    seed = options.seed if options.seed is not None else int.from_bytes(os.urandom(4))
    return LoadSpec(
        target=TargetSpec(
            host=target.host,
            port=target.port,
            host_header=target.host_header,
            tls=_tls(options) if target.tls else None,
        ),
        load=shape(options),
        threads=options.threads or len(cpus) or 1,
        cpus=cpus,
        timeout_s=of_option("--timeout", load_bounds.duration, options.timeout),
        seed=seed,
        requests=[_request(target, options)],
        http2=Http2Spec(streams=options.streams or 1) if options.http2 else None,
        allow_remote=options.allow_remote,
        reactor=options.reactor.value,
        record=options.record,
    )


def _request(target: Target, options: Options) -> RequestSpec:
    """What each request is: of HTTP, or a message over WebSocket."""
    from webdyno.catalog.scenarios.checks import EqualsCheck
    from webdyno.generators.specification import RequestSpec

    message = None if options.message is None else _literal(options.message)
    echoed = [EqualsCheck(kind="equals", text=message or "")] if options.echo else []
    return RequestSpec(
        name=target.path,
        method=options.method or ("GET" if options.body is None else "POST"),
        path=_literal(target.path),
        headers=[_header(text) for text in options.headers],
        body=None if options.body is None else _literal(options.body),
        websocket=target.websocket,
        message=message,
        checks=[*echoed],
    )


def _cpus(text: str | None) -> list[int]:
    """The CPUs that the threads are held to; none for any. Raises `UserError`."""
    if text is None:
        return []
    cpus, allowed = parse_cpus(text, "--cpus"), os.sched_getaffinity(0)
    if outside := set(cpus) - allowed:
        raise UserError(
            f"--cpus: CPU {cpus_text(outside)} is not available here; choose from "
            f"{cpus_text(allowed)}"
        )
    return list(cpus)


def _tls(options: Options) -> TlsSpec:
    from webdyno.generators.specification import TlsSpec

    file = None if options.cacert is None else str(options.cacert.absolute())
    return TlsSpec(insecure=options.insecure, ca_file=file)


def shape(options: Options) -> Shape:
    """How the requests arrive."""
    from webdyno.generators.specification import ClosedShape, IterationsShape, OpenShape

    if options.objective is not None:
        load = objective(options)
        connections = min(CLOSED_CONNECTIONS, load.connections)
        return ClosedShape(connections=connections, duration_s=load.step)
    if options.users is not None and options.iterations is not None:
        return IterationsShape(users=options.users, iterations=options.iterations)
    if options.rate is None and options.phases is None:
        connections = options.connections or CLOSED_CONNECTIONS
        return ClosedShape(connections=connections, duration_s=_duration(options))
    return OpenShape(
        phases=_phases(options),
        arrivals="poisson" if options.poisson else "uniform",
        connections=options.connections or OPEN_CONNECTIONS,
    )


def objective(options: Options) -> Objective:
    """The search that was asked for. Raises `UserError`."""
    from webdyno.catalog.loads.load import Objective

    assert options.objective is not None
    errors, tolerance = options.errors or ERRORS, options.tolerance or TOLERANCE
    of_option("--objective", quantity.objective, options.objective)
    of_option("--errors", quantity.share_at_most, errors)
    if options.max_rate:
        of_option("--max-rate", load_bounds.rate, options.max_rate)
    step_s = float(of_option("--duration", load_bounds.duration, options.duration or STEP))
    if step_s < 1:
        raise UserError("--duration: too short for a step of the search; give at least 1s")
    return Objective(
        kind="objective",
        objective=options.objective,
        errors=errors,
        connections=options.connections or OPEN_CONNECTIONS,
        step=step_s,
        tolerance=share_of("--tolerance", tolerance, LEAST_TOLERANCE, MOST_TOLERANCE),
        max_rate=options.max_rate or "",
        timeout=of_option("--timeout", load_bounds.duration, options.timeout),
    )


def _phases(options: Options) -> list[PhaseSpec]:
    from webdyno.generators.specification import PhaseSpec

    if options.phases is None:
        rate = of_option("--rate", load_bounds.rate, options.rate or "")
        phases = [quantity.Phase(rate, None, _duration(options))]
    else:
        texts = options.phases.split(",")
        phases = [of_option("--phases", load_bounds.phase, text) for text in texts]
    of_option("--rate" if options.phases is None else "--phases", load_bounds.whole, phases)
    return [PhaseSpec.of(one) for one in phases]


def _duration(options: Options) -> float:
    return float(of_option("--duration", load_bounds.duration, options.duration or DURATION))


def _header(text: str) -> tuple[str, str]:
    name, colon, value = text.partition(":")
    if not colon or not name.strip():
        raise UserError(f"--header: '{text}' is not a header; write it like 'Accept: text/html'")
    return name.strip(), _literal(value.strip())


def _literal(text: str) -> str:
    """Text in which the engine sees no variables."""
    return text.replace("{", "{{").replace("}", "}}")
