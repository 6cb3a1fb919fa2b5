//! Names, the types they are borne under, and the identity the two make.
//!
//! An entity *is* its type and its normalised name: nothing else tells two
//! apart, and nothing but [`Name::new`] decides what a name is. Writes, reads,
//! audits and imports all go through it, so what was written is found. The
//! display name is kept, as written, by whoever stores the entity.
//!
//! There is no fuzzy match here: names that only resemble each other are
//! different names.
//!
//! ```
//! use hitherto::identity::{EntityId, EntityType, NameError};
//!
//! let written = EntityId::new(EntityType::Person, "Mara  QUILL")?;
//! let asked = EntityId::new(EntityType::Person, "mara quill")?;
//! assert_eq!(written, asked);
//! assert_eq!(asked.to_string(), "person/mara quill");
//! # Ok::<(), NameError>(())
//! ```

mod error;
mod folding;
mod id;
mod name;
mod synonyms;
mod vocabulary;

pub use error::NameError;
pub use folding::{fold, fold_slot};
pub use id::EntityId;
pub use name::{Name, key};
pub use vocabulary::{EntityType, Folding};
