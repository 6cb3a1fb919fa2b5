//! An open store, for as long as a command needs it.

use serde_json::Value as Json;

use super::arguments::Globals;
use super::exit::Exit;
use super::failure::Failure;
use super::hint;
use super::output;
use super::page::Page;
use super::request::Request;
use crate::surfaces::respond;
use crate::{Error, Graph, Options};

/// An open store, and how to print its answers.
pub(super) struct Session {
    /// The store.
    pub(super) graph: Graph,
    /// Its place, as it was given.
    store: String,
    json: bool,
}

impl Session {
    /// Opens the store that the options name, making it where there is none if
    /// `makes_store` says so.
    pub(super) async fn open(globals: &Globals, makes_store: bool) -> Result<Self, Failure> {
        let options = Options::new(globals.url()).create(makes_store).cache_bytes(globals.cache_bytes());
        let graph = Graph::open(options).await.map_err(|error| Failure::run(&error, globals.store()))?;
        Ok(Self { graph, store: globals.store().to_owned(), json: globals.json() })
    }

    /// Opens the store, answers one request and closes the store.
    pub(super) async fn once(globals: &Globals, request: &dyn Request) -> Result<Exit, Failure> {
        let body = request.request()?;
        let session = Self::open(globals, request.makes_store()).await?;
        let exit = session.answer(request, body).await;
        session.close(exit).await
    }

    /// Answers a request and shows the answer.
    pub(super) async fn ask(&self, request: &dyn Request) -> Result<Exit, Failure> {
        self.answer(request, request.request()?).await
    }

    async fn answer(&self, request: &dyn Request, body: Json) -> Result<Exit, Failure> {
        let answer = respond(&self.graph, body).await;
        if answer["ok"] != true {
            return Err(Failure::answered(answer, &self.store));
        }
        if self.json {
            output::line(&answer.to_string())?;
        } else {
            let mut page = Page::default();
            request.show(&answer, &mut page);
            output::line(page.text())?;
            if let (true, Some((entity, key))) = (page.is_empty(), request.looked_up()) {
                for hint in hint::of_nothing(&self.graph, entity, key).await {
                    output::complain("hint", &hint);
                }
            }
        }
        Ok(if request.found_trouble(&answer) { Exit::Answered } else { Exit::Fine })
    }

    /// Says why an operation of the library failed.
    pub(super) fn failure(&self, error: &Error) -> Failure {
        Failure::of_error(error, &self.store)
    }

    /// Closes the store; what had gone wrong before counts more.
    pub(super) async fn close(self, exit: Result<Exit, Failure>) -> Result<Exit, Failure> {
        let closed = self.graph.close().await;
        let exit = exit?;
        closed.map_err(|error| Failure::run(&error, &self.store))?;
        Ok(exit)
    }
}
