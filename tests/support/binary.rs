//! The program itself, as a child of the test.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};

use serde_json::Value as Json;

/// Returns the command of the program on a store.
pub(crate) fn command(store: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hitherto"));
    command.arg("--store").arg(store).env_remove("HITHERTO_STORE").env_remove("HITHERTO_LOG");
    command
}

/// Runs the program to its end.
pub(crate) fn output(store: &Path, arguments: &[&str]) -> Output {
    command(store).args(arguments).stdin(Stdio::null()).output().unwrap()
}

/// Runs the program, which has to end well, and returns what it printed.
pub(crate) fn output_well(store: &Path, arguments: &[&str]) -> String {
    let output = output(store, arguments);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?} ended with {}: {complaint}", output.status);
    String::from_utf8(output.stdout).unwrap()
}

/// A conversation with `exec`.
pub(crate) struct Exec {
    pub(crate) child: Child,
    input: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Exec {
    pub(crate) fn start(store: &Path) -> Self {
        let mut child = command(store)
            .arg("exec")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let answers = BufReader::new(child.stdout.take().unwrap());
        Self { child, input, answers }
    }

    /// Sends a line; false where nobody reads it any more.
    pub(crate) fn send(&mut self, line: &[u8]) -> bool {
        let input = self.input.as_mut().unwrap();
        input.write_all(line).and_then(|()| input.write_all(b"\n")).and_then(|()| input.flush()).is_ok()
    }

    /// Returns the next whole answer line; an answer counts once its end is there.
    pub(crate) fn receive(&mut self) -> Option<Json> {
        let mut line = Vec::new();
        self.answers.read_until(b'\n', &mut line).ok()?;
        (line.last() == Some(&b'\n')).then(|| serde_json::from_slice(&line).unwrap())
    }

    pub(crate) fn ask(&mut self, request: &Json) -> Option<Json> {
        if self.send(request.to_string().as_bytes()) { self.receive() } else { None }
    }

    /// Asks what has to be answered ok.
    pub(crate) fn ask_well(&mut self, request: &Json) -> Json {
        let answer = self.ask(request).unwrap_or_else(|| panic!("{request} was not answered"));
        assert_eq!(answer["ok"], true, "{request}\nwas answered {answer}");
        answer
    }

    /// Kills it as a power cut would: it cannot tidy up.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Ends the conversation and returns the exit code.
    pub(crate) fn end(mut self) -> Option<i32> {
        drop(self.input.take());
        while self.receive().is_some() {}
        self.child.wait().unwrap().code()
    }
}

impl Drop for Exec {
    /// No child outlives a test that fails.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
