"""Two versions of one's own service: do they differ, by how much, and how sure is that?

A description of the service and two versions of it become a small catalog of two servers and one
scenario, and a study of them with a control; the rest is a run like any other.
"""
