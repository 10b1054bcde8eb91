from django.db import models


class World(models.Model):
    id = models.IntegerField(primary_key=True)
    random_number = models.IntegerField(db_column="randomnumber")

    class Meta:
        db_table = "world"
        managed = False
