"""What is read by the plan of a statement."""

from __future__ import annotations

import pytest

from webdyno.runtime.services.plans import Reads, TableRead, of_plan

NEWS = TableRead("news", frozenset({"id", "title", "text"}), frozenset({"title", "text"}))


def plan(*outputs: list[str], **top: object) -> list[dict[str, object]]:
    """The parts of a plan that reads the table, from the last of these outputs up."""
    *above, read = outputs
    scan = {"Node Type": "Seq Scan", "Relation Name": "news", "Output": read}
    nodes = [{"Node Type": "Subquery Scan", "Output": output} for output in above] + [scan]
    nodes[0].update(top)
    return nodes


@pytest.mark.parametrize(
    ("whole", "nodes"),
    [
        (True, plan(["title", "text", "id"])),
        (True, plan(['"News".title', '("News".text)::character varying(9)', '"News".text'])),
        (True, plan(["t.title", "t.text"], ["news.id", "news.title", "news.text"])),
        (True, plan(["title", "text", "now()", "'a title'::text", "count(*)", "1"])),
        (False, plan(["title", "text", "(('<p>'::text || title) || '</p>'::text)"])),
        (False, plan(["title", "text", "to_json(news.*)"])),
        (False, plan(["title", "text", "lower((news.title)::text)"])),
        (False, plan(["t.title", "t.text"], ["replace(news.title, 'a', 'b')", "news.text"])),
        (False, plan(["t.title", "t.text"], ["news.xmin", "news.title", "news.text"])),
        (False, plan(["t.title", "t.text"], ["news.id", "news.text"])),
    ],
)
def test_rows_are_handed_over_as_they_are_or_made_into_something(
    whole: bool, nodes: list[dict[str, object]]
) -> None:
    assert (of_plan(nodes, NEWS) is Reads.WHOLE) is whole


def test_an_order_that_a_program_is_to_make_is_not_the_database_s() -> None:
    by_text = NEWS._replace(unsorted=frozenset({"text"}))
    sort = {"Node Type": "Sort", "Output": ["title", "text"]}
    for key, whole in (("news.id", True), ('text COLLATE "C" DESC', False), ("lower(text)", False)):
        nodes = [{**sort, "Sort Key": [key]}, *plan(["title", "text"])]
        assert (of_plan(nodes, by_text) is Reads.WHOLE) is whole, key
        assert of_plan(nodes, NEWS) is Reads.WHOLE


@pytest.mark.parametrize(
    ("reads", "output"),
    [
        (Reads.ROW, ["id", "title"]),
        (Reads.ROW, ["(title)::text", "ctid"]),
        (Reads.ROW, ["(id)::numeric(10,2)", "(title)::text[]", '(title)::"char"']),
        (Reads.ROW, ["(id)::timestamp(3) without time zone", "(n.title)::character varying(9)"]),
        (Reads.MADE, ["((title)::text || ','::text)"]),
        (Reads.MADE, ["json_build_object('id', id, 'title', title)"]),
        (Reads.MADE, ["id", "title", "row_to_json(n.*)"]),
    ],
)
def test_one_row_is_handed_over_as_it_is_or_made_into_something(
    reads: Reads, output: list[str]
) -> None:
    look = {"Node Type": "Index Scan", "Relation Name": "news", "Index Cond": "(n.id = $1)"}
    assert of_plan([{**look, "Output": output}], TableRead("news", NEWS.names)) is reads


def test_a_table_of_that_name_in_another_schema_is_another() -> None:
    [read] = plan(["title", "text"], Schema="public")
    assert of_plan([read], NEWS) is Reads.WHOLE
    assert of_plan([{**read, "Schema": "webdyno"}], NEWS) is Reads.NOTHING
