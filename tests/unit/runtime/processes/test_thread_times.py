"""The busiest thread of a tree, from two looks."""

from __future__ import annotations

import os
import threading

import pytest

from webdyno.runtime.processes.thread_times import busiest, spent, thread_times


def test_the_busiest_thread_and_the_one_that_is_always_ready() -> None:
    before = {1: (10.0, 0.0), 2: (0.0, 0.0), 3: (5.0, 5.0)}
    after = {1: (10.5, 0.1), 2: (0.2, 0.75), 3: (5.0, 5.0)}
    assert busiest(before, after, 1.0) == pytest.approx((0.5, 0.95))


def test_a_thread_that_is_new_did_all_of_it_since() -> None:
    assert spent({}, {7: (0.3, 0.1)}) == [(0.3, 0.1)]


def test_a_reused_id_is_another_thread() -> None:
    assert spent({7: (9.0, 1.0)}, {7: (0.3, 0.1)}) == [(0.3, 0.1)]


def test_where_nothing_ran_nothing_is_known() -> None:
    assert busiest({}, {}, 1.0) is None
    assert busiest({1: (2.0, 0.0)}, {1: (2.0, 0.0)}, 1.0) is None


def test_no_thread_is_more_than_busy() -> None:
    assert busiest({}, {1: (1.01, 0.0)}, 1.0) == (1.0, 1.0)


def test_the_threads_of_this_process_are_read() -> None:
    assert threading.get_native_id() in thread_times(os.getpid())
