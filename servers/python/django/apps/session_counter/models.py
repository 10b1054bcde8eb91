from django.db import models


class UserSession(models.Model):
    """A row of `usersessions`, by the names that Django's own sessions have."""

    session_key = models.TextField(primary_key=True, db_column="uid")
    session_data = models.TextField(db_column="data")

    class Meta:
        db_table = "usersessions"
        managed = False
