//! The integration tests, in one binary: the engine is linked once.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

mod calls;
mod clock;
mod concurrency;
mod conformance;
mod congress;
mod durability;
mod input;
mod spellings;
mod twin;
