use std::io::{BufRead, Write};
use hitherto::{Graph, Options, answer};
#[tokio::main]
async fn main() {
    let url = std::env::args().nth(1).unwrap_or("mem://".into());
    let mut graph = Graph::open(Options::new(url.clone())).await.unwrap();
    let out = std::io::stdout();
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        if line == "$fresh" { if url.starts_with("mem") { graph = Graph::open(Options::new("mem://")).await.unwrap(); } println!("{{}}"); out.lock().flush().unwrap(); continue; }
        if line == "$restart" { graph.close().await.unwrap(); graph = Graph::open(Options::new(url.clone())).await.unwrap(); println!("{{}}"); out.lock().flush().unwrap(); continue; }
        if let Some(rest) = line.strip_prefix("$parallel ") {
            let list: Vec<serde_json::Value> = serde_json::from_str(rest).unwrap();
            let mut tasks = vec![];
            for r in list { let g = graph.clone(); tasks.push(tokio::spawn(async move { answer(&g, &r.to_string()).await })); }
            let mut answers = vec![]; for t in tasks { answers.push(t.await.unwrap()); }
            println!("[{}]", answers.join(",")); out.lock().flush().unwrap(); continue;
        }
        println!("{}", answer(&graph, &line).await);
        out.lock().flush().unwrap();
    }
}
