//! The one table of words that stand for a type beside its own.
//!
//! Only words that hardly mean anything else are here: a customer may be a
//! person or a company, so it stays unlisted and becomes `other`, which the
//! answer reports. Each is written as [`fold_slot`](super::fold_slot) leaves it.

use super::EntityType;

/// Returns the type that a word, folded as a slot is, is a near-synonym of.
pub(super) fn synonym_of(folded: &str) -> Option<EntityType> {
    SYNONYMS.into_iter().find(|(_, words)| words.split(' ').any(|word| word == folded)).map(|(kind, _)| kind)
}

/// The near-synonyms of each type, between single spaces.
pub(super) const SYNONYMS: [(EntityType, &str); 11] = [
    (
        EntityType::Agent,
        "agents aiagent aiassistant assistant autonomousagent bot bots chatbot llmagent \
         softwareagent virtualassistant",
    ),
    (
        EntityType::Concept,
        "abstraction concepts definition idea ideas method methodology notion principle \
         term terminology theory",
    ),
    (
        EntityType::Event,
        "appointment ceremony conference events happening incident meeting milestone \
         occasion occurrence",
    ),
    (
        EntityType::Location,
        "area building cities city continent countries country county district \
         geo geographiclocation geolocation geopoliticalentity gpe loc locality locations \
         municipality neighborhood neighbourhood place places province region \
         street territory town venue village",
    ),
    (
        EntityType::Organisation,
        "agency association authority bank business charity college companies company \
         corporation department employer enterprise firm foundation government \
         governmentagency institute institution manufacturer ngo nonprofit \
         nonprofitorganisation nonprofitorganization org organisations organization \
         organizations orgs school startup team university",
    ),
    (
        EntityType::Person,
        "colleague coworker employee human humanbeing humans individual man people per \
         persons user users woman",
    ),
    (
        EntityType::Policy,
        "bylaw directive guideline guidelines law policies regulation regulations rule \
         rules statute",
    ),
    (
        EntityType::Product,
        "app application apps brand device gadget goods merchandise productline products \
         software softwareproduct",
    ),
    (
        EntityType::Project,
        "campaign codebase endeavor endeavour initiative programme projects repo \
         repository undertaking workstream",
    ),
    (EntityType::Service, "api database endpoint microservice saas server services webservice"),
    (EntityType::Topic, "category discipline subject subjectmatter theme topics"),
];
