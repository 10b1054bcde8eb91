//! From the specification of requests to templates that render fast.

use super::rendered::Rendered;
use super::text::{Piece, Text};
use super::values::{SLOTS, Slots, Source};
use crate::load::{Order, RequestSpec, Spec};

/// Every request of a load, ready to be rendered; shared by all users.
#[derive(Debug, Clone)]
pub struct Compiled {
    pub(super) requests: Vec<Request>,
    pub(super) sources: Vec<Source>,
    names: Vec<String>,
    pub(super) cookies: bool,
    pub(super) visits: Option<u64>,
    pub(super) order: Order,
    pub(super) seed: u64,
}

#[derive(Debug, Clone)]
pub(super) struct Request {
    pub(super) is_head: bool,
    /// Whether it says that the connection is to end with its answer.
    pub(super) closes: bool,
    /// Request line and header lines, without the empty line.
    pub(super) head: Text,
    /// `None` where the request has no body and states no length.
    pub(super) body: Option<Text>,
    /// The whole request, if nothing in it changes.
    pub(super) whole: Option<Vec<u8>>,
    /// The variable of each slot.
    pub(super) used: Vec<usize>,
}

impl Compiled {
    /// Compiles the requests of a load.
    ///
    /// # Errors
    /// One line that names the request, the part of it, and the remedy.
    pub fn new(spec: &Spec) -> Result<Compiled, String> {
        let mut compiled = Compiled {
            requests: Vec::new(),
            sources: Vec::new(),
            names: spec.variables.keys().cloned().collect(),
            cookies: spec.cookies,
            visits: spec.visits,
            order: spec.order,
            seed: spec.seed,
        };
        for (name, variable) in &spec.variables {
            compiled.sources.push(Source::compile(name, variable)?);
        }
        let host = spec.target.host_header();
        for request in &spec.requests {
            let compile = compiled.request(request, &host);
            let request =
                compile.map_err(|error| format!("request '{}': {error}", request.name))?;
            compiled.requests.push(request);
        }
        Ok(compiled)
    }

    /// The one byte string that every request of the load is, where that is so.
    pub fn constant(&self) -> Option<&[u8]> {
        match self.requests.as_slice() {
            [only] if !self.cookies && self.visits.is_none() => only.whole.as_deref(),
            _ => None,
        }
    }

    /// Whether answers' headers must be shown to the users, for their cookies.
    pub fn keeps_cookies(&self) -> bool {
        self.cookies
    }

    /// What was drawn for a request: name and text of each variable that it uses.
    pub fn values(&self, rendered: &Rendered) -> Vec<(String, String)> {
        let slots = self.slots(rendered);
        let used = self.requests[rendered.request_index].used.iter().enumerate();
        used.map(|(slot, &variable)| {
            let text = slots.with(slot, |value| String::from_utf8_lossy(value).into_owned());
            (self.names[variable].clone(), text)
        })
        .collect()
    }

    pub(crate) fn slots<'a>(&'a self, rendered: &'a Rendered) -> Slots<'a> {
        let used = &self.requests[rendered.request_index].used;
        Slots::new(&self.sources, used, &rendered.values)
    }

    /// The slot that holds a variable in a request which uses it.
    pub(crate) fn slot(&self, request_index: usize, name: &str) -> Result<usize, String> {
        let variable = self.variable(name)?;
        let used = &self.requests[request_index].used;
        used.iter().position(|&used| used == variable).ok_or_else(|| {
            format!(
                "the request does not use {{{name}}}; put it into the path, a header or the body"
            )
        })
    }

    /// The texts of a choice, in the order of their drawn values; `None` for other kinds.
    pub(crate) fn choices(&self, name: &str) -> Option<&[String]> {
        match &self.sources[self.variable(name).ok()?] {
            Source::Choice(values) => Some(values),
            _ => None,
        }
    }

    fn variable(&self, name: &str) -> Result<usize, String> {
        self.names.binary_search_by(|known| known.as_str().cmp(name)).map_err(|_| {
            let known = self.names.join(", ");
            let known = if known.is_empty() { "there are none".to_owned() } else { known };
            format!("unknown variable {{{name}}} (known: {known}); write {{{{ for a brace")
        })
    }

