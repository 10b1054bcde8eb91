from django.db import models


class Fortune(models.Model):
    id = models.IntegerField(primary_key=True)
    message = models.TextField()

    class Meta:
        db_table = "fortune"
        managed = False
