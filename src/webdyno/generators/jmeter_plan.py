"""The test plan that JMeter is given: a thread group, its users' cookies, requests and assertions.

Values are drawn beforehand into a CSV file, one line for each pass of a user, so that they are
those that the scenario draws and not the same ones for every user.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from math import ceil
from pathlib import Path
from xml.etree import ElementTree as Xml

from webdyno.catalog.loads.load import Closed, Iterations
from webdyno.catalog.scenarios.checks import ContainsCheck, EqualsCheck, MatchesCheck, StatusCheck
from webdyno.catalog.scenarios.request import Request
from webdyno.errors import UserError
from webdyno.generators.drawn import draw_values, variables_in
from webdyno.generators.job import Job

MOST_LINES = 200_000
"""Drawn lines; a longer load begins at the first again."""

_BRACES = re.compile(r"\$\{\{|\{\{|\}\}|\{(\w+)\}")
# How ResponseAssertion compares.
_MATCHES, _EQUALS, _SUBSTRING = 2, 8, 16


def write_plan(job: Job, folder: Path) -> Path:
    """Write `plan.jmx` and its `values.csv` into `folder`; gives the plan's path.

    Raises `UserError` where the job needs what the plan cannot hold.
    """
    load = _load(job)
    manifest = job.scenario
    sequence = manifest.order == "sequence"
    passes = _passes(job, load, len(manifest.requests) if sequence else 1)
    columns = [
        f"r{index}_{name}"
        for index, request in enumerate(manifest.requests)
        for name in variables_in(request)
    ]
    plan = Xml.Element("jmeterTestPlan", version="1.2", properties="5.0", jmeter="5.6.3")
    tree = Xml.SubElement(plan, "hashTree")
    inside = _element(tree, "TestPlan", "TestPlanGui", manifest.name)
    users = _thread_group(inside, load, passes)
    _defaults(users, job)
    if manifest.cookies if load.cookies is None else load.cookies:
        _cookies(users)
    if columns:
        _values(users, folder / "values.csv", columns)
        _write_values(job, folder / "values.csv", passes, columns)
    requests = users if sequence else _element(users, "RandomController", "RandomControlGui", "any")
    for index, request in enumerate(manifest.requests):
        _request(requests, request, index)
    path = folder / "plan.jmx"
    Xml.indent(plan)
    Xml.ElementTree(plan).write(path, encoding="utf-8", xml_declaration=True)
    return path


def unchecked(job: Job) -> list[str]:
    """Kinds of the scenario's checks that the plan does not hold."""
    held = (StatusCheck, EqualsCheck, ContainsCheck, MatchesCheck)
    checks = [check for request in job.scenario.requests for check in request.checks]
    return sorted({check.kind for check in checks if not isinstance(check, held)})


def _load(job: Job) -> Closed | Iterations:
    load = job.load
    assert isinstance(load, (Closed, Iterations)), "others are refused"
    return load


def _passes(job: Job, load: Closed | Iterations, requests: int) -> int:
    """How often each user goes through the plan; -1 for as long as the load lasts."""
    if isinstance(load, Closed):
        return -1
    if load.iterations % requests:
        raise UserError(
            f"scenario {job.scenario.name} sends {requests} requests in sequence; with jmeter, "
            f"make 'iterations' of load '{load.label()}' a multiple of {requests}; it is "
            f"{load.iterations}"
        )
    return load.iterations // requests


def _thread_group(parent: Xml.Element, load: Closed | Iterations, passes: int) -> Xml.Element:
    users = load.users if isinstance(load, Iterations) else load.settled_connections
    tree = _element(parent, "ThreadGroup", "ThreadGroupGui", "users")
    group = parent[-2]
    loop = Xml.SubElement(
        group, "elementProp", name="ThreadGroup.main_controller", elementType="LoopController"
    )
    # Without it the group goes on for ever, whatever its loops say.
    _put(loop, "LoopController.continue_forever", False)
    _put(loop, "LoopController.loops", passes)
    _put(group, "ThreadGroup.on_sample_error", "continue")
    _put(group, "ThreadGroup.num_threads", users)
    _put(group, "ThreadGroup.ramp_time", 0)
    _put(group, "ThreadGroup.same_user_on_next_iteration", True)
    _put(group, "ThreadGroup.scheduler", isinstance(load, Closed))
    if isinstance(load, Closed):
        _put(group, "ThreadGroup.duration", max(1, ceil(load.duration)))
    return tree


def _defaults(parent: Xml.Element, job: Job) -> None:
    _element(parent, "ConfigTestElement", "HttpDefaultsGui", "where")
    given = parent[-2]
    milliseconds = ceil(job.load.timeout * 1000)
    _put(given, "HTTPSampler.domain", job.host)
    _put(given, "HTTPSampler.port", str(job.port))
    _put(given, "HTTPSampler.protocol", "http")
    _put(given, "HTTPSampler.implementation", "HttpClient4")
    _put(given, "HTTPSampler.connect_timeout", str(milliseconds))
    _put(given, "HTTPSampler.response_timeout", str(milliseconds))


