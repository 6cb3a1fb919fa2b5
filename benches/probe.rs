//! Temporary.
use crate::Outcome;
use crate::peers::bare::text;
use crate::stand::Stand;
use crate::subject::KIND;
use crate::table::{Table, Target};
use crate::timing::Contest;
use std::hint::black_box;
use surrealdb::types::Variables;

pub(crate) fn run(stand: &Stand<'_>, contest: &Contest, table: &mut Table) -> Outcome<()> {
    let name = stand.name(stand.corpus.chains.last().unwrap().0);
    let sqls = [
        ("return 1", "RETURN 1"),
        ("slot range", "SELECT * FROM fact:[$t,$n,0,0,$l,NONE]..[$t,$n,0,0,$l,..]"),
        ("head range", "SELECT * FROM fact:[$t,$n,0,NONE]..[$t,$n,0,..]"),
        ("only type::record", "SELECT * FROM ONLY type::record('entity',[$t,$n])"),
        ("only entity:[]", "SELECT * FROM ONLY entity:[$t,$n]"),
        ("entity:[]", "SELECT * FROM entity:[$t,$n]"),
        ("entity range", "SELECT * FROM entity:[$t,$n]..=[$t,$n]"),
        (
            "both as now",
            "SELECT * FROM fact:[$t,$n,0,NONE]..[$t,$n,0,..]; SELECT * FROM ONLY type::record('entity',[$t,$n])",
        ),
        (
            "both, entity:[]",
            "SELECT * FROM fact:[$t,$n,0,NONE]..[$t,$n,0,..]; SELECT * FROM ONLY entity:[$t,$n]",
        ),
        ("one select", "SELECT * FROM entity:[$t,$n], fact:[$t,$n,0,NONE]..[$t,$n,0,..]"),
        ("past line *", "SELECT * FROM fact:[$t,$n,1,0,$l,NONE]..[$t,$n,1,0,$l,..]"),
        ("past line value, at", "SELECT id, value, at FROM fact:[$t,$n,1,0,$l,NONE]..[$t,$n,1,0,$l,..]"),
    ];
    for (what, sql) in sqls {
        let bare = &stand.bare;
        let rt = stand.runtime;
        let mut v = Variables::new();
        v.insert("t", text(KIND));
        v.insert("n", text(&name));
        v.insert("l", text("status"));
        let rows = rt.block_on(bare.ask(sql, v.clone()))?;
        let v = &v;
        let [s, c] = contest.race([
            Box::new(|batch| {
                rt.block_on(async {
                    for _ in 0..batch {
                        let _ = black_box(bare.ask(sql, v.clone()).await);
                    }
                })
            }),
            Box::new(|batch| {
                rt.block_on(async {
                    for _ in 0..batch {
                        let _ = black_box(bare.unread(sql, v.clone()).await);
                    }
                })
            }),
        ]);
        table.seconds(
            ("probe", what, &format!("{} statements", rows.len())),
            s,
            ("not taken", c),
            Target::Reported,
        );
    }
    Ok(())
}
