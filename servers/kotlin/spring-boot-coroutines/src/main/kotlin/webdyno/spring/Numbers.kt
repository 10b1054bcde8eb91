package webdyno.spring

import com.fasterxml.jackson.annotation.JsonProperty
import kotlin.random.Random

/** Ten fresh random numbers. */
data class Numbers(
    @JsonProperty("Test Number 1") val number1: Int,
    @JsonProperty("Test Number 2") val number2: Int,
    @JsonProperty("Test Number 3") val number3: Int,
    @JsonProperty("Test Number 4") val number4: Int,
    @JsonProperty("Test Number 5") val number5: Int,
    @JsonProperty("Test Number 6") val number6: Int,
    @JsonProperty("Test Number 7") val number7: Int,
    @JsonProperty("Test Number 8") val number8: Int,
    @JsonProperty("Test Number 9") val number9: Int,
    @JsonProperty("Test Number 10") val number10: Int,
) {
    companion object {
        fun draw() =
            Numbers(
                number(), number(), number(), number(), number(),
                number(), number(), number(), number(), number(),
            )

        private fun number() = Random.nextInt(0, 1001)
    }
}
