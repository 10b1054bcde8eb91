//! A connection in memory: what `h2` reads was put there, what it writes is taken from there.

use std::cell::{RefCell, RefMut};
use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::replies::Replies;
use crate::protocol::unread::Unread;

/// The two directions.
#[derive(Debug, Default)]
pub(super) struct Buffers {
    input: Vec<u8>,
    read: usize,
    /// Whether nothing more will come.
    pub(super) ended: bool,
    /// What was written and not yet taken.
    pub(super) output: Vec<u8>,
    replies: Replies,
    /// What of that its server may leave unread.
    pub(super) unread: Unread,
}

/// A handle of a connection in memory; all handles are of the same one.
///
/// Reading never wakes anybody: whoever puts bytes in polls the reader afterwards.
#[derive(Debug, Clone, Default)]
pub(super) struct Pipe(Rc<RefCell<Buffers>>);

impl Pipe {
    pub(super) fn buffers(&self) -> RefMut<'_, Buffers> {
        self.0.borrow_mut()
    }
}

impl Buffers {
    /// Bytes came in.
    pub(super) fn put(&mut self, bytes: &[u8]) {
        if self.read == self.input.len() {
            self.input.clear();
            self.read = 0;
        }
        self.input.extend_from_slice(bytes);
    }
}

impl AsyncRead for Pipe {
    fn poll_read(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let mut buffers = self.buffers();
        let rest = &buffers.input[buffers.read..];
        if rest.is_empty() {
            return if buffers.ended { Poll::Ready(Ok(())) } else { Poll::Pending };
        }
        let count = rest.len().min(into.remaining());
        into.put_slice(&rest[..count]);
        buffers.read += count;
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Pipe {
    fn poll_write(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let mut buffers = self.buffers();
        buffers.output.extend_from_slice(bytes);
        let replies = buffers.replies.count(bytes);
        buffers.unread.wrote(bytes.len(), replies);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pipe: &Pipe, room: usize) -> Option<Vec<u8>> {
        let mut space = vec![0; room];
        let mut into = ReadBuf::new(&mut space);
        let mut pipe = pipe.clone();
        let context = &mut Context::from_waker(std::task::Waker::noop());
        match Pin::new(&mut pipe).poll_read(context, &mut into) {
            Poll::Ready(done) => {
                done.unwrap();
                Some(into.filled().to_vec())
            }
            Poll::Pending => None,
        }
    }

    #[test]
    fn bytes_come_out_as_they_were_put_in_and_then_the_end() {
        let pipe = Pipe::default();
        assert_eq!(read(&pipe, 9), None);
        pipe.buffers().put(b"abcd");
        assert_eq!(read(&pipe, 3).unwrap(), b"abc");
        pipe.buffers().put(b"ef");
        assert_eq!(read(&pipe, 9).unwrap(), b"def");
        assert_eq!(read(&pipe, 9), None);
        pipe.buffers().ended = true;
        assert_eq!(read(&pipe, 9).unwrap(), b"");
    }
}
