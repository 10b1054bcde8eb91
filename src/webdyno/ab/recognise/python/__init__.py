"""A service in Python: its application, the server for it, and the Python that it asks for."""
