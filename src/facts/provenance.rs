//! Where a claim comes from.

use std::sync::Arc;

use super::action::words;
use super::line::FactId;
use crate::time::Timestamp;

words! {
    /// Which of the two bodies of facts a claim belongs to.
    ///
    /// ```
    /// use hitherto::facts::Pillar;
    ///
    /// assert_eq!(Pillar::Authoritative.as_str(), "authoritative");
    /// ```
    Pillar {
        /// Documents and operator upserts.
        Authoritative = "authoritative",
        /// Turns and all that is derived from them.
        Experiential = "experiential",
    }
}

words! {
    /// What kind of source made a claim.
    ///
    /// ```
    /// use hitherto::facts::SourceKind;
    ///
    /// assert_eq!(SourceKind::parse("turn"), Some(SourceKind::Turn));
    /// ```
    SourceKind {
        /// An operator wrote it on purpose.
        Upsert = "upsert",
        /// It was read in a document.
        Document = "document",
        /// It was said in a conversation.
        Turn = "turn",
        /// It was concluded when looking back.
        Reflect = "reflect",
        /// It spells out something that was said.
        Elaboration = "elaboration",
        /// It joins several things that were said.
        Consolidation = "consolidation",
    }
}

impl SourceKind {
    /// Returns the pillar that claims of this kind belong to.
    ///
    /// ```
    /// use hitherto::facts::{Pillar, SourceKind};
    ///
    /// assert_eq!(SourceKind::Document.pillar(), Pillar::Authoritative);
    /// assert_eq!(SourceKind::Reflect.pillar(), Pillar::Experiential);
    /// ```
    #[must_use]
    pub fn pillar(self) -> Pillar {
        match self {
            Self::Upsert | Self::Document => Pillar::Authoritative,
            Self::Turn | Self::Reflect | Self::Elaboration | Self::Consolidation => Pillar::Experiential,
        }
    }

    /// Returns the confidence of a claim that states none.
    ///
    /// ```
    /// use hitherto::facts::SourceKind;
    ///
    /// assert_eq!(SourceKind::Turn.default_confidence(), 0.8);
    /// ```
    #[must_use]
    pub fn default_confidence(self) -> f64 {
        match self {
            Self::Upsert | Self::Document => 1.0,
            Self::Turn => 0.8,
            Self::Reflect | Self::Elaboration | Self::Consolidation => 0.5,
        }
    }
}

/// Who or what made a claim.
///
/// ```
/// use hitherto::facts::{Source, SourceKind};
///
/// let source = Source::of(SourceKind::Turn);
/// assert!(source.name.is_none());
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Source {
    /// The kind of source.
    pub kind: SourceKind,
    /// Its name; a claim without one is nobody's.
    pub name: Option<Arc<str>>,
    /// Where in the source.
    pub reference: Option<Arc<str>>,
    /// Which characters of it, from and until.
    pub span: Option<(u64, u64)>,
    /// The session in which it was said.
    pub session: Option<Arc<str>>,
    /// How far the caller trusts it; decides nothing.
    pub trust: Option<f64>,
    /// When the claim was made or read.
    pub observed_at: Option<Timestamp>,
    /// The facts it was concluded from.
    pub derived_from: Vec<FactId>,
}

impl Source {
    /// Returns a source of which only the kind is known.
    ///
    /// ```
    /// # use hitherto::facts::{Source, SourceKind};
    /// assert_eq!(Source::of(SourceKind::Upsert).kind, SourceKind::Upsert);
    /// ```
    #[must_use]
    pub fn of(kind: SourceKind) -> Self {
        Self {
            kind,
            name: None,
            reference: None,
            span: None,
            session: None,
            trust: None,
            observed_at: None,
            derived_from: Vec::new(),
        }
    }

    /// Whether both are the same claimant: equal kind and name.
    ///
    /// ```
    /// # use hitherto::facts::{Source, SourceKind};
    /// let chat = Source { name: Some("chat".into()), ..Source::of(SourceKind::Turn) };
    /// assert!(chat.same_claimant(&chat));
    /// assert!(!chat.same_claimant(&Source::of(SourceKind::Turn)));
    /// ```
    #[must_use]
    pub fn same_claimant(&self, other: &Self) -> bool {
        self.kind == other.kind && self.name == other.name
    }

    /// Whether both count as one piece of evidence: the same claimant at the
    /// same place.
    ///
    /// ```
    /// # use hitherto::facts::{Source, SourceKind};
    /// let at = |place: &str| Source { reference: Some(place.into()), ..Source::of(SourceKind::Turn) };
    /// assert!(at("line 1").same_evidence(&at("line 1")));
    /// assert!(!at("line 1").same_evidence(&at("line 2")));
    /// ```
    #[must_use]
    pub fn same_evidence(&self, other: &Self) -> bool {
        self.same_claimant(other) && self.reference == other.reference
    }
}

/// One source that stands behind a fact.
#[derive(Clone, PartialEq, Debug)]
pub struct Evidence {
    /// The source.
    pub source: Arc<Source>,
    /// The confidence it stated, in `[0, 1]`.
    pub confidence: f64,
    /// When the store learned of it.
    pub known_from: Timestamp,
    /// Who wrote it down.
    pub actor: Option<Arc<str>>,
    /// The sentence it was read from.
    pub raw: Option<Arc<str>>,
}
