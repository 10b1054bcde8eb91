"""Servers beside what they were: those of a stored run, built again and measured in pairs."""
