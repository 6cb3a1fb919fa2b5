//! A support desk: a customer, what they run, and what was promised to them.

use super::{Row, slot};

pub(super) const SLOTS: &[Row] = &[
    slot(
        "account_owner",
        "identity",
        &["account holder", "owner of account"],
        "Who may decide over the account; a wrong one hands it over.",
    )
    .guarded()
    .verbatim(),
    slot(
        "customer_number",
        "identity",
        &["customer id", "client number"],
        "The number under which the customer is known.",
    )
    .guarded()
    .verbatim(),
    slot(
        "authorised_contact",
        "identity",
        &["authorized contact", "authorised contacts", "authorized contacts"],
        "Who besides the owner may ask about the account, the extent behind a dash.",
    )
    .list_by_head()
    .guarded(),
    slot(
        "verification_method",
        "identity",
        &["identity check", "security question"],
        "How a caller proves who they are.",
    )
    .guarded()
    .verbatim(),
    slot(
        "contact_channel",
        "contact",
        &["preferred channel", "contact preference"],
        "How the customer wants to be reached.",
    ),
    slot(
        "email_address",
        "contact",
        &["email", "mail address"],
        "Mail addresses the person reads, one an item.",
    )
    .list()
    .verbatim(),
    slot(
        "phone_number",
        "contact",
        &["phone", "mobile", "cell", "telephone"],
        "Numbers the person answers, one an item.",
    )
    .list()
    .verbatim(),
    slot("timezone", "settings", &["tz"], "The time zone in which times are meant, as an IANA name."),
    slot("language", "settings", &["preferred language", "speaks to me in"], "The language to answer in."),
    slot("plan", "contract", &["subscription plan", "tier", "plan name"], "The plan the customer pays for."),
    slot(
        "support_level",
        "contract",
        &["sla", "service level", "support tier"],
        "The answer times that the customer is owed.",
    )
    .guarded()
    .verbatim(),
    slot(
        "billing_status",
        "contract",
        &["payment status", "account standing"],
        "Whether the account is paid up.",
    ),
    slot(
        "entitlement",
        "contract",
        &["entitlements", "add-on", "add-ons"],
        "Extras the customer is entitled to, the amount behind the name.",
    )
    .list_by_head(),
    slot(
        "promise",
        "contract",
        &["promises", "commitment", "commitments"],
        "What was promised to the customer, in the words used, one an item.",
    )
    .list()
    .verbatim(),
    slot(
        "product_version",
        "setup",
        &["installed version", "software version"],
        "The version the customer runs.",
    )
    .verbatim(),
    slot("operating_system", "setup", &["os", "platform"], "What the product runs on.").verbatim(),
    slot(
        "integration",
        "setup",
        &["integrations", "connected app", "connected apps"],
        "What the product is connected to, the version behind the name.",
    )
    .list_by_head(),
    slot(
        "open_issue",
        "cases",
        &["open issues", "open ticket", "open tickets"],
        "Cases not closed yet, each by its code, the matter behind a dash.",
    )
    .list_by_head()
    .verbatim(),
    slot("workaround", "cases", &["workarounds"], "What helps until a fault is mended, one an item.")
        .list()
        .verbatim(),
    slot(
        "tried_step",
        "cases",
        &["tried steps", "already tried"],
        "What has been tried without success, so that nobody asks again.",
    )
    .list(),
    slot("satisfaction", "cases", &["csat", "mood"], "How content the customer is."),
    slot("escalation", "history", &["escalations", "escalated"], "When a case was raised, and to whom.")
        .events(),
    slot("refund", "history", &["refunds", "credit note"], "Money given back, each on its day.")
        .events()
        .verbatim(),
];
