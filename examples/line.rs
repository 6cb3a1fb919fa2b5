use hitherto::{Graph, Options, answer};
use std::io::{BufRead, Write};
#[tokio::main]
async fn main() {
    let url = std::env::args().nth(1).unwrap_or("mem://".into());
    let mut graph = Graph::open(
        Options::new(url.clone())
            .cache_bytes(std::env::var("CACHE").ok().map(|v| v.parse().unwrap()).unwrap_or(256 << 20)),
    )
    .await
    .unwrap();
    let out = std::io::stdout();
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        if line == "$fresh" {
            if url.starts_with("mem") {
                graph = Graph::open(Options::new("mem://")).await.unwrap();
            }
            println!("{{}}");
            out.lock().flush().unwrap();
            continue;
        }
        if line == "$restart" {
            graph.close().await.unwrap();
            graph =
                Graph::open(Options::new(url.clone()).cache_bytes(
                    std::env::var("CACHE").ok().map(|v| v.parse().unwrap()).unwrap_or(256 << 20),
                ))
                .await
                .unwrap();
            println!("{{}}");
            out.lock().flush().unwrap();
            continue;
        }
        if let Some(rest) = line.strip_prefix("$parallel ") {
            let list: Vec<serde_json::Value> = serde_json::from_str(rest).unwrap();
            let mut tasks = vec![];
            for r in list {
                let g = graph.clone();
                tasks.push(tokio::spawn(async move { answer(&g, &r.to_string()).await }));
            }
            let mut answers = vec![];
            for t in tasks {
                answers.push(t.await.unwrap());
            }
            println!("[{}]", answers.join(","));
            out.lock().flush().unwrap();
            continue;
        }
        if let Some(path) = line.strip_prefix("$import ") {
            let t = std::time::Instant::now();
            let r = hitherto::surfaces::import_ops(&graph, path.as_ref(), &mut |_, _, _| {}).await;
            println!("{:?} {:?} calls {}", r.map_err(|e| e.to_string()), t.elapsed(), graph.engine_calls());
            out.lock().flush().unwrap();
            continue;
        }
        if let Some(path) = line.strip_prefix("$restore ") {
            let t = std::time::Instant::now();
            let r = hitherto::surfaces::import_export(&graph, path.as_ref(), &mut |_, _, _| {}).await;
            println!("{:?} {:?}", r.map_err(|e| e.to_string()), t.elapsed());
            out.lock().flush().unwrap();
            continue;
        }
        if let Some(path) = line.strip_prefix("$export ") {
            let t = std::time::Instant::now();
            let mut f = std::fs::File::create(path).unwrap();
            let r = hitherto::surfaces::export(&graph, &mut f).await;
            println!("{:?} {:?}", r.map_err(|e| e.to_string()), t.elapsed());
            out.lock().flush().unwrap();
            continue;
        }
        println!("{}", answer(&graph, &line).await);
        out.lock().flush().unwrap();
    }
}
