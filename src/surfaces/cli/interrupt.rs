//! Ctrl-C, told to whoever works at the moment.

use tokio::signal::ctrl_c;
use tokio::sync::watch;

/// Counts every Ctrl-C from when it is made on, so that none is missed between
/// two waits.
pub(super) struct Interrupts {
    count: watch::Receiver<u64>,
}

impl Interrupts {
    /// Takes Ctrl-C over for the rest of the process.
    pub(super) fn new() -> Self {
        let (sender, count) = watch::channel(0);
        tokio::spawn(async move {
            while ctrl_c().await.is_ok() {
                sender.send_modify(|count| *count += 1);
            }
            // Where signals cannot be heard nobody waits for one in vain.
            sender.closed().await;
        });
        Self { count }
    }

    /// Waits for a Ctrl-C that was not told yet.
    pub(super) async fn next(&mut self) {
        if self.count.changed().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
