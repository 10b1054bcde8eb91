package webdyno.quarkus.sessions;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs texts with HMAC-SHA256, so that only those that were signed here are taken back. */
final class Signer {
    private static final String ALGORITHM = "HmacSHA256";
    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

    private final SecretKeySpec key;

    Signer(String secret) {
        key = new SecretKeySpec(secret.getBytes(UTF_8), ALGORITHM);
    }

    /** The text, a dot and its signature. */
    String sign(String text) {
        return text + "." + signature(text);
    }

    /** The text that was signed; empty where the signature does not fit. */
    Optional<String> verified(String signed) {
        int dot = signed.lastIndexOf('.');
        if (dot < 0) {
            return Optional.empty();
        }
        String text = signed.substring(0, dot);
        byte[] given = signed.substring(dot + 1).getBytes(UTF_8);
        // Takes as long for a wrong signature as for a right one.
        boolean fits = MessageDigest.isEqual(signature(text).getBytes(UTF_8), given);
        return fits ? Optional.of(text) : Optional.empty();
    }

    private String signature(String text) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return BASE64.encodeToString(mac.doFinal(text.getBytes(UTF_8)));
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }
}
