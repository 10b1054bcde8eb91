package webdyno.spring.rows

import io.r2dbc.spi.Readable

/** The number in a column that is never null. */
fun Readable.integer(name: String): Int = get(name, Int::class.javaObjectType)!!

/** The text in a column that is never null. */
fun Readable.text(name: String): String = get(name, String::class.java)!!
