"""`GET /page` renders the rows of a table; scenario.toml holds the contract.

The texts are random and fresh in every trial, and hold what HTML must escape. Rows are changed,
added and removed behind the server's back: a page that is still the one before must say that it
comes from a cache, and must not be so for longer than the contract allows. Rows change while the
load runs, too, and sampled answers must show the table as it was when they were asked for. After
it, PostgreSQL must have read the table once for each answer that did not come from a cache. The
statements that it was seen to run must have returned all rows.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import ClassVar

import httpx

from webdyno.runtime.services.counted_at_rest import counted_at_rest
from webdyno.runtime.services.or_breakdown import or_breakdown
from webdyno.runtime.services.psql import Psql
from webdyno.runtime.services.rights import let_server
from webdyno.runtime.services.statement_claims import UNSEEN, expect_whole_rows
from webdyno.runtime.services.statements import Statements
from webdyno.runtime.services.table_work import TableWork, enough, least_told, untold, with_untold
from webdyno.runtime.services.told_in_time import LookAtWork, expect_told_in_time, look_at_work
from webdyno.verifier import (
    Breakdown,
    Change,
    Preparation,
    Probe,
    Sample,
    Verifier,
    beside,
    remedies,
)
from webdyno.verifier.html import Token
from webdyno.verifier.states import State, States

articles = beside(__file__, "articles")
caching = beside(__file__, "caching")
Article, page, wrong = articles.Article, articles.page, articles.wrong
SLACK_S, is_kept = caching.SLACK_S, caching.is_kept
Judge = beside(__file__, "judge").Judge

TABLE = """
    CREATE TABLE articles
    (number INTEGER PRIMARY KEY, title TEXT NOT NULL, author TEXT NOT NULL, summary TEXT NOT NULL)
