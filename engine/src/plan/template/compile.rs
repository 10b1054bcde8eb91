//! From the specification of requests to templates that are drawn from and written fast.

use super::drawn::Drawn;
use super::text::{Piece, Text};
use super::values::{SLOTS, Slots, Source};
use crate::plan::spec::{Order, RequestSpec, Spec};

/// Every request of a load, ready to be drawn; shared by all users.
#[derive(Debug, Clone)]
pub struct Compiled {
    pub(super) requests: Vec<Template>,
    pub(super) sources: Vec<Source>,
    names: Vec<String>,
    pub(super) cookies: bool,
    pub(super) visits: Option<u64>,
    pub(super) order: Order,
    pub(super) seed: u64,
}

/// A request with its variables.
#[derive(Debug, Clone)]
pub(crate) struct Template {
    pub(crate) method: String,
    /// Path and query.
    pub(crate) path: Text,
    /// In the order in which they are sent; `Host` is among them.
    pub(crate) headers: Vec<(String, Text)>,
    /// The message, over WebSocket. `None` where the request has no body and states no length.
    pub(crate) body: Option<Text>,
    /// Whether it says that the connection is to end with its answer.
    pub(super) closes: bool,
    /// The variable of each slot.
    pub(super) used: Vec<usize>,
}

impl Template {
    /// Whether it is a HEAD, whose answer has no body.
    pub(super) fn is_head(&self) -> bool {
        self.method == "HEAD"
    }
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
            seed: spec.shown_seed(),
        };
        for (name, variable) in &spec.variables {
            compiled.sources.push(Source::compile(name, variable)?);
        }
        let host = spec.target.host_header();
        for request in &spec.requests {
            let compile = compiled.template(request, &host);
            let request =
                compile.map_err(|error| format!("request '{}': {error}", request.name))?;
            compiled.requests.push(request);
        }
        Ok(compiled)
    }

    /// The requests, in the order of the specification.
    pub(crate) fn templates(&self) -> &[Template] {
        &self.requests
    }

    /// Whether answers' headers must be shown to the users, for their cookies.
    pub fn keeps_cookies(&self) -> bool {
        self.cookies
    }

    /// What was drawn for a request: name and text of each variable that it uses.
    pub fn values(&self, drawn: &Drawn) -> Vec<(String, String)> {
        let slots = self.slots(drawn);
        let used = self.requests[drawn.request_index].used.iter().enumerate();
        used.map(|(slot, &variable)| {
            let text = slots.with(slot, |value| String::from_utf8_lossy(value).into_owned());
            (self.names[variable].clone(), text)
        })
        .collect()
    }

    pub(crate) fn slots<'a>(&'a self, drawn: &'a Drawn) -> Slots<'a> {
        let used = &self.requests[drawn.request_index].used;
        Slots::new(&self.sources, used, &drawn.values)
    }

    /// The slot that holds a variable in a request which uses it.
    pub(crate) fn slot(&self, request_index: usize, name: &str) -> Result<usize, String> {
        let variable = self.variable(name)?;
        let used = &self.requests[request_index].used;
        used.iter().position(|&used| used == variable).ok_or_else(|| {
            format!(
                "the request does not use {{{name}}}; put it into the path, a header, the body or \
                 the message"
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

    fn template(&self, spec: &RequestSpec, host: &str) -> Result<Template, String> {
        let mut used = Vec::new();
        if spec.method.is_empty() || !spec.method.bytes().all(is_token) {
            return Err(format!("method '{}' is invalid; write it like GET", spec.method));
        }
        let path = self.text(&spec.path, &mut used).map_err(|error| format!("path: {error}"))?;
        if !spec.path.starts_with('/') {
            return Err(format!("path: '{}' must begin with '/'", spec.path));
        }
        self.check(&path, &used, |byte| byte.is_ascii_graphic()).map_err(|text| {
            format!("path: '{text}' has a character that a path cannot contain; percent-encode it")
        })?;
        let mut headers = Vec::new();
        if !spec.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            let mut own = Text::default();
            own.literal(host.as_bytes());
            headers.push(("Host".to_owned(), own));
        }
        for (name, value) in &spec.headers {
            let value = self.header(name, value, &mut used);
            let value = value.map_err(|error| format!("header '{name}': {error}"))?;
            headers.push((name.clone(), value));
        }
        if spec.websocket && !used.is_empty() {
            return Err("path, headers: a connection is upgraded once, before anything is drawn; \
                        write variables into the message"
                .to_owned());
        }
        let body = match (&spec.message, spec.body.as_deref().unwrap_or_default()) {
            (Some(message), _) => {
                Some(self.text(message, &mut used).map_err(|error| format!("message: {error}"))?)
            }
            (None, "") if !matches!(spec.method.as_str(), "POST" | "PUT" | "PATCH") => None,
            (None, body) => {
                Some(self.text(body, &mut used).map_err(|error| format!("body: {error}"))?)
            }
        };
        if used.len() > SLOTS {
            return Err(format!(
                "path, headers, body: {} variables; use at most {SLOTS}",
                used.len()
            ));
        }
        let closes = spec.headers.iter().any(|(name, value)| {
            let mut tokens = value.split(',').map(str::trim);
            name.eq_ignore_ascii_case("connection")
                && tokens.any(|token| token.eq_ignore_ascii_case("close"))
        });
        Ok(Template { method: spec.method.clone(), path, headers, body, closes, used })
    }

    /// The value of a header that may be sent.
    fn header(&self, name: &str, value: &str, used: &mut Vec<usize>) -> Result<Text, String> {
        let lower = name.to_ascii_lowercase();
        if name.is_empty() || !name.bytes().all(is_token) {
            return Err("the name has a character that header names cannot contain; use letters, \
                        digits and '-'"
                .to_owned());
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
        Ok(value)
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

/// A character of a method or header name (RFC 9110, section 5.6.2).
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}
