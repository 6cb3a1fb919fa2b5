//! The closed table of error codes.
pub(super) const CODES: &[(&str, &str, &str)] = &[];
