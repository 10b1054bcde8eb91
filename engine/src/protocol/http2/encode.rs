//! From a request to what HTTP/2 sends (RFC 9113, section 8).

use bytes::Bytes;
use http::header::{CONTENT_LENGTH, COOKIE, HOST, HeaderName, HeaderValue};
use http::uri::{Authority, PathAndQuery, Scheme, Uri};
use http::{HeaderMap, Method, Request as Head};

use crate::plan::template::{Compiled, Drawn, Request, Slots, Template, Text};

/// Headers about the connection, which HTTP/2 has no room for (RFC 9113, section 8.2.2).
const OF_CONNECTIONS: [&str; 7] =
    ["host", "connection", "keep-alive", "proxy-connection", "te", "transfer-encoding", "upgrade"];

/// Writes requests. Those in which nothing changes but for cookies are written once.
#[derive(Debug)]
pub(super) struct Encoder<'a> {
    compiled: &'a Compiled,
    scheme: Scheme,
    /// Of each request, if nothing in it changes.
    constant: Vec<Option<Result<Encoded, String>>>,
}

/// A request as `h2` takes it.
#[derive(Debug, Clone)]
pub(super) struct Encoded {
    pub(super) head: Head<()>,
    pub(super) body: Bytes,
}

impl Encoded {
    /// Bytes of its method, path, headers and body, before any compression.
    pub(super) fn size(&self) -> usize {
        let headers = self.head.headers().iter();
        let headers: usize = headers.map(|(name, value)| name.as_str().len() + value.len()).sum();
        let path = self.head.uri().path_and_query().map_or(0, |path| path.as_str().len());
        self.head.method().as_str().len() + path + headers + self.body.len()
    }
}

