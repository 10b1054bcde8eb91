//! Reading a whole connection's bytes, cut wherever a test wants.

use webdyno_engine::protocol::http1::{AnswerEvent, Limits, ParseError, ResponseParser};

/// What a connection's bytes turned out to be, without a trace of how they were cut.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    pub answers: Vec<Answer>,
    pub error: Option<ParseError>,
    /// What `eof` said after the last byte.
    pub eof: Option<Result<bool, ParseError>>,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub struct Answer {
    pub status: u16,
    pub keep_alive: bool,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    pub complete: bool,
}

/// Reads `pieces` as answers to endless GET (or HEAD) requests.
pub fn read<'a>(pieces: impl IntoIterator<Item = &'a [u8]>, is_head: bool) -> Outcome {
    read_with(Limits::default(), pieces, is_head)
}

pub fn read_with<'a>(
    limits: Limits,
    pieces: impl IntoIterator<Item = &'a [u8]>,
    is_head: bool,
) -> Outcome {
    let mut parser = ResponseParser::new(limits);
    parser.begin(is_head);
    let mut outcome = Outcome::default();
    for piece in pieces {
        if let Err(error) = read_piece(&mut parser, piece, is_head, &mut outcome.answers) {
            outcome.error = Some(error);
            assert_eq!(parser.advance(b"more"), Err(error), "an error must stay");
            assert_eq!(parser.eof(), Err(error), "an error must stay");
            return outcome;
        }
    }
    let eof = parser.eof();
    if let (Ok(true), Some(answer)) = (eof, outcome.answers.last_mut()) {
        answer.complete = true;
    }
    outcome.eof = Some(eof);
    outcome
}

fn read_piece(
    parser: &mut ResponseParser,
    mut piece: &[u8],
    is_head: bool,
    answers: &mut Vec<Answer>,
) -> Result<(), ParseError> {
    loop {
        let step = parser.advance(piece)?;
        assert!(step.consumed <= piece.len());
        match step.event {
            AnswerEvent::NeedMore => {
                assert_eq!(step.consumed, piece.len(), "NeedMore must use up its input");
                return Ok(());
            }
            AnswerEvent::Head => answers.push(Answer {
                status: parser.head().status,
                keep_alive: parser.head().keep_alive,
                headers: parser.headers(piece).map(|(n, v)| (text(n), text(v))).collect(),
                ..Answer::default()
            }),
            AnswerEvent::Body { start, end } => {
                assert!(start < end && end <= step.consumed, "{step:?}");
                answers.last_mut().expect("a body follows a head").body.extend(&piece[start..end]);
            }
            AnswerEvent::Complete => {
                answers.last_mut().expect("an end follows a head").complete = true;
                parser.begin(is_head);
            }
        }
        piece = &piece[step.consumed..];
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// One answer read in one piece; it must be whole and alone.
pub fn one(bytes: &[u8]) -> Answer {
    let mut outcome = read([bytes], false);
    assert_eq!(outcome.error, None);
    assert_eq!(outcome.answers.len(), 1, "{outcome:?}");
    let answer = outcome.answers.remove(0);
    assert!(answer.complete, "{answer:?}");
    answer
}
