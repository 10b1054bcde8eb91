//! Open files for the loads that live at once.
//!
//! The limit is the whole process's: loads that take turns need the sum of what each needs, beside
//! what the process itself has open.

use std::sync::Mutex;

use crate::os;

/// Files the rest of the process may open meanwhile.
const OTHERS: u64 = 256;

/// What all loads of this process have reserved.
static RESERVED: Mutex<u64> = Mutex::new(0);

/// Files that a load may open, until this is dropped.
#[derive(Debug)]
pub struct Reservation(u64);

impl Reservation {
    /// Raises the limit of open files for `files` more.
    ///
    /// # Errors
    /// One line with the remedy, where the hard limit is too low.
    pub fn new(files: u64) -> Result<Reservation, String> {
        let mut reserved = RESERVED.lock().expect("nobody panics here");
        let others = os::open_files().saturating_sub(*reserved) + OTHERS;
        os::raise_file_limit(*reserved + files + others)?;
        *reserved += files;
        Ok(Reservation(files))
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        *RESERVED.lock().expect("nobody panics here") -= self.0;
    }
}
