//! The identity of an entity.

use std::fmt;

use super::{EntityType, Name, NameError};

/// The composite identity of an entity: its type and its normalised name.
///
/// Under the type `unknown` it names a placeholder. Ordered by the word of the
/// type, then by name.
///
/// ```
/// use hitherto::identity::{EntityId, EntityType, NameError};
///
/// let place = EntityId::new(EntityType::Location, "Paris")?;
/// let person = EntityId::new(EntityType::Person, "Paris")?;
/// assert_ne!(place, person);
/// assert!(place < person);
/// # Ok::<(), NameError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntityId {
    /// The type it is borne under.
    pub kind: EntityType,
    /// The name, normalised.
    pub name: Name,
}

impl EntityId {
    /// Returns the identity of the entity of that type and name.
    ///
    /// # Errors
    ///
    /// Those of [`Name::new`].
    ///
    /// ```
    /// use hitherto::identity::{EntityId, EntityType, NameError};
    ///
    /// let acme = EntityId::new(EntityType::Organisation, "ACME Ltd.")?;
    /// assert_eq!(acme.name.as_str(), "acme ltd.");
    /// # Ok::<(), NameError>(())
    /// ```
    pub fn new(kind: EntityType, name: &str) -> Result<Self, NameError> {
        Ok(Self { kind, name: Name::new(name)? })
    }
}

/// Prints `person/mara quill`.
///
/// For people to read: names may hold a slash, so it is no key.
impl fmt::Display for EntityId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}/{}", self.kind, self.name)
    }
}
