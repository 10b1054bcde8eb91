package webdyno.ktor

import java.security.MessageDigest
import java.util.HexFormat

/** The last of `rounds` digests, in hexadecimal: of `content`, then of it and the digest before. */
fun digestChain(content: ByteArray, rounds: Int): String {
    val sha256 = MessageDigest.getInstance("SHA-256")
    var digest = sha256.digest(content)
    repeat(rounds - 1) {
        sha256.update(content)
        digest = sha256.digest(digest)
    }
    return HexFormat.of().formatHex(digest)
}
