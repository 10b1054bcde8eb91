//! Tells when the core it runs on was taken away: by the host, the kernel, or another process.
//!
//! It reads the clock and does nothing else, so that two readings far apart say that it did not run
//! in between. Prints one array of `[start, length]`, in nanoseconds on the monotonic clock.
//!
//! `pauses seconds=5 least_us=50`

use webdyno_known_server::arguments::value;
use webdyno_known_server::now;

fn main() {
    let seconds: f64 = value("seconds", 5.0);
    let least = value("least_us", 50u64) * 1000;
    let mut last = now();
    let end = last + (seconds * 1e9) as u64;
    let mut pauses = Vec::with_capacity(1 << 16);
    while last < end {
        let time = now();
        if time - last >= least {
            pauses.push(format!("[{last}, {}]", time - last));
        }
        last = time;
    }
    println!("[{}]", pauses.join(", "));
}
