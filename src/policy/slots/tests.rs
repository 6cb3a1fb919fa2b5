use super::*;

fn aliased(name: &str, aliases: &[&str]) -> SlotPatch {
    SlotPatch { aliases: Some(aliases.iter().map(ToString::to_string).collect()), ..SlotPatch::new(name) }
}

#[test]
fn every_spelling_of_a_name_or_alias_finds_the_slot() {
    let mut slots = Slots::default();
    slots.declare(vec![aliased("warehouse_db", &["olap store", "analytics-db"])]).unwrap();
    for key in [
        "warehouse_db",
        "Warehouse DB",
        "WAREHOUSE-db",
        "OLAP store",
        "ANALYTICS--db",
        "Analytics DB",
        "analytics_db",
    ] {
        assert_eq!(slots.declared(key).unwrap().name, "warehouse_db", "{key}");
    }
    for key in ["warehouse", "warehouse_d", "reporting_database", "", "-"] {
        assert_eq!(slots.declared(key), None, "{key}");
    }
}

#[test]
fn declaring_again_by_name_changes_only_what_is_named() {
    let mut slots = Slots::default();
    let first = SlotPatch {
        multi: Some(true),
        identity: Some(Identity::Head),
        category: Some("critical".into()),
        ..aliased("current_drug", &["drugs"])
    };
    slots.declare(vec![first]).unwrap();
    slots.declare(vec![SlotPatch { confirm: Some(true), ..SlotPatch::new("Current Drug") }]).unwrap();
    let slot = slots.declared("drugs").unwrap();
    assert_eq!(slot.name, "current_drug");
    assert!(slot.multi && slot.confirm);
    assert_eq!((slot.identity, slot.category.as_deref()), (Identity::Head, Some("critical")));
    slots.declare(vec![aliased("current_drug", &["rx list"])]).unwrap();
    assert_eq!(slots.declared("drugs"), None);
    assert!(slots.declared("Rx-List").is_some());
    assert_eq!(slots.iter().count(), 1);
}

#[test]
fn a_clash_is_refused_whole_and_names_both() {
    let mut held = Slots::default();
    held.declare(vec![aliased("warehouse_db", &["store"])]).unwrap();
    let clashes: [(Vec<SlotPatch>, &str, &str); 5] = [
        (vec![aliased("shop", &["STORE"])], "warehouse_db", "shop"),
        (vec![SlotPatch::new("store")], "warehouse_db", "store"),
        (vec![aliased("shop", &["Warehouse-DB"])], "warehouse_db", "shop"),
        (vec![aliased("a", &["x"]), aliased("b", &["X"])], "a", "b"),
        (vec![SlotPatch::new("same"), SlotPatch::new("Same")], "same", "Same"),
    ];
    for (set, one, other) in clashes {
        let before = held.clone();
        match held.declare(set.clone()) {
            Err(SlotError::Clash { first, second, .. }) => {
                assert_eq!((first.as_str(), second.as_str()), (one, other));
            }
            got => panic!("{set:?} gave {got:?}"),
        }
        assert_eq!(held, before);
    }
}

#[test]
fn one_declaration_may_move_an_alias_and_a_slot_may_repeat_itself() {
    let mut slots = Slots::default();
    slots.declare(vec![aliased("a", &["x", "X", "A"])]).unwrap();
    slots.declare(vec![aliased("a", &[]), aliased("b", &["x"])]).unwrap();
    assert_eq!(slots.declared("x").unwrap().name, "b");
}

#[test]
fn names_are_refused_on_the_grounds_of_keys() {
    let code = |patch: SlotPatch| match Slots::default().declare(vec![patch]) {
        Err(SlotError::Name(error)) => error.code(),
        got => panic!("{got:?}"),
    };
    assert_eq!(code(SlotPatch::new("")), "name_empty");
    assert_eq!(code(SlotPatch::new(" \u{2003}_-")), "name_empty");
    assert_eq!(code(SlotPatch::new("a\u{0}b")), "name_control");
    assert_eq!(code(SlotPatch::new("é".repeat(513))), "name_too_long");
    assert_eq!(code(aliased("a", &["b", " "])), "name_empty");
    assert_eq!(code(aliased("a", &["-"])), "name_empty");
    assert!(Slots::default().declare(vec![SlotPatch::new("é".repeat(512))]).is_ok());
}
