package webdyno.spring.sessions

import java.security.MessageDigest
import java.util.Base64
import javax.crypto.Mac
import javax.crypto.spec.SecretKeySpec

private const val ALGORITHM = "HmacSHA256"

private val base64 = Base64.getUrlEncoder().withoutPadding()

/** Signs texts with HMAC-SHA256, so that only those that were signed here are taken back. */
class Signer(secret: String) {
    private val key = SecretKeySpec(secret.encodeToByteArray(), ALGORITHM)

    /** The text, a dot and its signature. */
    fun sign(text: String): String = "$text.${signature(text)}"

    /** The text that was signed; null where the signature does not fit. */
    fun verified(signed: String): String? {
        val text = signed.substringBeforeLast('.', missingDelimiterValue = "")
        val given = signed.substringAfterLast('.').encodeToByteArray()
        // Takes as long for a wrong signature as for a right one.
        return text.takeIf { MessageDigest.isEqual(signature(it).encodeToByteArray(), given) }
    }

    private fun signature(text: String): String {
        val mac = Mac.getInstance(ALGORITHM)
        mac.init(key)
        return base64.encodeToString(mac.doFinal(text.encodeToByteArray()))
    }
}
