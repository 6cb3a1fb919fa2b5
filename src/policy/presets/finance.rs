//! The books of a firm: who may sign, where money goes, what was agreed.

use super::{Row, slot};

pub(super) const SLOTS: &[Row] = &[
    slot(
        "legal_name",
        "identity",
        &["registered name", "company name"],
        "The name in the register, letter by letter.",
    )
    .guarded()
    .verbatim(),
    slot(
        "legal_form",
        "identity",
        &["company form", "entity form"],
        "The form of the firm: Ltd, GmbH, partnership.",
    ),
    slot(
        "registration_number",
        "identity",
        &["company number", "register number"],
        "The number under which the firm is registered.",
    )
    .guarded()
    .verbatim(),
    slot(
        "lei",
        "identity",
        &["legal entity identifier"],
        "The firm's Legal Entity Identifier, twenty characters.",
    )
    .guarded()
    .verbatim(),
    slot(
        "tax_number",
        "identity",
        &["tax id", "vat number", "vat id", "ein"],
        "Numbers under which the firm pays tax, one an item.",
    )
    .list()
    .guarded()
    .verbatim(),
    slot("registered_office", "identity", &["registered address", "seat"], "The address in the register.")
        .guarded()
        .verbatim(),
    slot(
        "signing_officer",
        "control",
        &["signatory", "authorised signatory", "authorized signatory"],
        "Who signs for the firm; a change is a change of power.",
    )
    .guarded()
    .verbatim(),
    slot(
        "beneficial_owner",
        "control",
        &["beneficial owners", "ubo"],
        "People who own or control the firm in the end, the share behind a dash.",
    )
    .list_by_head()
    .guarded(),
    slot(
        "approval_limit",
        "control",
        &["signing limit", "spending limit"],
        "How much may be spent without a second signature, with its currency.",
    )
    .guarded()
    .verbatim(),
    slot(
        "bank_account",
        "money",
        &["iban", "account number", "bank details"],
        "The account that payments go to; a wrong one pays a stranger.",
    )
    .guarded()
    .verbatim(),
    slot("bank", "money", &["house bank"], "The bank where the firm keeps its account."),
    slot(
        "currency",
        "money",
        &["reporting currency", "functional currency"],
        "The currency of the books, by its ISO code.",
    )
    .verbatim(),
    slot("credit_limit", "money", &["credit line"], "How much the firm may owe, with its currency.")
        .guarded()
        .verbatim(),
    slot("credit_rating", "money", &["rating"], "How the firm is rated, the agency behind a dash.").list(),
    slot("payment_terms", "terms", &["terms of payment", "net days"], "When an invoice falls due.")
        .verbatim(),
    slot("interest_rate", "terms", &["loan rate"], "The rate agreed on, with its base.").guarded().verbatim(),
    slot(
        "covenant",
        "terms",
        &["covenants", "loan covenant"],
        "Promises to a lender, each with its threshold.",
    )
    .list()
    .guarded()
    .verbatim(),
    slot(
        "fiscal_year_end",
        "calendar",
        &["financial year end", "year end"],
        "The day on which the firm's year ends.",
    )
    .verbatim(),
    slot("auditor", "people", &["audit firm", "audited by"], "Who audits the books.").guarded(),
    slot(
        "risk_class",
        "compliance",
        &["risk rating", "kyc risk"],
        "How risky the firm is held to be as a customer.",
    )
    .guarded(),
    slot(
        "sanction_status",
        "compliance",
        &["sanctions", "sanction screening"],
        "What the last screening against sanction lists found.",
    )
    .guarded()
    .verbatim(),
    slot(
        "filing",
        "history",
        &["filings", "annual return"],
        "Returns and statements filed, each on its day.",
    )
    .events(),
    slot("payment", "history", &["payments", "paid"], "Payments made or received, each on its day.")
        .events()
        .verbatim(),
];
