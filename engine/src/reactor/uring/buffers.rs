//! Buffers that the kernel takes from as bytes come in, and that go back to it once they are read.

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::io;
use std::sync::atomic::{AtomicU16, Ordering};

use io_uring::Submitter;
use io_uring::types::BufRingEntry;

/// How many; the kernel wants a power of two. They are used in turn, and what is in turn should
/// stay in the processor's cache.
const COUNT: u16 = 128;
/// Bytes of each, with a cache line more than whole pages, so that not all begin in the same set of
/// the processor's cache. Pages that no answer reaches take no memory.
pub const SIZE: usize = 4 * 4096 + 64;
/// The group's name in requests.
pub const GROUP: u16 = 0;

/// The buffers of one reactor, which drops them only once the kernel fills none any more.
pub struct Buffers {
    /// What the kernel and we share: which buffers are free.
    ring: *mut BufRingEntry,
    tail: u16,
    memory: Box<[u8]>,
}

impl Buffers {
    /// Gives the buffers to the kernel.
    ///
    /// # Errors
    /// What the kernel said.
    pub fn new(submitter: &Submitter<'_>) -> io::Result<Buffers> {
        // SAFETY: the layout is not empty.
        let ring = unsafe { alloc_zeroed(layout()) }.cast::<BufRingEntry>();
        if ring.is_null() {
            handle_alloc_error(layout());
        }
        let memory = vec![0; usize::from(COUNT) * SIZE].into_boxed_slice();
        let mut buffers = Buffers { ring, tail: 0, memory };
        for number in 0..COUNT {
            buffers.give_back(number);
        }
        // SAFETY: the ring has room for COUNT entries, begins on a page, and is freed only when
        // these buffers are dropped, which their owner does when nothing is under way any more.
        unsafe { submitter.register_buf_ring_with_flags(buffers.ring as u64, COUNT, GROUP, 0)? };
        Ok(buffers)
    }

    /// What is in a buffer that the kernel has filled.
    pub fn bytes(&self, number: u16) -> &[u8] {
        let start = usize::from(number) * SIZE;
        &self.memory[start..start + SIZE]
    }

    /// Lets the kernel fill a buffer again.
    pub fn give_back(&mut self, number: u16) {
        let start = usize::from(number) * SIZE;
        let address = self.memory[start..].as_mut_ptr() as u64;
        // SAFETY: the index lies within the ring; the kernel reads an entry only after the tail has
        // moved past it. The tail lies in the first entry's reserved field, aligned to two bytes.
        unsafe {
            let entry = &mut *self.ring.add(usize::from(self.tail % COUNT));
            entry.set_addr(address);
            entry.set_len(SIZE as u32);
            entry.set_bid(number);
            self.tail = self.tail.wrapping_add(1);
            let tail = BufRingEntry::tail(self.ring).cast_mut();
            AtomicU16::from_ptr(tail).store(self.tail, Ordering::Release);
        }
    }
}

impl Drop for Buffers {
    fn drop(&mut self) {
        // SAFETY: allocated by `new` with the same layout, and not used after this.
        unsafe { dealloc(self.ring.cast(), layout()) };
    }
}

fn layout() -> Layout {
    let size = usize::from(COUNT) * size_of::<BufRingEntry>();
    Layout::from_size_align(size, 4096).expect("a page is a power of two")
}
