//! Hitherto.