    fn request(&self, spec: &RequestSpec, host: &str) -> Result<Request, String> {
        let mut used = Vec::new();
        if spec.method.is_empty() || !spec.method.bytes().all(is_token) {
            return Err(format!("method '{}' is none; write it like GET", spec.method));
        }
        let mut head = Text::default();
        head.literal(spec.method.as_bytes());
        head.literal(b" ");
        let path = self.text(&spec.path, &mut used).map_err(|error| format!("path: {error}"))?;
        if !spec.path.starts_with('/') {
            return Err(format!("path: '{}' must begin with '/'", spec.path));
        }
        self.check(&path, &used, |byte| byte.is_ascii_graphic()).map_err(|text| {
            format!("path: '{text}' holds a character that a path cannot; percent-encode it")
        })?;
        head.append(&path);
        head.literal(b" HTTP/1.1\r\n");
        if !spec.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            head.literal(format!("Host: {host}\r\n").as_bytes());
        }
        for (name, value) in &spec.headers {
            let line = self.header(name, value, &mut used);
            head.append(&line.map_err(|error| format!("header '{name}': {error}"))?);
        }
        let body = match spec.body.as_deref().unwrap_or_default() {
            "" if !matches!(spec.method.as_str(), "POST" | "PUT" | "PATCH") => None,
            body => Some(self.text(body, &mut used).map_err(|error| format!("body: {error}"))?),
        };
        if used.len() > SLOTS {
            return Err(format!("{} variables; a request can use {SLOTS}", used.len()));
        }
        let whole = whole(&head, body.as_ref());
        let closes = spec.headers.iter().any(|(name, value)| {
            let mut tokens = value.split(',').map(str::trim);
            name.eq_ignore_ascii_case("connection")
                && tokens.any(|token| token.eq_ignore_ascii_case("close"))
        });
        Ok(Request { is_head: spec.method == "HEAD", closes, head, body, whole, used })
    }

    fn header(&self, name: &str, value: &str, used: &mut Vec<usize>) -> Result<Text, String> {
        let lower = name.to_ascii_lowercase();
        if name.is_empty() || !name.bytes().all(is_token) {
            return Err("the name holds a character that no header name can".to_owned());
        }
        if matches!(lower.as_str(), "content-length" | "transfer-encoding") {
            return Err("the engine sets it to fit the body; leave it out".to_owned());
        }
        if lower == "connection" && value.contains(['{', '}']) {
            return Err("the engine must know what it says; write it without variables".to_owned());
        }
        if lower == "cookie" && self.cookies {
            return Err("the cookie jar sets it; leave it out or set cookies to false".to_owned());
        }
        let value = self.text(value, used)?;
        let legal = |byte: u8| byte == b'\t' || (byte >= b' ' && byte != 0x7f);
        self.check(&value, used, legal)
            .map_err(|_| "the value holds a control character; remove it".to_owned())?;
        let mut line = Text::default();
        line.literal(format!("{name}: ").as_bytes());
        line.append(&value);
        line.literal(b"\r\n");
        Ok(line)
    }

    fn text(&self, template: &str, used: &mut Vec<usize>) -> Result<Text, String> {
        Text::compile(template, |name| {
            let variable = self.variable(name)?;
            Ok(used.iter().position(|&used| used == variable).unwrap_or_else(|| {
                used.push(variable);
                used.len() - 1
            }))
        })
    }

    /// Whether all that a text can become is `legal`; the part that is not, otherwise.
    fn check(&self, text: &Text, used: &[usize], legal: fn(u8) -> bool) -> Result<(), String> {
        let refuse = |bytes: &[u8]| match bytes.iter().all(|&byte| legal(byte)) {
            true => Ok(()),
            false => Err(String::from_utf8_lossy(bytes).escape_default().to_string()),
        };
        text.pieces().iter().try_for_each(|piece| match piece {
            Piece::Literal(bytes) => refuse(bytes),
            Piece::Variable(slot) => match &self.sources[used[*slot]] {
                Source::Choice(values) => values.iter().try_for_each(|v| refuse(v.as_bytes())),
                _ => Ok(()),
            },
        })
    }
}

fn whole(head: &Text, body: Option<&Text>) -> Option<Vec<u8>> {
    let mut whole = head.constant()?.to_vec();
    let body = match body {
        Some(body) => {
            let body = body.constant()?;
            whole.extend(format!("Content-Length: {}\r\n", body.len()).bytes());
            body
        }
        None => &[],
    };
    whole.extend(b"\r\n");
    whole.extend(body);
    Some(whole)
}

/// A character of a method or header name (RFC 9110, section 5.6.2).
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}
