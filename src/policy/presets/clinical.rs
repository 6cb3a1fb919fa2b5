//! A clinic: what a carer must not get wrong about a patient.

use super::{Row, slot};

pub(super) const SLOTS: &[Row] = &[
    slot(
        "patient_identifier",
        "identity",
        &["mrn", "medical record number", "hospital number"],
        "The record number under which the clinic knows the patient.",
    )
    .guarded()
    .verbatim(),
    slot("legal_sex", "identity", &["sex"], "The sex entered in the record, as laboratory ranges use it."),
    slot(
        "birthday",
        "identity",
        &["date of birth", "birth date", "dob"],
        "The day the person was born, as a date.",
    )
    .verbatim(),
    slot(
        "allergy",
        "critical",
        &["allergies", "allergic to"],
        "Substances the person reacts to, the reaction behind a dash; losing one can do harm.",
    )
    .list_by_head()
    .verbatim(),
    slot(
        "medication",
        "critical",
        &["medications", "meds", "current drug", "drugs", "rx list", "prescription", "takes"],
        "What the patient takes now: the drug, then dose and rhythm behind it.",
    )
    .list_by_head()
    .guarded()
    .verbatim(),
    slot(
        "contraindication",
        "critical",
        &["contraindications", "must not be given"],
        "What must not be given or done, the reason behind a dash.",
    )
    .list_by_head()
    .verbatim(),
    slot(
        "blood_group",
        "critical",
        &["blood type", "abo group"],
        "Blood group with rhesus factor, as tested.",
    )
    .guarded()
    .verbatim(),
    slot(
        "code_status",
        "critical",
        &["resuscitation status", "dnr", "dnar"],
        "What the patient wants done when heart or breath stops.",
    )
    .guarded()
    .verbatim(),
    slot(
        "advance_directive",
        "critical",
        &["living will"],
        "Wishes the patient has laid down for later care.",
    )
    .list()
    .guarded()
    .verbatim(),
    slot("pregnancy_status", "critical", &["pregnant"], "Whether the patient is pregnant, and how far."),
    slot(
        "implant",
        "critical",
        &["implants", "pacemaker"],
        "Devices in the body, the model behind a dash; they decide on scans.",
    )
    .list_by_head()
    .verbatim(),
    slot(
        "diagnosis",
        "conditions",
        &["diagnoses", "condition", "conditions", "problem list"],
        "Conditions that hold now, the stage or code behind a dash.",
    )
    .list_by_head()
    .guarded(),
    slot(
        "surgery",
        "history",
        &["surgeries", "operation", "operations"],
        "Operations the patient has had, each on its day.",
    )
    .events(),
    slot(
        "immunisation",
        "history",
        &["immunization", "vaccination", "vaccinations", "vaccine"],
        "Vaccines given, each on its day.",
    )
    .events()
    .verbatim(),
    slot("admission", "history", &["admissions", "hospital stay"], "Stays in hospital, from day to day.")
        .events(),
    slot(
        "family_history",
        "history",
        &["runs in the family"],
        "Conditions among relatives, the relative behind a dash.",
    )
    .list(),
    slot("weight", "measures", &["body weight"], "Body weight with its unit; doses are worked out from it.")
        .verbatim(),
    slot("height", "measures", &["body height"], "Body height with its unit.").verbatim(),
    slot("smoking_status", "habits", &["smoker", "tobacco use"], "Whether the patient smokes, and how much."),
    slot("alcohol_use", "habits", &["alcohol", "drinking"], "How much alcohol the patient drinks."),
    slot(
        "attending_physician",
        "people",
        &["attending", "treating doctor"],
        "The doctor answerable for the patient now.",
    )
    .guarded(),
    slot(
        "general_practitioner",
        "people",
        &["gp", "family doctor", "primary care physician", "pcp"],
        "The doctor the patient goes to first.",
    ),
    slot(
        "next_of_kin",
        "people",
        &["closest relative"],
        "Whom the clinic informs, the relation behind a dash.",
    )
    .list_by_head()
    .verbatim(),
];
