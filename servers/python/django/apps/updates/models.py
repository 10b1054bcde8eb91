from django.db import models


class Item(models.Model):
    id = models.IntegerField(primary_key=True)
    quantity = models.IntegerField()

    class Meta:
        db_table = "stock"
        managed = False
