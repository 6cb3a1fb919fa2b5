//! What a command shows: lines and tables, put together before any is printed.

use comfy_table::{ColumnConstraint, Table as Grid, Width, presets};

use super::output;

/// The sign of what is not there.
pub(super) const ABSENT: &str = "—";
/// How wide a column may get where the width of the terminal is not known.
const COLUMN: u16 = 60;

/// What a command shows.
#[derive(Default, Debug)]
pub(super) struct Page {
    text: String,
    is_empty: bool,
}

impl Page {
    /// Adds a line.
    pub(super) fn line(&mut self, text: impl AsRef<str>) {
        self.text.push_str(text.as_ref());
        self.text.push('\n');
    }

    /// Adds a line that says that there is nothing to show.
    pub(super) fn nothing(&mut self, text: impl AsRef<str>) {
        self.is_empty = true;
        self.line(text);
    }

    /// Adds an empty line between parts.
    pub(super) fn gap(&mut self) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
    }

    /// Adds a table, unless it has no rows.
    pub(super) fn table(&mut self, table: &Table) {
        if !table.is_empty() {
            self.text.push_str(&table.printed(output::width()));
        }
    }

    /// Adds a table under a title; neither where the table has no rows.
    pub(super) fn section(&mut self, title: &str, table: &Table) {
        if !table.is_empty() {
            self.gap();
            self.line(title);
            self.table(table);
        }
    }

    /// Whether it says that there is nothing.
    pub(super) fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// Returns the text, without the end of its last line.
    pub(super) fn text(&self) -> &str {
        self.text.trim_end_matches('\n')
    }
}

/// A table; a column in which no row has anything of interest is left out.
#[derive(Debug)]
pub(super) struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
    has_head: bool,
}

#[derive(Debug)]
struct Column {
    name: &'static str,
    /// What a row says in it when it says nothing of interest.
    dull: &'static str,
}

impl Table {
    /// Returns a table of columns.
    pub(super) fn new<const N: usize>(names: [&'static str; N]) -> Self {
        let columns = names.into_iter().map(|name| Column { name, dull: ABSENT }).collect();
        Self { columns, rows: Vec::new(), has_head: true }
    }

    /// Returns a table of names and what they stand for.
    pub(super) fn pairs() -> Self {
        Self { has_head: false, ..Self::new(["", ""]) }
    }

    /// Says what is of no interest in a column, besides what is absent.
    pub(super) fn dull(mut self, name: &str, dull: &'static str) -> Self {
        for column in self.columns.iter_mut().filter(|column| column.name == name) {
            column.dull = dull;
        }
        self
    }

    /// Adds a row.
    pub(super) fn row<const N: usize>(&mut self, cells: [String; N]) {
        debug_assert_eq!(N, self.columns.len(), "a row has a cell for each column");
        self.rows.push(cells.into());
    }

    /// Adds a name and what it stands for, unless that is absent.
    pub(super) fn pair(&mut self, name: impl Into<String>, value: impl Into<String>) {
        let value = value.into();
        if value != ABSENT {
            self.rows.push(vec![name.into(), value]);
        }
    }

    /// Whether it has no rows.
    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    fn is_dull(&self, place: usize) -> bool {
        let dull = self.columns[place].dull;
        self.rows.iter().all(|row| row[place] == ABSENT || row[place] == dull || row[place].is_empty())
    }

    fn printed(&self, width: Option<u16>) -> String {
        let kept: Vec<usize> =
            (0..self.columns.len()).filter(|place| !self.has_head || !self.is_dull(*place)).collect();
        let head = kept.iter().map(|place| self.columns[*place].name.to_uppercase()).collect();
        let rows: Vec<Vec<&str>> =
            self.rows.iter().map(|row| kept.iter().map(|place| row[*place].as_str()).collect()).collect();
        let table = laid_out(self.has_head.then_some(head), &rows, COLUMN);
        match width {
            // A table that the terminal would break up is shown row by row.
            Some(width) if table.lines().any(|line| line.chars().count() > usize::from(width)) => {
                self.by_row(&kept, width)
            }
            _ => table,
        }
    }

    fn by_row(&self, kept: &[usize], width: u16) -> String {
        let blocks: Vec<String> = self
            .rows
            .iter()
            .map(|row| {
                let pairs: Vec<Vec<&str>> = if self.has_head {
                    let told = kept.iter().filter(|place| row[**place] != ABSENT && !row[**place].is_empty());
                    told.map(|place| vec![self.columns[*place].name, row[*place].as_str()]).collect()
                } else {
                    vec![row.iter().map(String::as_str).collect()]
                };
                let name = pairs.iter().map(|pair| pair[0].chars().count()).max().unwrap_or(0);
                laid_out(None, &pairs, width.saturating_sub(u16::try_from(name).unwrap_or(0) + 4).max(20))
            })
            .collect();
        blocks.join(if self.has_head { "\n" } else { "" })
    }
}

/// Lays cells out in columns, none wider than `most`.
fn laid_out(head: Option<Vec<String>>, rows: &[Vec<&str>], most: u16) -> String {
    let mut grid = Grid::new();
    grid.load_preset(presets::NOTHING);
    if let Some(head) = head {
        grid.set_header(head);
    }
    for row in rows {
        grid.add_row(row);
    }
    for column in grid.column_iter_mut() {
        column.set_padding((0, 2));
        column.set_constraint(ColumnConstraint::UpperBoundary(Width::Fixed(most + 2)));
    }
    let mut text = grid.trim_fmt();
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_without_news_is_left_out() {
        let mut table = Table::new(["key", "until", "scope"]).dull("scope", "/").dull("until", "open");
        table.row(["plan".into(), "open".into(), "/".into()]);
        table.row(["role".into(), ABSENT.into(), "/org".into()]);
        let mut page = Page::default();
        page.table(&table);
        assert_eq!(page.text(), "KEY   SCOPE\nplan  /\nrole  /org");
    }

    #[test]
    fn a_table_that_is_too_wide_is_shown_row_by_row() {
        let mut table = Table::new(["key", "value", "fact"]);
        table.row(["role".into(), "Team lead of the Harbour Survey".into(), "F1.0".into()]);
        table.row(["plan".into(), "Seed".into(), ABSENT.into()]);
        assert_eq!(table.printed(Some(80)).lines().count(), 3);
        let narrow = "key    role\nvalue  Team lead of the Harbour\n       Survey\nfact   F1.0\n\nkey    plan\nvalue  Seed\n";
        assert_eq!(table.printed(Some(34)), narrow);
    }
}
