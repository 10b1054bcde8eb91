//! A small, fast, seeded random number generator for schedules and samples.

/// SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014).
///
/// Statistically sound for simulation, eight bytes of state, and not for secrets.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// A generator of its own for each `(seed, stream)`.
    pub fn new(seed: u64, stream: u64) -> Random {
        let mut random = Random(seed);
        let mixed = random.next_u64();
        Random(mixed ^ stream.wrapping_mul(0xd1b5_4a32_d192_ed03))
    }

    /// The generator in this state.
    pub fn of(state: u64) -> Random {
        Random(state)
    }

    /// 64 uniform random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// Uniform in (0, 1]: never zero, so that its logarithm is finite.
    pub fn unit(&mut self) -> f64 {
        ((self.next_u64() >> 11) + 1) as f64 / (1u64 << 53) as f64
    }

    /// A uniform integer below `bound`, which must not be zero.
    pub fn below(&mut self, bound: u64) -> u64 {
        // Lemire's multiplication; the bias is below 2^-32 for the bounds used here.
        ((u128::from(self.next_u64()) * u128::from(bound)) >> 64) as u64
    }
}