"""
NEW_IN_A_ROW = 9
READ = f"{remedies.READ_ALL_ROWS}; a cache in front of the server says X-Cache: HIT"


class Scenario(Verifier):
    bounds: ClassVar = {"articles": (1, None), "kept_s": (0, None), "pool": (1, 200)}
    in_a_crowd = True
    asked_again = 40
    # Of so many answers, none from a cache, hardly two in a hundred may be from one.
    samples = warm_up_samples = 1000

    psql: Psql
    statements: Statements
    articles: list[Article]
    pages: States[list[Token]] | None = None
    changed_s = -math.inf
    """When the last change was complete."""
    cold: TableWork | None = None
    """What was read before the warm-up ..."""
    warm_fresh = 0
    """... whose answers were not from a cache so often, at the least."""
    before: TableWork | None = None
    sampled = kept = 0
    """Answers of the load that were audited, and how many of those said that they were kept."""
    looks: Sequence[LookAtWork] = ()
    """What was counted by some moments of the load."""
    rendered_s: Sequence[float] = ()
    """When the audited answers that were not kept were given."""

    def prepare(self) -> Preparation:
        self.psql = self.opened.enter_context(Psql(self.services_as_owner))
        self.psql.rows(TABLE)
        let_server(self.psql, self.services, "SELECT", "articles")
        self.statements = Statements(self.services, "articles", ("title", "author", "summary"))
        self.articles = []
        for number in range(1, self.whole("articles") + 1):
            self._put(Article.drawn(self.random, number))
        return Preparation(env={"WEBDYNO_POOL": str(self.whole("pool"))})

    def verify(self, probe: Probe) -> None:
        self._outlive_caches(probe)
        first = probe.get("/page")
        self.expect_http(first)
        self.expect_each(
            f"the page shows the {len(self.articles)} rows of the table",
            (self._problem(probe.get("/page")) for _ in range(8)),
        )
        size = len(first.content)
        self.expect("the size of the page fits its texts", self._fits(size), f"{size} bytes")
        self._changes(probe)
        self.expect_not_found(probe, f"/page-{self.token()}")

    def before_warm_up(self) -> None:
        self.cold, self.warm_fresh = self._work(), 0

    def warmed(self, samples: Sequence[Sample], answers: int) -> None:
        self.warm_fresh += caching.fresh_answers(
            len(samples), sum(map(is_kept, samples)), of=answers
        )

    def before_load(self, probe: Probe) -> None:
        self.pages = States(page(self.articles))
        self.before = counted_at_rest(self.psql, self.services, self._work)
        with or_breakdown(UNSEEN):
            self.statements.begin(self.psql)
        self.looks = ()

    def change(self) -> Change:
        """A row gets other texts, in one statement: a page shows all of it or nothing."""
        fresh = Article.drawn(self.random, self.random.choice(self.articles).number)

        def make() -> None:
            assert self.pages is not None
            with or_breakdown(UNSEEN):
                self.statements.look(self.psql)
                self.looks = [*self.looks, look_at_work(self.psql, "articles")]
            began_s = time.monotonic()
            self._put(fresh)
            self.pages.changed(State(began_s, self.changed_s, page(self.articles)))

        return Change(make)

    def audit(self, samples: Sequence[Sample]) -> None:
        self.expect_samples(samples)
        pages = self.pages or States(page(self.articles))
        judge = Judge(pages, self.whole("kept_s"))
        self.sampled, self.kept = len(samples), sum(map(is_kept, samples))
        self.rendered_s = [one.answered_by_s for one in samples if not is_kept(one)]
        moved = pages.changes
        then = f" as the table was then, which changed {moved} times," if moved else ","
        self.expect_each(
            f"{len(samples)} answers of the load are the page{then} {self.kept} of them from a"
            " cache",
            map(judge.problem, samples),
        )

    def reconcile(self, probe: Probe, counts: Mapping[str, int]) -> None:
        """PostgreSQL read the table for each answer that was not from a cache: less often where
        those who wait share what was read for one of them."""
        if self.before is None:
            raise Breakdown("the reads of the table were not counted before the load")
        if not self.sampled:
            return  # Other generators keep no answers: nobody knows how many were from a cache.
        before, rows = self.before, len(self.articles)
        answers = sum(counts.get(kind, 0) for kind in ("ok", "failed_check"))
        fresh = caching.fresh_answers(self.sampled, self.kept, of=answers)
        late = 0.0
        if self.cold is not None:
            late = untold(self.psql, self.warm_fresh, before.since(self.cold).whole_reads(rows))
        wanted = least_told(self.psql, thorough=self.thorough) * (late + fresh)

        def told(work: TableWork) -> bool:
            return work.whole_reads(rows) >= wanted

        done = enough(self.psql, lambda: self._work().since(before), told)
        given = with_untold(f"at least {fresh} not from a cache", late)
        self.expect(
            "PostgreSQL read the table for each answer of the load that was not from a cache, by"
            " its counters",
            done.read >= wanted,
            f"{done.read} times; {answers} answers, {given}",
            remedy=READ,
        )
        self.expect(
            "it read all rows as often, in at least as many transactions",
            told(done),
            f"{done.rows_read} rows of {rows} in {done.transactions} transactions; {answers}"
            f" answers, {given}",
            remedy=remedies.AUTOCOMMIT if done.transactions < wanted else READ,
        )
        expect_told_in_time(
            self,
            self.looks,
            before,
            self.rendered_s,
            lambda work: work.whole_reads(rows),
            READ,
            caching.fresh_answers(self.sampled, self.kept, of=self.sampled_from),
        )
        expect_whole_rows(self, self.statements, READ)

    def _work(self) -> TableWork:
        with or_breakdown("the reads of the table cannot be counted"):
            return TableWork.of(self.psql, "articles")

    def _outlive_caches(self, probe: Probe) -> None:
        """Wait while a cache may still hold a page from before the last change."""
        until_s = self.changed_s + self.whole("kept_s") + SLACK_S
        new = 0
        while new < NEW_IN_A_ROW and time.monotonic() < until_s:
            answer = probe.get("/page")
            if not caching.is_kept_answer(answer) or not self._problem(answer):
                new += 1
                continue
            new = 0
            time.sleep(0.02)

    def _problem(self, answer: httpx.Response, articles: list[Article] | None = None) -> str | None:
        expected = page(self.articles if articles is None else articles)
        kind = answer.headers.get("content-type", "")
        return wrong(answer.status_code, kind, answer.content, expected)

    def _fits(self, size: int) -> bool:
        """Texts once, and no more than three times as much around them."""
        texts = sum(len(text.encode()) for article in self.articles for text in article[1:])
        return texts <= size <= 2 * texts + 2000

    def _changes(self, probe: Probe) -> None:
        before = list(self.articles)
        chosen = self.random.choice(before)
        extra = Article.drawn(self.random, before[-1].number + 1)
        ways: list[tuple[str, Callable[[], None]]] = [
            ("changed", lambda: self._put(Article.drawn(self.random, chosen.number))),
            ("added", lambda: self._put(extra)),
            ("removed", lambda: self._remove(extra.number)),
            ("put back", lambda: self._put(chosen)),
        ]
        for way, change in ways if self.phase == "before" else (ways[0], ways[3]):
            shown = list(self.articles)
            change()
            waited: list[float] = []
            self.expect_each(
                f"the page follows the table when a row is {way}",
                self._follows(probe, shown, waited),
                remedy=f"{READ}, and keeps a page for {self.whole('kept_s')} s at most",
            )
            if waited and waited[0] > 0:
                self.expect("what is served from a cache says so", True, f"for {waited[0]:.1f} s")

    def _follows(
        self, probe: Probe, shown: list[Article], waited: list[float]
    ) -> Iterator[str | None]:
        """Ask until the page is the new one on every connection, several times in a row: each
        process may keep one of its own."""
        allowed = self.whole("kept_s")
        began = probe.clock.now()
        new = 0
        while new < NEW_IN_A_ROW:
            answer = probe.get("/page")
            age = probe.clock.now() - began
            if (problem := self._problem(answer)) is None:
                new += 1
                continue
            if not caching.is_kept_answer(answer) or self._problem(answer, shown):
                yield problem
                return
            if age > allowed + SLACK_S:
                yield f"{age:.1f} s later the cache still serves the old page: {problem}"
                return
            new = 0
            waited[:] = [age]
            time.sleep(0.02)

    def _put(self, article: Article) -> None:
        self.psql.rows(
            "INSERT INTO articles VALUES (:number, :'title', :'author', :'summary')"
            " ON CONFLICT (number) DO UPDATE SET title = excluded.title,"
            " author = excluded.author, summary = excluded.summary",
            **article._asdict(),
        )
        others = [other for other in self.articles if other.number != article.number]
        self.articles = sorted([*others, article])
        self.changed_s = time.monotonic()

    def _remove(self, number: int) -> None:
        self.psql.rows("DELETE FROM articles WHERE number = :number", number=number)
        self.articles = [article for article in self.articles if article.number != number]
        self.changed_s = time.monotonic()
