"""A job as the engine's own specification."""

from __future__ import annotations

from webdyno.catalog.scenarios.checks import Check, EqualsCheck, LookupCheck
from webdyno.catalog.scenarios.request import Request
from webdyno.generators.drawn import variables_of
from webdyno.generators.job import Job
from webdyno.generators.specification import (
    AuditSpec,
    DistinctSpec,
    LoadSpec,
    RequestSpec,
    TargetSpec,
    shape_of,
)
from webdyno.runtime.own_addresses import is_here
from webdyno.runtime.ports import LOOPBACK


def spec_of(job: Job) -> LoadSpec:
    """The engine's specification of `job`. Raises `UserError`."""
    manifest, load = job.scenario, job.load
    return LoadSpec(
        target=TargetSpec(host=job.host, port=job.port, host_header=job.host_header),
        load=shape_of(load),
        threads=max(1, min(load.threads or 1, len(job.cpus) or load.threads or 1)),
        cpus=list(job.cpus),
        timeout_s=load.timeout,
        record=None if job.record is None else str(job.record),
        seed=job.seed,
        cookies=manifest.cookies if load.cookies is None else load.cookies,
        visits=_visits(job),
        order=manifest.order,
        variables=variables_of(job),
        requests=[_request(request, job) for request in manifest.requests],
        audit=AuditSpec(samples=job.samples, max_body_bytes=job.body_bytes),
        # Of a service at one of this machine's own addresses.
        allow_remote=job.host != LOOPBACK and is_here(job.host),
    )


def _visits(job: Job) -> int | None:
    """Where a scenario's users keep cookies and the load's do not, each request is a new user's."""
    return 1 if job.scenario.cookies and job.load.cookies is False else job.load.visits


def _request(request: Request, job: Job) -> RequestSpec:
    distinct = request.distinct
    return RequestSpec(
        name=request.name,
        method=request.method,
        path=request.path,
        headers=list(request.headers.items()),
        body=request.body,
        websocket=request.websocket,
        message=request.message,
        checks=[_check(check, job) for check in request.checks],
        distinct=distinct and DistinctSpec(after=distinct.after, any_order=distinct.any_order),
    )


def _check(check: Check, job: Job) -> Check:
    """With the answers that the verifier expects, where they are looked up."""
    if isinstance(check, EqualsCheck):
        # So the other generators can check it; what is right meanwhile the verifier knows.
        for variable in job.lookups:
            if check.text == f"{{{variable}}}":
                check = LookupCheck(kind="lookup", variable=variable)
                break
    if isinstance(check, LookupCheck) and check.variable in job.lookups:
        expected = dict(job.lookups[check.variable])
        return LookupCheck(kind="lookup", variable=check.variable, expected=expected)
    return check
