//! The one table that a run prints.

use std::path::Path;

use crate::Outcome;

const HEADINGS: [&str; 8] = ["id", "work", "size", "hitherto", "peer", "ratio", "target", "met?"];
const OPENING: &str = "<!-- measured -->";
const CLOSING: &str = "<!-- /measured -->";

/// What a ratio has to come to.
#[derive(Clone, Copy)]
pub(crate) enum Target {
    /// The ratio of what Hitherto takes to what the peer takes, or of two figures of its own.
    AtMost(f64),
    /// How many times faster, or more, Hitherto has to be.
    AtLeast(f64),
    /// None: the figure is there to be seen.
    Reported,
}

/// The lines of the table, and what there is to say about them.
#[derive(Default)]
pub(crate) struct Table {
    lines: Vec<[String; 8]>,
    notes: Vec<String>,
}

impl Table {
    /// Adds a line whose figures are seconds of one operation.
    pub(crate) fn seconds(
        &mut self,
        (id, work, size): (&str, &str, &str),
        ours: f64,
        (peer, theirs): (&str, f64),
        target: Target,
    ) {
        let ratio = match target {
            Target::AtLeast(_) => theirs / ours,
            Target::AtMost(_) | Target::Reported => ours / theirs,
        };
        let peer = format!("{peer} {}", duration(theirs));
        self.line((id, work, size), &duration(ours), &peer, ratio, target);
    }

    /// Adds a line whose figures are operations a second; the ratio is ours to theirs.
    pub(crate) fn rates(
        &mut self,
        heading: (&str, &str, &str),
        ours: f64,
        (peer, theirs): (&str, f64),
        target: Target,
    ) {
        let peer = format!("{peer} {}", rate(theirs));
        self.line(heading, &rate(ours), &peer, ours / theirs, target);
    }

    /// Adds a line as it stands.
    pub(crate) fn line(
        &mut self,
        (id, work, size): (&str, &str, &str),
        ours: &str,
        peer: &str,
        ratio: f64,
        target: Target,
    ) {
        let verdict = |met: bool| if met { "yes" } else { "NO" };
        let (target, met) = match target {
            Target::AtMost(bound) => (format!("≤ {bound}"), verdict(ratio <= bound)),
            Target::AtLeast(bound) => (format!("≥ {bound}"), verdict(ratio >= bound)),
            Target::Reported => ("reported".to_owned(), ""),
        };
        let ratio = if ratio.is_nan() { String::new() } else { figures(ratio) };
        let cells = [id, work, size, ours, peer, &ratio, &target, met].map(str::to_owned);
        say(&format!("  {}", cells.join(" | ")));
        self.lines.push(cells);
    }

    /// Adds a remark under the table.
    pub(crate) fn note(&mut self, note: String) {
        say(&format!("  note: {note}"));
        self.notes.push(note);
    }

    /// Prints the table in aligned columns.
    pub(crate) fn print(&self) {
        let widths: [usize; 8] = std::array::from_fn(|column| {
            let cells = self.lines.iter().map(|line| line[column].chars().count());
            cells.chain([HEADINGS[column].len()]).max().unwrap_or(0)
        });
        let aligned = |cells: [&str; 8]| {
            let cells = cells.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}"));
            cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        };
        say("");
        say(&aligned(HEADINGS));
        say(&aligned(widths.map(|width| "-".repeat(width)).each_ref().map(String::as_str)));
        for line in &self.lines {
            say(&aligned(line.each_ref().map(String::as_str)));
        }
        for note in &self.notes {
            say(&format!("* {note}"));
        }
    }

    /// Writes the table into a Markdown file: between the two marks where they
    /// are there, else at the end.
    pub(crate) fn write_markdown(&self, path: &Path, machine: &str, command: &str) -> Outcome<()> {
        let mut text = format!("{OPENING}\n\n{machine}\n\nMeasured with `{command}`.\n\n");
        text.push_str(&format!("| {} |\n|{}\n", HEADINGS.join(" | "), " --- |".repeat(HEADINGS.len())));
        for line in &self.lines {
            text.push_str(&format!("| {} |\n", line.join(" | ")));
        }
        text.push('\n');
        for note in &self.notes {
            text.push_str(&format!("* {note}\n"));
        }
        text.push_str(&format!("\n{CLOSING}"));
        let held = std::fs::read_to_string(path).unwrap_or_default();
        let page = match (held.split_once(OPENING), held.split_once(CLOSING)) {
            (Some((before, _)), Some((_, after))) => format!("{before}{text}{after}"),
            _ => format!("{held}\n{text}\n"),
        };
        std::fs::write(path, page)?;
        Ok(())
    }
}

/// Prints a duration with the unit that suits it.
pub(crate) fn duration(seconds: f64) -> String {
    match seconds {
        s if s.is_nan() => "-".to_owned(),
        s if s < 1e-6 => format!("{} ns", figures(s * 1e9)),
        s if s < 1e-3 => format!("{} µs", figures(s * 1e6)),
        s if s < 1.0 => format!("{} ms", figures(s * 1e3)),
        s => format!("{} s", figures(s)),
    }
}

fn rate(per_second: f64) -> String {
    match per_second {
        r if r < 1e3 => format!("{}/s", figures(r)),
        r if r < 1e6 => format!("{} k/s", figures(r / 1e3)),
        r => format!("{} M/s", figures(r / 1e6)),
    }
}

/// Prints three figures.
fn figures(number: f64) -> String {
    match number.abs() {
        n if n < 10.0 => format!("{number:.2}"),
        n if n < 100.0 => format!("{number:.1}"),
        _ => format!("{number:.0}"),
    }
}

/// Says something on standard output.
#[expect(clippy::print_stdout, reason = "the table is what the benchmarks are for")]
pub(crate) fn say(line: &str) {
    println!("{line}");
}

/// Says something on standard error.
#[expect(clippy::print_stderr, reason = "the one place where a failed run says why")]
pub(crate) fn complain(line: &str) {
    eprintln!("{line}");
}
