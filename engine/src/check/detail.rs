//! What was expected and what came, short enough for a line in a report.

/// Characters of each text that are shown.
const SHOWN: usize = 60;

/// Tells how `got` differs from `expected`; long texts are shown from where they differ.
pub(super) fn difference(expected: &[u8], got: &[u8]) -> String {
    let same = expected.iter().zip(got).take_while(|(a, b)| a == b).count();
    // A little of what is alike shows where one is.
    let from = if same > SHOWN / 2 { same - 10 } else { 0 };
    let place = if from > 0 { format!(" from byte {from}") } else { String::new() };
    format!("body{place}: expected {}, got {}", quote(&expected[from..]), quote(&got[from..]))
}

/// `bytes` in quotes, escaped, and cut with `…` where they are long.
pub(super) fn quote(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * SHOWN)]);
    let mut shown = String::from("\"");
    for (count, escaped) in text.chars().map(char::escape_debug).enumerate() {
        // Escapes are longer than what they stand for: count what is printed.
        if count >= SHOWN || shown.len() >= 4 * SHOWN || shown.chars().count() > SHOWN {
            return shown + "…\"";
        }
        shown.extend(escaped);
    }
    shown + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_texts_are_shown_whole() {
        assert_eq!(difference(b"Hello", b"Hallo"), r#"body: expected "Hello", got "Hallo""#);
        assert_eq!(quote(b"a\n\"\xff"), "\"a\\n\\\"\u{fffd}\"");
    }

    #[test]
    fn long_texts_are_shown_from_where_they_differ() {
        let expected = [b"x".repeat(1000), b"right".to_vec()].concat();
        let got = [b"x".repeat(1000), b"wrong".to_vec()].concat();
        let shown = r#"body from byte 990: expected "xxxxxxxxxxright", got "xxxxxxxxxxwrong""#;
        assert_eq!(difference(&expected, &got), shown);
    }

    #[test]
    fn no_detail_is_longer_than_200_characters() {
        for byte in [b'x', b'\n', 0, 0xff] {
            let detail = difference(&vec![byte; 5000], &vec![b'y'; 5000]);
            assert!(detail.chars().count() <= 200, "{detail}");
        }
    }
}
