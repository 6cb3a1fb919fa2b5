//! The as-of engine: which claims of a slot are current at one point of the
//! plane, and which are contested there.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::facts::{Fact, Held, Pillar, Scope, Standing, Status};
use crate::policy::{Policies, Slot, item_identity};
use crate::time::{Period, Timestamp};

/// A point of the plane, and how much of what is recorded counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Coordinate {
    /// The valid instant.
    pub valid_at: Timestamp,
    /// The known instant, never after `bound`.
    pub known_at: Timestamp,
    /// The known time of the last transaction that counts.
    pub bound: Timestamp,
    /// Whether forgotten facts are shown.
    pub include_forgotten: bool,
}

impl Coordinate {
    /// Whether a fact counts here: recorded by then and not forgotten, unless
    /// forgotten ones are asked for.
    #[must_use]
    pub fn counts(&self, fact: &Fact) -> bool {
        fact.recorded_at() <= self.known_at && self.shows(fact)
    }

    /// Whether a fact may be shown at all.
    #[must_use]
    pub fn shows(&self, fact: &Fact) -> bool {
        self.include_forgotten || !fact.is_forgotten()
    }
}

/// A fact as it is seen at a point.
#[derive(Clone, Debug)]
pub struct Sight {
    /// The fact.
    pub fact: Arc<Fact>,
    /// The contiguous valid period, around the point, in which it is seen.
    pub valid: Period,
    /// Since when.
    pub known_from: Timestamp,
    /// When belief in it had ended, if by the known instant it had.
    pub known_until: Option<Timestamp>,
    /// How it stands there.
    pub status: Status,
}

impl Sight {
    /// Returns a fact as believed at a point, if it is.
    pub(super) fn believed(fact: &Arc<Fact>, at: Coordinate) -> Option<Self> {
        let valid = fact.coverage.piece_at(at.valid_at, at.known_at)?;
        Some(Self {
            fact: Arc::clone(fact),
            valid,
            known_from: fact.coverage.known_from_at(at.valid_at, at.known_at)?,
            known_until: None,
            status: fact.status_at(at.known_at),
        })
    }

    /// Returns a fact as held for a person at a point, if it is.
    pub(super) fn held(fact: &Arc<Fact>, at: Coordinate) -> Option<Self> {
        let open = |held: &&Held| held.is_open_at(at.known_at) && held.valid.contains(at.valid_at);
        let held = fact.held.as_ref().filter(open)?;
        Some(Self {
            fact: Arc::clone(fact),
            valid: held.valid,
            known_from: held.from,
            known_until: None,
            status: Status::Flagged,
        })
    }
}

/// What a slot shows in one scope.
#[derive(Clone, Debug)]
pub struct ScopeView {
    /// The scope.
    pub scope: Scope,
    /// What is current: one fact, or one for each item.
    pub current: Vec<Sight>,
    /// What is contested beside it.
    pub contested: Vec<Sight>,
}

/// What a slot shows at a point, scope by scope, the nearest last.
#[derive(Clone, Debug, Default)]
pub struct SlotView {
    /// The scopes that show anything, by depth, then path.
    pub scopes: Vec<ScopeView>,
}

/// How the facts of a slot compete: all of them, or item by item.
#[derive(Clone, Copy)]
pub(super) enum Competition<'a> {
    /// One value at a time.
    Single,
    /// One version of each item at a time, identity as declared.
    Items(&'a Slot),
    /// Each object for itself, unless the label is functional in the scope.
    Objects(&'a Policies),
    /// Each fact for itself.
    Apart,
}

impl Competition<'_> {
    /// Returns what a claim competes for within its scope.
    pub(super) fn item(self, fact: &Fact) -> String {
        let claim = &fact.claim;
        match self {
            Self::Single => String::new(),
            Self::Items(slot) => claim.value().map_or_else(String::new, |v| item_identity(slot, &v.plain())),
            Self::Objects(policies) if is_functional(policies, claim.key(), Some(&fact.scope)) => {
                String::new()
            }
            Self::Objects(_) => claim.object().map_or_else(String::new, ToString::to_string),
            Self::Apart => claim.plain(),
        }
    }
}