impl<'a> Encoder<'a> {
    /// An encoder of a load's requests.
    pub(super) fn new(compiled: &'a Compiled, scheme: Scheme) -> Encoder<'a> {
        let constant = compiled.templates().iter().map(|template| {
            let is_constant = texts(template).all(|text| text.constant().is_some());
            let nothing_drawn = Drawn::default();
            let none = Request::new(compiled, &nothing_drawn, &[]).slots();
            is_constant.then(|| encode(template, none, &scheme))
        });
        Encoder { compiled, constant: constant.collect(), scheme }
    }

    /// The request that was `drawn` for a user with these `cookies`.
    ///
    /// # Errors
    /// Why HTTP/2 cannot say it.
    pub(super) fn encode(&self, drawn: &Drawn, cookies: &[u8]) -> Result<Encoded, String> {
        let mut encoded = match &self.constant[drawn.request_index()] {
            Some(constant) => constant.clone()?,
            None => {
                let request = Request::new(self.compiled, drawn, cookies);
                encode(request.template(), request.slots(), &self.scheme)?
            }
        };
        if !cookies.is_empty() {
            let value = HeaderValue::from_bytes(cookies).map_err(words)?;
            encoded.head.headers_mut().append(COOKIE, value);
        }
        Ok(encoded)
    }
}

fn texts(template: &Template) -> impl Iterator<Item = &Text> {
    let headers = template.headers.iter().map(|(_, value)| value);
    headers.chain([&template.path]).chain(&template.body)
}

fn encode(template: &Template, slots: Slots<'_>, scheme: &Scheme) -> Result<Encoded, String> {
    let written = |text: &Text| {
        let mut bytes = Vec::new();
        text.render(slots, &mut bytes);
        bytes
    };
    let mut headers = HeaderMap::with_capacity(template.headers.len() + 2);
    let mut host = Vec::new();
    for (name, value) in &template.headers {
        if name.eq_ignore_ascii_case(HOST.as_str()) {
            host = written(value);
        }
        if OF_CONNECTIONS.iter().any(|other| name.eq_ignore_ascii_case(other)) {
            continue;
        }
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(words)?;
        // White space around a value is not of it, as in HTTP/1.1.
        let value = HeaderValue::from_bytes(written(value).trim_ascii()).map_err(words)?;
        headers.append(name, value);
    }
    let body = template.body.as_ref().map(written);
    if let Some(body) = &body {
        headers.append(CONTENT_LENGTH, body.len().into());
    }
    let uri = Uri::builder()
        .scheme(scheme.clone())
        .authority(Authority::try_from(host.trim_ascii()).map_err(words)?)
        .path_and_query(PathAndQuery::try_from(written(&template.path)).map_err(words)?)
        .build()
        .map_err(words)?;
    let mut head = Head::new(());
    *head.method_mut() = Method::from_bytes(template.method.as_bytes()).map_err(words)?;
    *head.uri_mut() = uri;
    *head.headers_mut() = headers;
    Ok(Encoded { head, body: body.unwrap_or_default().into() })
}

fn words(error: impl std::error::Error) -> String {
    error.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::spec::Spec;

    fn compile(request: &str) -> Compiled {
        let text = format!(
            r#"{{"target": {{"host": "localhost", "port": 8443}},
                "load": {{"kind": "iterations", "users": 1, "iterations": 1}},
                "variables": {{"n": {{"kind": "sequence", "start": 9, "step": 1}}}},
                "requests": [{{"name": "r", {request}}}]}}"#
        );
        Compiled::new(&Spec::parse(&text).unwrap()).unwrap()
    }

    fn encoded(compiled: &Compiled, cookies: &[u8]) -> Result<Encoded, String> {
        let drawn = compiled.draw(&mut compiled.user(0));
        Encoder::new(compiled, Scheme::HTTPS).encode(&drawn, cookies)
    }

    #[test]
    fn what_belongs_to_http1_stays_behind() {
        let rest = r#""headers": [["Connection", "close"], ["X-Twice", "1"], ["X-Twice", " 2 "]]"#;
        for (path, body, expected) in [("/a?b=c", "xyz", "/a?b=c"), ("/a?{n}", "x{n}z", "/a?9")] {
            let request =
                format!(r#""method": "POST", "path": "{path}", "body": "{body}", {rest}"#);
            let Encoded { head, body } = encoded(&compile(&request), b"a=1; b=2").unwrap();
            assert_eq!(head.method(), "POST");
            assert_eq!(head.uri(), format!("https://localhost:8443{expected}").as_str());
            let headers: Vec<_> =
                head.headers().iter().map(|(name, value)| (name.as_str(), value)).collect();
            let expected = [
                ("x-twice", "1"),
                ("x-twice", "2"),
                ("cookie", "a=1; b=2"),
                ("content-length", "3"),
            ];
            assert!(
                expected
                    .iter()
                    .all(|(name, value)| headers.iter().any(|(n, v)| n == name && v == value))
            );
            assert_eq!(headers.len(), expected.len());
            assert_eq!(body.len(), 3);
        }
        let Encoded { head, body } = encoded(&compile(r#""path": "/""#), b"").unwrap();
        assert_eq!((head.method().as_str(), head.headers().len(), body.len()), ("GET", 0, 0));
    }

    #[test]
    fn a_host_of_ones_own_is_the_authority() {
        let compiled = compile(r#""path": "/", "headers": [["host", "example.test"]]"#);
        let Encoded { head, .. } = encoded(&compiled, b"").unwrap();
        assert_eq!(head.uri(), "https://example.test/");
    }

    #[test]
    fn what_http2_cannot_say_is_an_error() {
        let host = compile(r#""path": "/", "headers": [["Host", "a b"]]"#);
        assert!(encoded(&host, b"").is_err());
        let drawn = compile(r#""path": "/{n}", "headers": [["Host", "a b"]]"#);
        assert!(encoded(&drawn, b"").is_err());
        assert!(encoded(&compile(r#""path": "/""#), b"a=\n").is_err());
    }
}
