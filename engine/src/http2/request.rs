//! From a request as it was rendered, which is HTTP/1.1, to what HTTP/2 sends.

use bytes::Bytes;
use http::header::{HeaderName, HeaderValue};
use http::uri::{Authority, PathAndQuery, Scheme, Uri};
use http::{Method, Request};

/// Headers about the connection, which HTTP/2 has no room for (RFC 9113, section 8.2.2).
const OF_CONNECTIONS: [&str; 7] =
    ["host", "connection", "keep-alive", "proxy-connection", "te", "transfer-encoding", "upgrade"];

/// Translates requests. The last one is remembered: many loads send the same over and over.
#[derive(Debug)]
pub(super) struct Translator {
    scheme: Scheme,
    last: Vec<u8>,
    translated: Option<(Request<()>, Bytes)>,
}

impl Translator {
    pub(super) fn new(scheme: Scheme) -> Translator {
        Translator { scheme, last: Vec::new(), translated: None }
    }

    /// The request and its body.
    ///
    /// # Errors
    /// Why HTTP/2 cannot send it.
    pub(super) fn translate(&mut self, rendered: &[u8]) -> Result<(Request<()>, Bytes), String> {
        if let Some(translated) = &self.translated
            && self.last == rendered
        {
            return Ok(translated.clone());
        }
        let translated = translate(rendered, &self.scheme)?;
        self.last.clear();
        self.last.extend_from_slice(rendered);
        self.translated = Some(translated.clone());
        Ok(translated)
    }
}

fn translate(rendered: &[u8], scheme: &Scheme) -> Result<(Request<()>, Bytes), String> {
    let lines = memchr::memchr_iter(b'\n', rendered).count();
    let mut room = vec![httparse::EMPTY_HEADER; lines];
    let mut parsed = httparse::Request::new(&mut room);
    let length = match parsed.parse(rendered) {
        Ok(httparse::Status::Complete(length)) => length,
        Ok(httparse::Status::Partial) => return Err("it is not whole".to_owned()),
        Err(error) => return Err(error.to_string()),
    };
    let (method, path) = (parsed.method.unwrap_or_default(), parsed.path.unwrap_or_default());
    let mut request = Request::new(());
    *request.method_mut() = Method::from_bytes(method.as_bytes()).map_err(words)?;
    let mut host: &[u8] = b"";
    let headers = request.headers_mut();
    headers.reserve(parsed.headers.len());
    for header in parsed.headers.iter() {
        if header.name.eq_ignore_ascii_case("host") {
            host = header.value;
        }
        if OF_CONNECTIONS.iter().any(|name| header.name.eq_ignore_ascii_case(name)) {
            continue;
        }
        let name = HeaderName::from_bytes(header.name.as_bytes()).map_err(words)?;
        headers.append(name, HeaderValue::from_bytes(header.value).map_err(words)?);
    }
    *request.uri_mut() = Uri::builder()
        .scheme(scheme.clone())
        .authority(Authority::try_from(host).map_err(words)?)
        .path_and_query(PathAndQuery::try_from(path).map_err(words)?)
        .build()
        .map_err(words)?;
    Ok((request, Bytes::copy_from_slice(&rendered[length..])))
}

fn words(error: impl std::error::Error) -> String {
    error.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_belongs_to_http1_stays_behind() {
        let rendered = b"POST /a?b=c HTTP/1.1\r\nHost: localhost:8443\r\nConnection: close\r\n\
                         X-Twice: 1\r\nX-Twice: 2\r\nCookie: a=1; b=2\r\nContent-Length: 3\r\n\r\nxyz";
        let mut translator = Translator::new(Scheme::HTTPS);
        for _ in 0..2 {
            let (request, body) = translator.translate(rendered).unwrap();
            assert_eq!(request.method(), "POST");
            assert_eq!(request.uri(), "https://localhost:8443/a?b=c");
            let headers: Vec<_> =
                request.headers().iter().map(|(name, value)| (name.as_str(), value)).collect();
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
            assert_eq!(body, "xyz");
        }
        let (other, body) = translator.translate(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n").unwrap();
        assert_eq!((other.method().as_str(), body.len()), ("GET", 0));
    }

    #[test]
    fn what_http2_cannot_say_is_an_error() {
        let mut translator = Translator::new(Scheme::HTTP);
        assert!(translator.translate(b"GET / HTTP/1.1\r\nHost: a b\r\n\r\n").is_err());
        assert!(translator.translate(b"GET /").is_err());
    }
}
