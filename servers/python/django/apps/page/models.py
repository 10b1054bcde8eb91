from django.db import models


class Article(models.Model):
    number = models.IntegerField(primary_key=True)
    title = models.TextField()
    author = models.TextField()
    summary = models.TextField()

    class Meta:
        db_table = "articles"
        managed = False
        ordering = ["number"]  # noqa: RUF012
