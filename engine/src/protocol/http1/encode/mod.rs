//! From a request to the text of HTTP/1.1 (RFC 9112).

use crate::plan::template::{Compiled, Request, Template, Text};

/// Writes requests; nothing is allocated once buffers have grown.
#[derive(Debug)]
pub struct Encoder {
    requests: Vec<Written>,
    /// A body under construction.
    body: Vec<u8>,
}

/// A request, as far as it can be written beforehand.
#[derive(Debug)]
struct Written {
    /// Request line and header lines, without the empty line.
    head: Text,
    /// The whole request, if nothing in it changes but for cookies.
    whole: Option<Vec<u8>>,
}

impl Encoder {
    /// An encoder of a load's requests.
    pub fn new(compiled: &Compiled) -> Encoder {
        let requests = compiled.templates().iter().map(Written::new).collect();
        Encoder { requests, body: Vec::new() }
    }

    /// Appends a request to `out`.
    pub fn encode(&mut self, request: &Request<'_>, out: &mut Vec<u8>) {
        let Written { head, whole } = &self.requests[request.drawn().request_index()];
        let cookies = request.cookies();
        if let Some(whole) = whole
            && cookies.is_empty()
        {
            out.extend_from_slice(whole);
            return;
        }
        let slots = request.slots();
        head.render(slots, out);
        if !cookies.is_empty() {
            out.extend_from_slice(b"Cookie: ");
            out.extend_from_slice(cookies);
            out.extend_from_slice(b"\r\n");
        }
        if let Some(body) = &request.template().body {
            self.body.clear();
            body.render(slots, &mut self.body);
            length(self.body.len(), out);
            out.extend_from_slice(b"\r\n");
            out.extend_from_slice(&self.body);
        } else {
            out.extend_from_slice(b"\r\n");
        }
    }
}

impl Written {
    fn new(template: &Template) -> Written {
        let head = head(template);
        let whole = whole(&head, template.body.as_ref());
        Written { head, whole }
    }
}

/// The request line and the header lines of the specification, without the empty line.
pub(in crate::protocol) fn head(template: &Template) -> Text {
    let mut head = Text::default();
    head.literal(template.method.as_bytes());
    head.literal(b" ");
    head.append(&template.path);
    head.literal(b" HTTP/1.1\r\n");
    for (name, value) in &template.headers {
        head.literal(name.as_bytes());
        head.literal(b": ");
        head.append(value);
        head.literal(b"\r\n");
    }
    head
}

fn whole(head: &Text, body: Option<&Text>) -> Option<Vec<u8>> {
    let mut whole = head.constant()?.to_vec();
    let body = match body {
        Some(body) => {
            let body = body.constant()?;
            length(body.len(), &mut whole);
            body
        }
        None => &[],
    };
    whole.extend(b"\r\n");
    whole.extend(body);
    Some(whole)
}

fn length(length: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(b"Content-Length: ");
    out.extend_from_slice(itoa::Buffer::new().format(length).as_bytes());
    out.extend_from_slice(b"\r\n");
}

#[cfg(test)]
mod tests;
