//! What the fuzzer found worth keeping: every input must mean the same however it is cut.

use crate::common::read_with;
use webdyno_engine::protocol::http1::Limits;

#[test]
fn the_fuzzers_corpus_reads_alike_in_any_pieces() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/corpus/responses");
    let mut count = 0;
    for file in std::fs::read_dir(folder).expect("the corpus is part of the repository") {
        let path = file.unwrap().path();
        let input = std::fs::read(&path).unwrap();
        // The first three bytes say how the fuzzer cuts the rest; see engine/fuzz.
        let [flags, _, _, bytes @ ..] = input.as_slice() else { continue };
        let is_head = flags & 1 == 1;
        let limits = if flags & 2 == 2 { Limits { head_bytes: 64 } } else { Limits::default() };
        let whole = read_with(limits, [bytes], is_head);
        for size in [1, 2, 7, 64] {
            let cut = read_with(limits, bytes.chunks(size), is_head);
            assert_eq!(cut, whole, "{} in pieces of {size}", path.display());
        }
        count += 1;
    }
    assert!(count >= 100, "only {count} inputs");
}
