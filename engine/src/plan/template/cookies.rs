//! A user's cookie jar.

use std::time::SystemTime;

/// The cookies of one user of one server.
///
/// A load has one host and lasts minutes: `Domain`, `Path` and `Secure` are not looked at, and a
/// cookie goes only when the server deletes it (`Max-Age` of 0 or less, `Expires` in the past).
#[derive(Debug, Clone, Default)]
pub struct Jar {
    cookies: Vec<(Vec<u8>, Vec<u8>)>,
    /// The header's value, made when a cookie changes and not for each request.
    value: Vec<u8>,
    /// The last `Set-Cookie`: many servers send the same one with every answer.
    last: Vec<u8>,
}

impl Jar {
    /// Keeps, changes or deletes a cookie as a `Set-Cookie` value says. One that cannot be
    /// understood is ignored, as browsers do (RFC 6265, section 5.2).
    pub fn set(&mut self, set_cookie: &[u8]) {
        if self.last == set_cookie {
            return;
        }
        self.last.clear();
        self.last.extend_from_slice(set_cookie);
        let Some(SetCookie { name, value, is_expired }) = SetCookie::parse(set_cookie) else {
            return;
        };
        let known = self.cookies.iter().position(|(known, _)| known == name);
        match known {
            Some(at) if is_expired => drop(self.cookies.remove(at)),
            Some(at) if self.cookies[at].1 == value => return,
            Some(at) => {
                self.cookies[at].1.clear();
                self.cookies[at].1.extend_from_slice(value);
            }
            None if is_expired => return,
            None => self.cookies.push((name.to_vec(), value.to_vec())),
        }
        self.write();
    }

    /// Forgets all cookies; keeps the room they took.
    pub fn clear(&mut self) {
        self.cookies.clear();
        self.value.clear();
        self.last.clear();
    }

    /// The value of the `Cookie` header; empty without cookies.
    pub fn value(&self) -> &[u8] {
        &self.value
    }

    fn write(&mut self) {
        self.value.clear();
        for (name, value) in &self.cookies {
            if !self.value.is_empty() {
                self.value.extend_from_slice(b"; ");
            }
            self.value.extend_from_slice(name);
            self.value.push(b'=');
            self.value.extend_from_slice(value);
        }
    }
}

/// What a `Set-Cookie` value says, as far as a jar needs it.
struct SetCookie<'a> {
    name: &'a [u8],
    value: &'a [u8],
    is_expired: bool,
}

impl SetCookie<'_> {
    /// `None` where it names no cookie.
    fn parse(set_cookie: &[u8]) -> Option<SetCookie<'_>> {
        let text = str::from_utf8(set_cookie).ok()?;
        let mut parts = text.split(';').map(|part| part.split_once('='));
        let (name, value) = parts.next().flatten().map(trimmed)?;
        if name.is_empty() {
            return None;
        }
        let (mut by_age, mut by_date) = (None, None);
        for (attribute, value) in parts.flatten().map(trimmed) {
            if attribute.eq_ignore_ascii_case("max-age") {
                by_age = value.parse().ok().map(|seconds: i64| seconds <= 0).or(by_age);
            } else if attribute.eq_ignore_ascii_case("expires") {
                // Some servers still write `01-Jan-1970`.
                let date = httpdate::parse_http_date(&value.replace('-', " "));
                by_date = date.ok().map(|date| date <= SystemTime::now()).or(by_date);
            }
        }
        // `Max-Age` goes before `Expires` (RFC 6265, section 5.3).
        let is_expired = by_age.or(by_date).unwrap_or(false);
        Some(SetCookie { name: name.as_bytes(), value: value.as_bytes(), is_expired })
    }
}

fn trimmed<'a>((name, value): (&'a str, &'a str)) -> (&'a str, &'a str) {
    (name.trim(), value.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(set_cookies: &[&str]) -> String {
        let mut jar = Jar::default();
        set_cookies.iter().for_each(|set_cookie| jar.set(set_cookie.as_bytes()));
        String::from_utf8(jar.value().to_vec()).unwrap()
    }

    #[test]
    fn cookies_are_kept_and_changed_in_order() {
        assert_eq!(value(&[]), "");
        assert_eq!(value(&["a=1; Path=/; HttpOnly; SameSite=Lax"]), "a=1");
        assert_eq!(value(&["a=1", "a=1", "a=2", "a=1"]), "a=1");
        assert_eq!(value(&["a=1", "b=x=y", "a=2"]), "a=2; b=x=y");
        assert_eq!(value(&["sid=s%3Aabc.d%2Fe"]), "sid=s%3Aabc.d%2Fe");
        assert_eq!(value(&["q=\"quoted\"", "e="]), "q=\"quoted\"; e=");
    }

    #[test]
    fn servers_delete_cookies_by_age_or_date() {
        for deletion in [
            "a=; Max-Age=0",
            "a=x; max-age=-5",
            "a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
            "a=; expires=Thu, 01-Jan-1970 00:00:00 GMT",
            "a=; Max-Age=0; Expires=Fri, 31 Dec 2100 00:00:00 GMT",
        ] {
            assert_eq!(value(&["a=1", "b=2", deletion]), "b=2", "{deletion}");
            assert_eq!(value(&["a=1", deletion]), "", "{deletion}");
            assert_eq!(value(&[deletion]), "", "{deletion}");
        }
    }

    #[test]
    fn cookies_with_a_future_stay() {
        for kept in [
            "a=1; Max-Age=60",
            "a=1; Expires=Fri, 31 Dec 2100 00:00:00 GMT",
            "a=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
            "a=1; Expires=soon",
            "a=1; Max-Age=soon",
        ] {
            assert_eq!(value(&[kept]), "a=1", "{kept}");
        }
    }

    #[test]
    fn what_is_no_cookie_is_ignored() {
        assert_eq!(value(&["", "no equals sign", "=nameless", ";"]), "");
        let mut jar = Jar::default();
        jar.set(b"a=\xff");
        assert_eq!(jar.value(), b"");
    }
}