def _cookies(parent: Xml.Element) -> None:
    _element(parent, "CookieManager", "CookiePanel", "cookies")
    given = parent[-2]
    Xml.SubElement(given, "collectionProp", name="CookieManager.cookies")
    _put(given, "CookieManager.clearEachIteration", False)
    _put(given, "CookieManager.policy", "standard")


def _values(parent: Xml.Element, path: Path, columns: list[str]) -> None:
    _element(parent, "CSVDataSet", "TestBeanGUI", "values")
    given = parent[-2]
    _put(given, "filename", str(path))
    _put(given, "fileEncoding", "UTF-8")
    _put(given, "variableNames", ",".join(columns))
    _put(given, "delimiter", ",")
    _put(given, "quotedData", True)
    _put(given, "ignoreFirstLine", False)
    _put(given, "recycle", True)
    _put(given, "stopThread", False)
    _put(given, "shareMode", "shareMode.all")


def _write_values(job: Job, path: Path, passes: int, columns: list[str]) -> None:
    load = job.load
    lines = load.users * passes if isinstance(load, Iterations) else MOST_LINES // 10
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL)
        for drawn in draw_values(job, min(lines, MOST_LINES)):
            values = {
                f"r{i}_{name}": value for i, one in enumerate(drawn) for name, value in one.items()
            }
            writer.writerow([values[column] for column in columns])


def _request(parent: Xml.Element, request: Request, index: int) -> None:
    inside = _element(parent, "HTTPSamplerProxy", "HttpTestSampleGui", request.name)
    given = parent[-2]
    arguments = Xml.SubElement(
        given, "elementProp", name="HTTPsampler.Arguments", elementType="Arguments"
    )
    listed = Xml.SubElement(arguments, "collectionProp", name="Arguments.arguments")
    if request.body is not None:
        _put(given, "HTTPSampler.postBodyRaw", True)
        argument = Xml.SubElement(listed, "elementProp", name="", elementType="HTTPArgument")
        _put(argument, "HTTPArgument.always_encode", False)
        _put(argument, "Argument.value", _text(request.body, index))
        _put(argument, "Argument.metadata", "=")
    _put(given, "HTTPSampler.path", _text(request.path, index))
    _put(given, "HTTPSampler.method", request.method)
    _put(given, "HTTPSampler.follow_redirects", False)
    _put(given, "HTTPSampler.auto_redirects", False)
    _put(given, "HTTPSampler.use_keepalive", True)
    if request.headers:
        _headers(inside, request.headers, index)
    statuses = [check for check in request.checks if isinstance(check, StatusCheck)]
    for status in statuses:
        pattern = str(status.equals)
        _assertion(inside, "Assertion.response_code", _EQUALS, pattern, any_status=True)
    for check in request.checks:
        if isinstance(check, EqualsCheck):
            _assertion(inside, "Assertion.response_data", _EQUALS, _text(check.text, index))
        elif isinstance(check, ContainsCheck):
            _assertion(inside, "Assertion.response_data", _SUBSTRING, _text(check.text, index))
        elif isinstance(check, MatchesCheck):
            _assertion(inside, "Assertion.response_data", _MATCHES, _literal(check.pattern))


def _headers(parent: Xml.Element, headers: Mapping[str, str], index: int) -> None:
    _element(parent, "HeaderManager", "HeaderPanel", "headers")
    listed = Xml.SubElement(parent[-2], "collectionProp", name="HeaderManager.headers")
    for name, value in headers.items():
        header = Xml.SubElement(listed, "elementProp", name="", elementType="Header")
        _put(header, "Header.name", name)
        _put(header, "Header.value", _text(value, index))


def _assertion(
    parent: Xml.Element, field: str, test_type: int, text: str, any_status: bool = False
) -> None:
    _element(parent, "ResponseAssertion", "AssertionGui", field.partition(".")[2])
    assertion = parent[-2]
    # The name of this property is misspelt in JMeter itself.
    tests = Xml.SubElement(assertion, "collectionProp", name="Asserion.test_strings")
    _put(tests, "0", text)
    _put(assertion, "Assertion.test_field", f"{field}")
    # By itself JMeter fails every status of 400 and above.
    _put(assertion, "Assertion.assume_success", any_status)
    _put(assertion, "Assertion.test_type", test_type)


def _text(template: str, index: int) -> str:
    """A template of ours with JMeter's variables in it, and its own notation made literal."""

    def replaced(match: re.Match[str]) -> str:
        if match[0] == "${{":
            return "\\${"
        return match[0][0] if match[1] is None else f"${{r{index}_{match[1]}}}"

    return _BRACES.sub(replaced, template)


def _literal(text: str) -> str:
    return text.replace("${", "\\${")


def _element(parent: Xml.Element, kind: str, gui: str, name: str) -> Xml.Element:
    """A test element below `parent`, and the tree of what is inside it, which is given back."""
    Xml.SubElement(
        parent, kind, guiclass=gui, testclass=kind, testname=_literal(name), enabled="true"
    )
    return Xml.SubElement(parent, "hashTree")


def _put(parent: Xml.Element, name: str, value: str | bool | int) -> None:
    kind = {bool: "boolProp", int: "intProp", str: "stringProp"}[type(value)]
    text = str(value).lower() if isinstance(value, bool) else str(value)
    Xml.SubElement(parent, kind, name=name).text = text
