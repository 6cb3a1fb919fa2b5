//! Those that Hitherto is measured beside.

pub(crate) mod bare;
pub(crate) mod minigraf;
pub(crate) mod sqlite;
