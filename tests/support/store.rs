//! Stores of a test, and talking to them.

use std::path::Path;

use hitherto::{Graph, Options};
use serde_json::Value as Json;
use serde_json::json;
use tempfile::TempDir;

/// Which engine a store runs on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Engine {
    Mem,
    Disk,
}

/// An open store and its folder, where it has one.
pub(crate) struct Place {
    pub(crate) graph: Graph,
    options: Options,
    folder: Option<TempDir>,
}

/// Returns the URL of a store in a folder.
pub(crate) fn url(folder: &Path) -> String {
    format!("surrealkv://{}", folder.display())
}

impl Place {
    /// Opens an empty store.
    pub(crate) async fn open(engine: Engine) -> Self {
        Self::open_with(engine, |options| options).await
    }

    /// Opens an empty store with options of the test.
    pub(crate) async fn open_with(engine: Engine, set: impl FnOnce(Options) -> Options) -> Self {
        let folder = (engine == Engine::Disk).then(|| tempfile::tempdir().unwrap());
        let url =
            folder.as_ref().map_or_else(|| "mem://".to_owned(), |folder| url(&folder.path().join("store")));
        let options = set(Options::new(url));
        let graph = Graph::open(options.clone()).await.unwrap();
        Self { graph, options, folder }
    }

    /// Closes the store and opens it again.
    pub(crate) async fn restart(&mut self) {
        self.restart_with(|options| options).await;
    }

    /// Closes the store and opens it again with other options.
    pub(crate) async fn restart_with(&mut self, set: impl FnOnce(Options) -> Options) {
        assert!(self.folder.is_some(), "a store in memory cannot be opened again");
        self.graph.close().await.unwrap();
        self.options = set(self.options.clone());
        self.graph = Graph::open(self.options.clone()).await.unwrap();
    }

    pub(crate) async fn ask(&self, request: &Json) -> Json {
        ask(&self.graph, request).await
    }

    pub(crate) async fn ask_well(&self, request: &Json) -> Json {
        ask_well(&self.graph, request).await
    }

    /// Closes the store, all its handles.
    pub(crate) async fn close(self) {
        self.graph.close().await.unwrap();
    }
}

/// Sends a request and returns the answer.
pub(crate) async fn ask(graph: &Graph, request: &Json) -> Json {
    line(graph, &request.to_string()).await
}

/// Sends a line and returns the answer.
pub(crate) async fn line(graph: &Graph, line: &str) -> Json {
    let answer = hitherto::answer(graph, line).await;
    assert!(!answer.contains('\n'), "an answer is one line: {answer}");
    serde_json::from_str(&answer).unwrap()
}

/// Sends a request that has to be answered ok.
pub(crate) async fn ask_well(graph: &Graph, request: &Json) -> Json {
    let answer = ask(graph, request).await;
    assert_eq!(answer["ok"], true, "{request}\nwas answered {answer}");
    answer
}

/// Asserts that a store has no finding against itself.
pub(crate) async fn assert_sound(graph: &Graph) {
    let answer = ask_well(graph, &json!({"op": "fsck"})).await;
    assert_eq!(answer["result"]["findings"], json!([]), "fsck found something");
    assert!(answer["result"]["checked"].is_object(), "fsck says what it checked: {answer}");
}
