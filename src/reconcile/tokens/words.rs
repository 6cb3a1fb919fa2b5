//! The word lists of section 6, as data, case-folded.
//!
//! What is on no list counts as distinctive. So the stop lists are kept short: a word
//! missing from them costs a needless duplicate, which is seen, a word too many costs a
//! detail, which is not. The list of limits is kept long for the same reason: a word too
//! many keeps two notes apart.

/// Words that carry grammar and no content, as long as another word follows; at the end
/// of a phrase ("log in", "plan a") they count.
///
/// Left out on purpose: `on`, `off`, `out`, `up`, `down` (states and directions), `i` (a
/// numeral too), and was, were, had and did, whose tense is content.
#[rustfmt::skip]
pub(super) const FUNCTION: &[&str] = &[
    "a", "also", "am", "an", "and", "are", "as", "at", "be", "been", "being", "by", "do", "does",
    "for", "from", "has", "have", "he", "her", "his", "in", "into", "is", "it", "its", "me", "my",
    "of", "our", "please", "she", "so", "that", "the", "their", "them", "there", "these", "they",
    "this", "those", "to", "us", "very", "we", "which", "who", "whose", "with", "you", "your",
];

/// Nouns that name no thing in particular. Section 6 gives file, name and project; the
/// others are as empty.
#[rustfmt::skip]
pub(super) const GENERIC: &[&str] = &[
    "detail", "details", "file", "files", "info", "information", "item", "items", "kind", "name",
    "named", "names", "note", "notes", "project", "projects", "sort", "stuff", "thing", "things",
    "way", "ways",
];

/// Articles, which two versions of a sentence may differ in.
pub(super) const ARTICLES: &[&str] = &["a", "an", "the"];

/// Negations, qualifiers and what else narrows, weakens or turns a sentence round; a
/// merge adds none.
///
/// English first; then the commonest of other languages in the Latin, Greek and Cyrillic
/// scripts. For every other script an added word counts as a limit whatever it means,
/// because it would have to be found inside words.
#[rustfmt::skip]
pub(super) const LIMITS: &[&str] = &[
    // Negations.
    "barely", "hardly", "neither", "never", "no", "nobody", "none", "nor", "not", "nothing",
    "nowhere", "rarely", "scarcely", "seldom", "without",
    // Acts and judgements that deny.
    "avoid", "avoided", "avoids", "ban", "banned", "cancelled", "canceled", "deny", "denied",
    "deprecated", "disable", "disabled", "discontinued", "dropped", "fail", "failed", "fails",
    "false", "forbid", "forbidden", "forbids", "gone", "incorrect", "instead", "lack", "lacks",
    "longer", "missing", "obsolete", "prevent", "prevents", "prohibited", "refuse", "refused",
    "refuses", "removed", "retired", "skip", "skipped", "skips", "stop", "stopped", "stops",
    "untrue", "wrong",
    // Conditions and exceptions.
    "after", "although", "before", "but", "depending", "during", "else", "except", "excepting",
    "excluding", "however", "if", "otherwise", "provided", "rather", "though", "till", "unless",
    "until", "when", "whenever", "where", "whether", "while", "within",
    // Bounds and amounts.
    "all", "any", "each", "either", "every", "exactly", "exclusively", "fewer", "just", "least",
    "less", "max", "maximum", "merely", "min", "minimum", "more", "most", "only", "or", "part",
    "partly", "sole", "solely", "than",
    // Frequency and doubt.
    "almost", "always", "about", "approximately", "considering", "could", "hypothetically",
    "likely", "may", "maybe", "might", "mostly", "nearly", "occasionally", "often", "perhaps",
    "possibly", "probably", "roughly", "sometimes", "supposedly", "unlikely", "usually",
    "wondering", "would",
    // Duty and time.
    "allowed", "ex", "former", "formerly", "mandatory", "must", "optional", "optionally",
    "previously", "required", "shall", "should", "temporarily", "temporary", "was", "were",
    // German and Dutch.
    "alleen", "ausser", "behalve", "bis", "falls", "geen", "immer", "kaum", "kein", "keine",
    "keinem", "keinen", "keiner", "keines", "nicht", "nichts", "nie", "niemals", "niet", "nooit",
    "nur", "oder", "ohne", "sondern", "vielleicht", "wenn", "zonder",
    // French.
    "aucun", "aucune", "jamais", "ne", "ni", "ou", "pas", "peut-être", "rien", "sans", "sauf",
    "seulement", "si", "toujours", "uniquement",
    // Spanish, Portuguese and Italian.
    "apenas", "eccetto", "excepto", "exceto", "jamás", "mai", "nada", "nenhum", "nenhuma", "nessun",
    "nessuna", "nessuno", "ningún", "ninguna", "ninguno", "non", "nunca", "não", "salvo", "se",
    "sem", "sempre", "senza", "siempre", "sin", "solo", "soltanto", "somente", "só", "sólo",
    "tampoco", "tranne",
    // Nordic, Finnish, Polish, Czech and Turkish.
    "aldri", "aldrig", "asla", "bara", "bez", "değil", "ei", "ej", "hariç", "ikke", "ingen", "inte",
    "jen", "kun", "nigdy", "nikdy", "oprócz", "sadece", "tylko", "uden", "utan", "uten", "vain",
    "yalnızca",
    // Greek, Russian and Ukrainian.
    "δεν", "εκτόσ", "μην", "μόνο", "ποτέ", "χωρίσ", "όχι", "без", "всегда", "если", "или", "крім",
    "кроме", "лише", "не", "нет", "ни", "никогда", "ніколи", "только", "тільки",
];

/// What n't leaves when it is written out; "can't" and "won't" are not regular, and
/// people drop the apostrophe.
#[rustfmt::skip]
pub(super) const CONTRACTIONS: &[(&str, &str)] = &[
    ("ain't", ""), ("aint", ""), ("arent", "are"), ("can't", "can"), ("cannot", "can"),
    ("cant", "can"), ("couldnt", "could"), ("didnt", "did"), ("doesnt", "does"), ("dont", "do"),
    ("hadnt", "had"), ("hasnt", "has"), ("havent", "have"), ("isnt", "is"), ("shan't", "shall"),
    ("shouldnt", "should"), ("wasnt", "was"), ("werent", "were"), ("won't", "will"),
    ("wont", "will"), ("wouldnt", "would"),
];

/// Units that belong to the number before them, so that "10 mg and 5 ml" is not "5 mg and 10 ml".
#[rustfmt::skip]
pub(super) const UNITS: &[&str] = &[
    "%", "‰", "°", "°c", "°f", "c", "f", "k", "mcg", "μg", "mg", "g", "kg", "t", "oz", "lb", "lbs",
    "ml", "cl", "dl", "l", "nm", "μm", "mm", "cm", "m", "km", "in", "inch", "inches", "ft", "feet",
    "mi", "mile", "miles", "ns", "μs", "ms", "s", "sec", "second", "seconds", "min", "minute",
    "minutes", "h", "hr", "hrs", "hour", "hours", "d", "day", "days", "week", "weeks", "month",
    "months", "year", "years", "am", "pm", "b", "kb", "mb", "gb", "tb", "kib", "mib", "gib", "tib",
    "bit", "bits", "byte", "bytes", "hz", "khz", "mhz", "ghz", "w", "kw", "kwh", "v", "a", "ma",
    "mah", "pa", "hpa", "bar", "mmhg", "mmol", "iu", "ie", "units", "usd", "eur", "gbp", "chf",
    "jpy", "$", "€", "£", "¥", "dollars", "euros", "pounds", "percent", "x", "times",
];
