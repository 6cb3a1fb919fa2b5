//! A personal assistant: one person's settings, people and habits.

use super::{Row, slot};

pub(super) const SLOTS: &[Row] = &[
    slot(
        "preferred_name",
        "identity",
        &["nickname", "goes by", "call me"],
        "What the person wants to be called.",
    ),
    slot("pronouns", "identity", &["pronoun"], "The pronouns the person uses."),
    slot(
        "birthday",
        "identity",
        &["date of birth", "birth date", "dob"],
        "The day the person was born, as a date.",
    )
    .verbatim(),
    slot(
        "home_address",
        "contact",
        &["home", "residence", "lives at"],
        "Where the person lives; one at a time.",
    )
    .verbatim(),
    slot(
        "phone_number",
        "contact",
        &["phone", "mobile", "cell", "telephone"],
        "Numbers the person answers, one an item.",
    )
    .list()
    .verbatim(),
    slot(
        "email_address",
        "contact",
        &["email", "mail address"],
        "Mail addresses the person reads, one an item.",
    )
    .list()
    .verbatim(),
    slot(
        "emergency_contact",
        "critical",
        &["in case of emergency", "ice contact"],
        "Whom to reach when something happens to the person, the number behind a dash.",
    )
    .list_by_head()
    .guarded()
    .verbatim(),
    slot("timezone", "settings", &["tz"], "The time zone in which times are meant, as an IANA name."),
    slot("language", "settings", &["preferred language", "speaks to me in"], "The language to answer in."),
    slot(
        "tone",
        "settings",
        &["answer style", "writing style"],
        "How answers should sound: short, formal, playful.",
    ),
    slot("employer", "work", &["works at", "works for", "workplace"], "Who the person works for now."),
    slot("job_title", "work", &["role", "position", "occupation"], "What the person does for a living."),
    slot("partner", "people", &["spouse", "husband", "wife"], "The person's partner."),
    slot(
        "family_member",
        "people",
        &["family", "relatives"],
        "Relatives by name, with their relation behind a dash.",
    )
    .list_by_head(),
    slot("pet", "people", &["pets"], "Animals of the household by name, with the kind behind a dash.")
        .list_by_head(),
    slot("diet", "health", &["eating style"], "How the person eats: vegetarian, halal, no added sugar."),
    slot(
        "allergy",
        "critical",
        &["allergies", "allergic to"],
        "Substances the person reacts to, the reaction behind a dash; losing one can do harm.",
    )
    .list_by_head()
    .verbatim(),
    slot(
        "like",
        "taste",
        &["likes", "favourites", "favorites", "enjoys"],
        "Things the person likes, one an item.",
    )
    .list(),
    slot(
        "dislike",
        "taste",
        &["dislikes", "hates", "avoids"],
        "Things to keep away from the person, one an item.",
    )
    .list(),
    slot("goal", "plans", &["goals", "aims"], "What the person is working towards, one an item.").list(),
    slot("reminder", "plans", &["reminders", "remind me"], "What to bring up and when, one an item.")
        .list()
        .verbatim(),
];
