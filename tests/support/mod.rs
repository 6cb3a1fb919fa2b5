//! What the tests share.

pub(crate) mod binary;
pub(crate) mod cases;
pub(crate) mod chance;
pub(crate) mod instant;
pub(crate) mod pattern;
pub(crate) mod shared;
pub(crate) mod store;

use std::future::Future;
use std::io::Write;

/// Runs a test on threads with a stack that the engine's recursion fits on,
/// unoptimised as it is in tests.
pub(crate) fn run<F>(test: F)
where
    F: Future<Output = ()> + Send + 'static,
{
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .thread_stack_size(16 << 20)
        .enable_all()
        .build()
        .unwrap();
    let ended = runtime.block_on(runtime.spawn(test));
    if let Err(error) = ended {
        std::panic::resume_unwind(error.into_panic());
    }
}

/// Says something that is seen whether or not the test passes: the test
/// harness swallows only what goes through the print macros.
pub(crate) fn say(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}