impl SlotView {
    /// Works out what facts of one slot show at a point.
    pub(super) fn new<'a>(
        facts: impl Iterator<Item = &'a Arc<Fact>>,
        at: Coordinate,
        scope: Option<&Scope>,
        competition: Competition<'_>,
    ) -> Self {
        let mut seen: Vec<Sight> = Vec::new();
        for fact in facts {
            if scope.is_some_and(|scope| !scope.sees(&fact.scope)) || !at.counts(fact) {
                continue;
            }
            let believed = if fact.standing == Standing::Claim { Sight::believed(fact, at) } else { None };
            if let Some(sight) = believed.or_else(|| Sight::held(fact, at))
                // One that moved between two reads is there twice.
                && !seen.iter().any(|earlier| earlier.fact.id == sight.fact.id)
            {
                seen.push(sight);
            }
        }
        // The common case first: one fact, and it is current.
        if let [sight] = &seen[..]
            && sight.status != Status::Flagged
        {
            let scope = sight.fact.scope.clone();
            return Self { scopes: vec![ScopeView { scope, current: seen, contested: Vec::new() }] };
        }
        let mut scopes: BTreeMap<(usize, Scope), BTreeMap<String, Vec<Sight>>> = BTreeMap::new();
        for sight in seen {
            let scope = sight.fact.scope.clone();
            let items = scopes.entry((scope.depth(), scope)).or_default();
            items.entry(competition.item(&sight.fact)).or_default().push(sight);
        }
        let view = |((_, scope), items): ((usize, Scope), BTreeMap<String, Vec<Sight>>)| {
            let mut view = ScopeView { scope, current: Vec::new(), contested: Vec::new() };
            for sights in items.into_values() {
                rank(sights, &mut view);
            }
            view.current.sort_by_key(|sight| sight.fact.id);
            view.contested.sort_by_key(|sight| sight.fact.id);
            view
        };
        Self { scopes: scopes.into_iter().map(view).collect() }
    }

    /// Returns what is current, scope by scope.
    pub fn current(&self) -> impl Iterator<Item = &Sight> {
        self.scopes.iter().flat_map(|view| &view.current)
    }

    /// Returns what is contested, scope by scope.
    pub fn contested(&self) -> impl Iterator<Item = &Sight> {
        self.scopes.iter().flat_map(|view| &view.contested)
    }
}

/// Whether a label is single-valued in a scope; for a read of every scope,
/// whether it is where nothing nearer says otherwise.
pub(super) fn is_functional(policies: &Policies, label: &str, scope: Option<&Scope>) -> bool {
    let declares = |scope: &str| policies.effective(scope).is_functional(label);
    // Hardly any label is: the policies are put together only for those named.
    let is_named =
        policies.patches().any(|patch| patch.functional_labels.as_ref().is_some_and(|l| l.contains(label)));
    is_named && declares(scope.map_or("/", Scope::as_str))
}

/// Ranks the claims of one slot or item: what an authority says is current and
/// whatever differs from it is contested; so is every claim that is held.
fn rank(sights: Vec<Sight>, view: &mut ScopeView) {
    let believed = |sight: &&Sight| sight.status != Status::Flagged;
    let of = |pillar| sights.iter().filter(believed).find(move |sight| sight.fact.pillar == pillar);
    let current = of(Pillar::Authoritative).or_else(|| of(Pillar::Experiential)).cloned();
    for mut sight in sights {
        let Some(current) = &current else {
            view.contested.push(sight);
            continue;
        };
        if sight.fact.id == current.fact.id {
            continue;
        }
        let is_removal = sight.fact.standing == Standing::Removal;
        if is_removal || !sight.fact.claim.says_the_same(&current.fact.claim) {
            sight.status = Status::Flagged;
            view.contested.push(sight);
        }
    }
    view.current.extend(current);
}
