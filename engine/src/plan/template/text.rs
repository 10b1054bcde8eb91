//! Text with `{variables}` in it; `{{` and `}}` stand for braces.

use super::values::Slots;

/// A piece of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    /// Bytes as they are.
    Literal(Vec<u8>),
    /// The value in this slot of the request.
    Variable(usize),
}

/// A text, ready to be filled in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Text {
    pieces: Vec<Piece>,
}

impl Text {
    /// Compiles `template`; `slot` says which slot holds a variable.
    pub(crate) fn compile(
        template: &str,
        mut slot: impl FnMut(&str) -> Result<usize, String>,
    ) -> Result<Text, String> {
        let mut text = Text::default();
        let mut rest = template;
        while let Some(at) = rest.find(['{', '}']) {
            text.literal(&rest.as_bytes()[..at]);
            let (brace, after) = rest[at..].split_at(1);
            if let Some(beyond) = after.strip_prefix(brace) {
                text.literal(brace.as_bytes());
                rest = beyond;
                continue;
            }
            let name = after.split_once('}').filter(|_| brace == "{");
            let Some((name, beyond)) = name else {
                return Err(format!("a lone '{brace}'; write '{brace}{brace}' for the character"));
            };
            text.pieces.push(Piece::Variable(slot(name)?));
            rest = beyond;
        }
        text.literal(rest.as_bytes());
        Ok(text)
    }

    /// Adds bytes as they are.
    pub(crate) fn literal(&mut self, bytes: &[u8]) {
        match self.pieces.last_mut() {
            _ if bytes.is_empty() => {}
            Some(Piece::Literal(last)) => last.extend(bytes),
            _ => self.pieces.push(Piece::Literal(bytes.to_vec())),
        }
    }

    /// Adds another text.
    pub(crate) fn append(&mut self, other: &Text) {
        for piece in &other.pieces {
            match piece {
                Piece::Literal(bytes) => self.literal(bytes),
                variable => self.pieces.push(variable.clone()),
            }
        }
    }

    /// The bytes, if no variable is in them.
    pub(crate) fn constant(&self) -> Option<&[u8]> {
        match self.pieces.as_slice() {
            [] => Some(&[]),
            [Piece::Literal(bytes)] => Some(bytes),
            _ => None,
        }
    }

    pub(crate) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Writes the text with its values filled in.
    pub(crate) fn render(&self, slots: Slots<'_>, out: &mut Vec<u8>) {
        for piece in &self.pieces {
            match piece {
                Piece::Literal(bytes) => out.extend_from_slice(bytes),
                Piece::Variable(slot) => slots.with(*slot, |value| out.extend_from_slice(value)),
            }
        }
    }

    /// Whether `bytes` begin with the text; what is left of them if so.
    pub(crate) fn strip_from<'b>(&self, slots: Slots<'_>, bytes: &'b [u8]) -> Option<&'b [u8]> {
        self.pieces.iter().try_fold(bytes, |rest, piece| match piece {
            Piece::Literal(literal) => rest.strip_prefix(literal.as_slice()),
            Piece::Variable(slot) => slots.with(*slot, |value| rest.strip_prefix(value)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compile(template: &str) -> Result<Text, String> {
        Text::compile(template, |name| match name {
            "a" => Ok(0),
            "b" => Ok(1),
            _ => Err(format!("no {name}")),
        })
    }

    #[test]
    fn braces_double_to_stand_for_themselves() {
        let text = compile(r#"{{"n": {a}}}, {{}}"#).unwrap();
        let literal = |text: &str| Piece::Literal(text.as_bytes().to_vec());
        assert_eq!(text.pieces, [literal("{\"n\": "), Piece::Variable(0), literal("}, {}")]);
        assert_eq!(compile("{{").unwrap().constant(), Some(&b"{"[..]));
        assert_eq!(compile("").unwrap().constant(), Some(&b""[..]));
        assert_eq!(compile("{a}{b}").unwrap().constant(), None);
    }

    #[test]
    fn what_is_not_a_template_is_said_in_one_line() {
        assert_eq!(compile("{a").unwrap_err(), "a lone '{'; write '{{' for the character");
        assert_eq!(compile("a}b").unwrap_err(), "a lone '}'; write '}}' for the character");
        assert_eq!(compile("{c}").unwrap_err(), "no c");
    }
}
