//! The closed vocabulary of entity types.

use std::fmt;

use super::synonyms::synonym_of;
use super::{Name, NameError, fold_slot};

/// The type of an entity.
///
/// Declared in the order of their words, so that they sort alike.
///
/// ```
/// use hitherto::identity::EntityType;
///
/// assert_eq!(EntityType::Organisation.to_string(), "organisation");
/// assert!(EntityType::ALL.is_sorted_by_key(|kind| kind.as_str()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntityType {
    /// Software that acts on its own account.
    Agent,
    /// An idea, a term, a method.
    Concept,
    /// Something that takes place.
    Event,
    /// A place.
    Location,
    /// A company, an institution, a team.
    Organisation,
    /// What is none of the others.
    Other,
    /// A human being.
    Person,
    /// A rule that somebody laid down.
    Policy,
    /// Something made, sold or shipped.
    Product,
    /// An undertaking with an aim.
    Project,
    /// Something that runs and is called upon.
    Service,
    /// Something talked or written about.
    Topic,
    /// Reserved for placeholders: an end of a relation that is not resolved.
    Unknown,
}

/// How a word came to stand for a type.
///
/// ```
/// use hitherto::identity::{EntityType, Folding, NameError};
///
/// assert_eq!(EntityType::parse("Company")?, (EntityType::Organisation, Folding::Synonym));
/// # Ok::<(), NameError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Folding {
    /// The word is of the vocabulary, but for case and outer white space.
    Exact,
    /// The word is a near-synonym of the type.
    Synonym,
    /// The word is not known and became [`EntityType::Other`].
    Unlisted,
}

impl EntityType {
    /// The vocabulary, in the order of its words.
    pub const ALL: [Self; 13] = [
        Self::Agent,
        Self::Concept,
        Self::Event,
        Self::Location,
        Self::Organisation,
        Self::Other,
        Self::Person,
        Self::Policy,
        Self::Product,
        Self::Project,
        Self::Service,
        Self::Topic,
        Self::Unknown,
    ];

    /// Returns the one word for the type.
    ///
    /// ```
    /// use hitherto::identity::EntityType;
    ///
    /// assert_eq!(EntityType::Person.as_str(), "person");
    /// ```
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Concept => "concept",
            Self::Event => "event",
            Self::Location => "location",
            Self::Organisation => "organisation",
            Self::Other => "other",
            Self::Person => "person",
            Self::Policy => "policy",
            Self::Product => "product",
            Self::Project => "project",
            Self::Service => "service",
            Self::Topic => "topic",
            Self::Unknown => "unknown",
        }
    }

    /// Returns the type that `word` stands for, and how it came to.
    ///
    /// Compared as a name is. A near-synonym may also be joined by hyphens or
    /// underscores in place of spaces. Any other word stands for
    /// [`Other`](Self::Other), and the answer to whoever wrote it says so.
    ///
    /// # Errors
    ///
    /// Those of [`Name::new`]: a type is refused on the grounds of a name.
    ///
    /// ```
    /// use hitherto::identity::{EntityType, Folding, NameError};
    ///
    /// assert_eq!(EntityType::parse(" Person ")?, (EntityType::Person, Folding::Exact));
    /// assert_eq!(EntityType::parse("city")?, (EntityType::Location, Folding::Synonym));
    /// assert_eq!(EntityType::parse("volcano")?, (EntityType::Other, Folding::Unlisted));
    /// assert!(EntityType::parse(" ").is_err());
    /// # Ok::<(), NameError>(())
    /// ```
    pub fn parse(word: &str) -> Result<(Self, Folding), NameError> {
        // Nearly every word is one of ours as it stands.
        if let Some(kind) = Self::named(word) {
            return Ok((kind, Folding::Exact));
        }
        let name = Name::new(word)?;
        if let Some(kind) = Self::named(name.as_str()) {
            return Ok((kind, Folding::Exact));
        }
        Ok(match synonym_of(&fold_slot(name.as_str())) {
            Some(kind) => (kind, Folding::Synonym),
            None => (Self::Other, Folding::Unlisted),
        })
    }

    fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

impl fmt::Display for EntityType {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::synonyms::SYNONYMS;
    use super::*;

    #[test]
    fn every_type_is_its_own_word_in_any_case() {
        for kind in EntityType::ALL {
            let word = kind.as_str();
            for written in [word.to_owned(), word.to_uppercase(), format!("\t {word}\u{a0}")] {
                assert_eq!(EntityType::parse(&written), Ok((kind, Folding::Exact)), "{written}");
            }
        }
        // A long s folds to an s.
        assert_eq!(EntityType::parse("ſervice"), Ok((EntityType::Service, Folding::Exact)));
    }

    #[test]
    fn types_sort_as_their_words_do() {
        assert!(EntityType::ALL.is_sorted());
        assert!(EntityType::ALL.is_sorted_by_key(|kind| kind.as_str()));
    }

    #[test]
    fn every_synonym_is_listed_once_as_it_is_looked_up_and_is_no_type_itself() {
        let mut seen = HashSet::new();
        for (kind, words) in SYNONYMS {
            assert!(!matches!(kind, EntityType::Other | EntityType::Unknown));
            for word in words.split(' ') {
                assert!(!word.is_empty());
                assert_eq!(fold_slot(word), word);
                assert!(seen.insert(word), "{word} is listed twice");
                assert_eq!(EntityType::named(word), None);
                assert_eq!(EntityType::parse(word), Ok((kind, Folding::Synonym)));
            }
        }
    }

    #[test]
    fn words_fold_as_the_law_names_them() {
        let cases = [
            ("company", EntityType::Organisation, Folding::Synonym),
            ("Org", EntityType::Organisation, Folding::Synonym),
            ("ORGANIZATION", EntityType::Organisation, Folding::Synonym),
            ("human", EntityType::Person, Folding::Synonym),
            ("user", EntityType::Person, Folding::Synonym),
            ("place", EntityType::Location, Folding::Synonym),
            ("City", EntityType::Location, Folding::Synonym),
            ("country", EntityType::Location, Folding::Synonym),
            ("Non-Profit", EntityType::Organisation, Folding::Synonym),
            ("ai_agent", EntityType::Agent, Folding::Synonym),
            ("unknown", EntityType::Unknown, Folding::Exact),
            ("other", EntityType::Other, Folding::Exact),
            ("per-son", EntityType::Other, Folding::Unlisted),
            ("persona", EntityType::Other, Folding::Unlisted),
            ("--", EntityType::Other, Folding::Unlisted),
            ("人", EntityType::Other, Folding::Unlisted),
        ];
        for (word, kind, folding) in cases {
            assert_eq!(EntityType::parse(word), Ok((kind, folding)), "{word}");
        }
    }

    #[test]
    fn types_are_refused_on_the_grounds_of_a_name() {
        for word in ["", " \n", "per\u{0}son", &"x".repeat(1_025), &"x".repeat(100_000)] {
            assert_eq!(EntityType::parse(word).err(), Name::new(word).err());
            assert!(EntityType::parse(word).is_err());
        }
    }
}
