//! What the store writes down about itself: turns, policies, keys, messages.

use std::sync::Arc;

use surrealdb::types::{Value as Cell, Variables};

use super::engine::StoreError;
use super::reader::{Reader, rows};
use super::record::{RowReader, count, text};
use super::rows::{DecisionRow, MessageRow, OutcomeRow, PolicyRow, ReplayRow, TurnRow, key_table};
use crate::time::Timestamp;

impl Reader {
    /// Reads the newest turn.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] of the engine.
    pub(crate) async fn last_turn(&self) -> Result<Option<TurnRow>, StoreError> {
        let sql = "SELECT * FROM turn ORDER BY id DESC LIMIT 1";
        match rows(self.one(sql, Variables::new()).await?).pop() {
            Some(row) => TurnRow::read(row).map(|(turn, _)| Some(turn)),
            None => Ok(None),
        }
    }

    /// Reads a turn with its outcomes.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] of the engine.
    pub(crate) async fn turn(&self, tx: u64) -> Result<Option<(TurnRow, Vec<OutcomeRow>)>, StoreError> {
        let mut variables = Variables::new();
        variables.insert("x", count(tx));
        let sql = "SELECT * FROM ONLY turn:[$x]";
        let Some(row) = rows(self.one(sql, variables.clone()).await?).pop() else {
            return Ok(None);
        };
        let (turn, mut outcomes) = TurnRow::read(row)?;
        if outcomes.len() as u64 != turn.outcomes {
            let sql = "SELECT * FROM outcome:[$x,NONE]..[$x,..]";
            for row in rows(self.one(sql, variables).await?) {
                outcomes.extend(OutcomeRow::read_chunk(row)?.1);
            }
        }
        Ok(Some((turn, outcomes)))
    }

    /// Reads the known time of a turn.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] of the engine.
    pub(crate) async fn stamp(&self, tx: u64) -> Result<Option<Timestamp>, StoreError> {
        let mut variables = Variables::new();
        variables.insert("x", count(tx));
        let sql = "SELECT VALUE known FROM ONLY turn:[$x]";
        match self.one(sql, variables).await? {
            Cell::Number(number) => {
                let micros = number.to_int().unwrap_or_default();
                Timestamp::from_micros(micros)
                    .map(Some)
                    .map_err(|_| StoreError::corrupt("a turn has no time"))
            }
            _ => Ok(None),
        }
    }

    /// Reads the outcomes of a run of turns, both ends included.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] of the engine.
    pub(crate) async fn outcomes(
        &self,
        from: u64,
        until: u64,
    ) -> Result<Vec<(TurnRow, Vec<OutcomeRow>)>, StoreError> {
        let mut variables = Variables::new();
        variables.insert("a", count(from));
        variables.insert("b", count(until));
        let sql = "SELECT * FROM turn:[$a]..=[$b]; SELECT * FROM outcome:[$a,NONE]..[$b,..]";
        let mut answers = self.engine.query(sql, variables).await?.into_iter();
        let mut turns: Vec<(TurnRow, Vec<OutcomeRow>)> = rows(answers.next().unwrap_or_default())
            .into_iter()
            .map(TurnRow::read)
            .collect::<Result<_, _>>()?;
        for row in rows(answers.next().unwrap_or_default()) {
            let (tx, outcomes) = OutcomeRow::read_chunk(row)?;
            if let Ok(at) = turns.binary_search_by_key(&tx, |(turn, _)| turn.tx) {
                turns[at].1.extend(outcomes);
            }
        }
        Ok(turns)
    }

    /// Reads every version of the policies and slots, oldest first.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] of the engine.
    pub(crate) async fn policies(&self) -> Result<Vec<PolicyRow>, StoreError> {
        rows(self.one("SELECT * FROM policy", Variables::new()).await?)
            .into_iter()
            .map(PolicyRow::read)
            .collect()
    }

    /// Reads what an idempotency key was used for.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] of the engine.
    pub(crate) async fn replay(&self, key: &str) -> Result<Option<ReplayRow>, StoreError> {
        let mut variables = Variables::new();
        variables.insert("k", text(key));
        let sql = format!("SELECT * FROM ONLY {}:[$k]", key_table(key));
        let row = rows(self.one(&sql, variables).await?).pop();
        row.map(ReplayRow::read).transpose()
    }

    /// Reads the idempotency keys that expire, each with when it was used.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] of the engine.
    pub(crate) async fn expiring(&self) -> Result<Vec<(Timestamp, Arc<str>)>, StoreError> {
        let sql = "SELECT id, at FROM replay";
        rows(self.one(sql, Variables::new()).await?)
            .into_iter()
            .map(|row| {
                let mut row = RowReader::new(row)?;
                let at = Timestamp::from_micros(row.need_int("at")?)
                    .map_err(|_| StoreError::corrupt("an idempotency key has no time"))?;
                Ok((at, row.id_text(0)?.into()))
            })
            .collect()
    }

    /// Reads every idempotency key.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] of the engine.
    pub(crate) async fn replays(&self) -> Result<Vec<ReplayRow>, StoreError> {
        rows(self.one("SELECT * FROM replay", Variables::new()).await?)
            .into_iter()
            .map(ReplayRow::read)
            .collect()
    }

    /// Reads what an exact message wrote.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] of the engine.
    pub(crate) async fn message(&self, hash: &str) -> Result<Option<MessageRow>, StoreError> {
        let mut variables = Variables::new();
        variables.insert("h", text(hash));
        let row = rows(self.one("SELECT * FROM ONLY message:[$h]", variables).await?).pop();
        row.map(MessageRow::read).transpose()
    }

    /// Reads every message that is remembered.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] of the engine.
    pub(crate) async fn messages(&self) -> Result<Vec<MessageRow>, StoreError> {
        rows(self.one("SELECT * FROM message", Variables::new()).await?)
            .into_iter()
            .map(MessageRow::read)
            .collect()
    }

    /// Reads a decision that was taken down.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] of the engine.
    pub(crate) async fn decision(&self, tx: u64) -> Result<Option<DecisionRow>, StoreError> {
        let mut variables = Variables::new();
        variables.insert("x", count(tx));
        let row = rows(self.one("SELECT * FROM ONLY decision:[$x]", variables).await?).pop();
        row.map(DecisionRow::read).transpose()
    }
}
