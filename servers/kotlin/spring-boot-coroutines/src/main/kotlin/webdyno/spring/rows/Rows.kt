package webdyno.spring.rows

import kotlin.random.Random

private const val MOST = 500
private val fewDigits = Regex("[0-9]{1,9}")
private val digits = Regex("[0-9]+")

/** How many rows a text asks for: 1 to 500. */
fun clamped(text: String): Int =
    when {
        !digits.matches(text) -> 1
        fewDigits.matches(text) -> text.toInt().coerceIn(1, MOST)
        else -> MOST
    }

/** Ids from 1 to `last`, without an end. */
fun drawIds(last: Int): Sequence<Int> = generateSequence { Random.nextInt(1, last + 1) }
