package webdyno.micronaut.lookup;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;

/** What is read of a row of the table purch_sku_master. */
@MappedEntity("purch_sku_master")
record Sku(@Id String skuId) {}
