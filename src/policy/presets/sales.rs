//! A sales desk: an account, the people who decide, and what was offered to them.

use super::{Row, slot};

pub(super) const SLOTS: &[Row] = &[
    slot(
        "account_manager",
        "people",
        &["account executive", "sales rep", "account rep"],
        "Who on our side looks after the account.",
    ),
    slot(
        "decision_maker",
        "people",
        &["decision makers", "economic buyer"],
        "Who on their side can say yes, the role behind a dash.",
    )
    .list_by_head(),
    slot("champion", "people", &["champions", "internal advocate"], "Who on their side speaks for us.")
        .list_by_head(),
    slot("blocker", "people", &["blockers", "detractor"], "Who on their side speaks against us, and why.")
        .list_by_head(),
    slot("industry", "firm", &["sector", "branch of trade"], "What the firm trades in."),
    slot("company_size", "firm", &["headcount", "number of employees"], "How many people work there.")
        .verbatim(),
    slot("region", "firm", &["sales region", "territory"], "The territory the account belongs to."),
    slot("lead_source", "deal", &["came from", "lead origin"], "How the account first came to us."),
    slot(
        "deal_stage",
        "deal",
        &["stage", "pipeline stage", "opportunity stage"],
        "How far the deal has come.",
    ),
    slot(
        "deal_value",
        "deal",
        &["deal size", "opportunity value", "acv"],
        "What the deal is worth, with its currency and period.",
    )
    .verbatim(),
    slot("close_date", "deal", &["expected close", "closing date"], "When the deal is expected to close.")
        .verbatim(),
    slot("next_step", "deal", &["next action"], "What was agreed to happen next, and when."),
    slot("budget", "deal", &["their budget"], "What the account has to spend, with its currency.").verbatim(),
    slot(
        "need",
        "deal",
        &["needs", "pain point", "pain points", "requirement", "requirements"],
        "What the account wants solved, one an item.",
    )
    .list(),
    slot(
        "objection",
        "deal",
        &["objections", "concern", "concerns"],
        "What speaks against buying, in their words, one an item.",
    )
    .list()
    .verbatim(),
    slot(
        "competitor",
        "deal",
        &["competitors", "competing offer"],
        "Whom else they look at, the offer behind a dash.",
    )
    .list_by_head(),
    slot("current_vendor", "deal", &["incumbent", "existing supplier"], "Whom they buy from today."),
    slot(
        "quoted_price",
        "terms",
        &["quote", "offer price", "price quoted"],
        "The price that was put in writing.",
    )
    .guarded()
    .verbatim(),
    slot(
        "discount",
        "terms",
        &["rebate", "discount granted"],
        "The discount that was promised, with its conditions.",
    )
    .guarded()
    .verbatim(),
    slot("contract_term", "terms", &["contract length", "subscription term"], "How long the contract runs.")
        .verbatim(),
    slot("renewal_date", "terms", &["renewal", "renews on"], "When the contract renews or ends.")
        .guarded()
        .verbatim(),
    slot(
        "contact_consent",
        "compliance",
        &["marketing consent", "opt in", "do not contact"],
        "Whether and how the account may be contacted.",
    )
    .guarded()
    .verbatim(),
    slot(
        "meeting",
        "history",
        &["meetings", "sales call", "demo held"],
        "Talks with the account, each on its day.",
    )
    .events(),
];
