//! Whether a text that comes in pieces is UTF-8.

/// Judges a text piece by piece; a character may be cut anywhere.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Utf8 {
    /// The beginning of a character whose end is to come.
    begun: [u8; 4],
    length: usize,
}

impl Utf8 {
    /// Whether the text is UTF-8 with `piece`, as far as can be told yet.
    pub(super) fn goes_on(&mut self, mut piece: &[u8]) -> bool {
        while self.length > 0 {
            let Some((byte, rest)) = piece.split_first() else { return true };
            // No character has more than four bytes: with its last one it is right or wrong.
            self.begun[self.length] = *byte;
            self.length += 1;
            piece = rest;
            match str::from_utf8(&self.begun[..self.length]) {
                Ok(_) => self.length = 0,
                Err(error) if error.error_len().is_some() => return false,
                Err(_) => {}
            }
        }
        match str::from_utf8(piece) {
            Ok(_) => true,
            Err(error) if error.error_len().is_some() => false,
            Err(error) => {
                let cut = &piece[error.valid_up_to()..];
                self.begun[..cut.len()].copy_from_slice(cut);
                self.length = cut.len();
                true
            }
        }
    }

    /// Whether the text ends with a whole character; another one may begin.
    pub(super) fn ends(&mut self) -> bool {
        std::mem::take(&mut self.length) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn is_utf8(pieces: &[&[u8]]) -> bool {
        let mut utf8 = Utf8::default();
        pieces.iter().all(|piece| utf8.goes_on(piece)) && utf8.ends()
    }

    #[test]
    fn characters_may_be_cut_but_not_off() {
        for text in ["", "a", "ä", "€", "🦀", "aä€🦀z"] {
            let bytes: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
            assert!(is_utf8(&bytes), "{text}");
        }
        assert!(!is_utf8(&[&"€".as_bytes()[..2]]));
        // A surrogate, an overlong slash, and a byte that begins nothing.
        for wrong in [&b"\xed\xa0\x80"[..], b"\xc0\xaf", b"\x80", b"a\xff"] {
            assert!(!is_utf8(&[wrong]));
            assert!(!is_utf8(&wrong.chunks(1).collect::<Vec<_>>()));
        }
    }

    proptest! {
        #[test]
        fn how_it_is_cut_makes_no_difference(
            bytes in prop_oneof![
                proptest::collection::vec(any::<u8>(), 0..12),
                any::<String>().prop_map(String::into_bytes),
            ],
            size in 1usize..5,
        ) {
            let pieces: Vec<&[u8]> = bytes.chunks(size).collect();
            prop_assert_eq!(is_utf8(&pieces), str::from_utf8(&bytes).is_ok());
        }
    }
}
