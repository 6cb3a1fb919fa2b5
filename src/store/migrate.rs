//! The schema of a store, brought up to date in order.

use surrealdb::types::Variables;

use super::engine::{Engine, StoreError, StoreErrorKind};
use super::record::{RowBuilder, RowReader, id, int, list, text};

/// The scripts of `schema/`, oldest first; they are only ever added to.
const SCRIPTS: [&str; 1] = [include_str!("../../schema/0001_tables.surql")];

/// Brings the schema of a store up to this version.
pub(super) async fn migrate(engine: &Engine) -> Result<(), StoreError> {
    let known = i64::try_from(SCRIPTS.len()).unwrap_or(i64::MAX);
    let found = version(engine).await?;
    if found > known {
        return Err(StoreError::new(
            StoreErrorKind::Newer,
            format!(
                "the store has schema {found}, this version knows up to {known}: use the version that wrote it"
            ),
        ));
    }
    for (script, number) in SCRIPTS.iter().zip(1..).filter(|(_, number)| *number > found) {
        let mut mark = RowBuilder::new(id("meta", vec![text("schema")]));
        mark.set("version", int(number));
        let mut variables = Variables::new();
        variables.insert("mark", list(vec![mark.build()]));
        // The script and its mark are one transaction: a crash leaves both or neither.
        let sql = format!(
            "BEGIN; {script} INSERT INTO meta $mark ON DUPLICATE KEY UPDATE version = $input.version RETURN NONE; COMMIT;"
        );
        engine.query(&sql, variables).await?;
    }
    Ok(())
}

/// Returns the schema of a store: nought where there is none.
async fn version(engine: &Engine) -> Result<i64, StoreError> {
    let tables = engine.query("INFO FOR DB", Variables::new()).await?;
    let has_meta = tables.into_iter().next().is_some_and(|info| match info {
        surrealdb::types::Value::Object(mut info) => match info.remove("tables") {
            Some(surrealdb::types::Value::Object(tables)) => tables.contains_key("meta"),
            _ => false,
        },
        _ => false,
    });
    if !has_meta {
        return Ok(0);
    }
    let rows = engine.query("SELECT * FROM meta", Variables::new()).await?;
    match rows.into_iter().next() {
        Some(surrealdb::types::Value::Array(rows)) if !rows.is_empty() => {
            let row = rows.into_vec().swap_remove(0);
            RowReader::new(row)?.need_int("version")
        }
        _ => Err(StoreError::corrupt("the store does not say its schema")),
    }
}
