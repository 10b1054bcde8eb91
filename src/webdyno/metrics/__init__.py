"""The metrics that servers are ranked by, a file each; see `webdyno.plugins`.

A file's constant `METRIC` is a `webdyno.catalog.terms.metric.Metric`: its words, and the figure of
a trial.
"""
