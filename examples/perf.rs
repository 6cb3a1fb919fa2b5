use hitherto::facts::*;
use hitherto::identity::*;
use hitherto::query::*;
use hitherto::reconcile::TimeRef;
use hitherto::*;
use std::sync::Arc;
use std::time::Instant;
fn r(n: &str) -> Reference {
    Reference {
        kind: Some(EntityType::Person),
        name: Name::new(n).unwrap(),
        written: n.into(),
        unlisted: None,
    }
}
fn p(n: &str, k: &str, v: i64, from: Option<i64>) -> Proposal {
    Proposal {
        subject: r(n),
        says: Statement::Attribute { key: k.into(), value: Value::Int(v), event: None },
        scope: Scope::root(),
        valid_from: from.map(|f| time::Timestamp::from_micros(f * 86_400_000_000).unwrap()),
        valid_until: None,
        time_ref: TimeRef::Unknown,
        action: None,
        target: None,
        confidence: None,
        source: Arc::new(Source { name: Some("ops".into()), ..Source::of(SourceKind::Upsert) }),
        raw: None,
        metadata: None,
    }
}
#[tokio::main]
async fn main() {
    let dir = std::env::args().nth(1).unwrap();
    let _ = std::fs::remove_dir_all(&dir);
    let g = Graph::open(Options::new(format!("surrealkv://{dir}"))).await.unwrap();
    // W8 single durable supersedes
    let t = Instant::now();
    let n = 1000;
    for i in 0..n {
        g.submit(Turn { candidates: vec![p("deep", "k", i, None)], ..Turn::default() }).await.unwrap();
    }
    println!("W8 {:?}/write calls {}", t.elapsed() / n as u32, g.engine_calls());
    let w = What { kind: LineKind::Attribute, key: "k".into(), object: None };
    let o = ReadOptions::default();
    let d = r("deep");
    for depth in [1, 1000] {
        let name = if depth == 1 { "one" } else { "deep" };
        if depth == 1 {
            g.submit(Turn { candidates: vec![p("one", "k", 1, None)], ..Turn::default() }).await.unwrap();
        }
        let d = r(name);
        g.get(&d, &w, &o).await.unwrap();
        let t = Instant::now();
        let n = 200_000;
        for _ in 0..n {
            std::hint::black_box(g.get(&d, &w, &o).await.unwrap());
        }
        println!("W1 depth {depth} {:?}", t.elapsed() / n);
    }
    let b = g.get(&d, &w, &o).await.unwrap().basis;
    let back = time::Timestamp::from_micros(b.known_at.as_micros() - 300_000).unwrap();
    let oo = ReadOptions { valid_at: Some(back), known_at: Some(back), ..o.clone() };
    g.get(&d, &w, &oo).await.unwrap();
    let t = Instant::now();
    let n = 20_000;
    for _ in 0..n {
        std::hint::black_box(g.get(&d, &w, &oo).await.unwrap());
    }
    println!("W3 {:?}", t.elapsed() / n);
    g.submit(Turn {
        candidates: (0..20).map(|i| p("prof", &format!("k{i}"), i, None)).collect(),
        ..Turn::default()
    })
    .await
    .unwrap();
    let pr = r("prof");
    g.profile(&pr, &o).await.unwrap();
    let t = Instant::now();
    let n = 20_000;
    for _ in 0..n {
        std::hint::black_box(g.profile(&pr, &o).await.unwrap());
    }
    println!("W2 {:?}", t.elapsed() / n);
    for writers in [1, 8, 32] {
        let t = Instant::now();
        let per = 1600 / writers;
        let mut hs = vec![];
        for wi in 0..writers {
            let g = g.clone();
            hs.push(tokio::spawn(async move {
                for i in 0..per {
                    g.submit(Turn {
                        candidates: vec![p(&format!("w{wi}"), "k", i, None)],
                        ..Turn::default()
                    })
                    .await
                    .unwrap();
                }
            }));
        }
        for h in hs {
            h.await.unwrap();
        }
        println!("W9 {writers} writers {:.0} turns/s", 1600.0 / t.elapsed().as_secs_f64());
    }
    for total in [10_000i64, 100_000] {
        let t = Instant::now();
        let mut wait = std::collections::VecDeque::new();
        for b in 0..total / 1000 {
            wait.push_back(
                g.enqueue(Turn {
                    candidates: (0..1000)
                        .map(|i| {
                            let x = b * 1000 + i;
                            p(&format!("e{}-{}", total, x / 10), &format!("k{}", x % 10), x, None)
                        })
                        .collect(),
                    ..Turn::default()
                })
                .await
                .unwrap(),
            );
            while wait.len() > 4 {
                wait.pop_front().unwrap().reply().await.unwrap();
            }
        }
        for w in wait {
            w.reply().await.unwrap();
        }
        println!("W10 {total} {:?} {:.0}/s", t.elapsed(), total as f64 / t.elapsed().as_secs_f64());
    }
    g.close().await.unwrap();
    let t = Instant::now();
    let g = Graph::open(Options::new(format!("surrealkv://{dir}")).cache_bytes(0)).await.unwrap();
    println!("open {:?}", t.elapsed());
    let n = 2000;
    for (what, d, o) in [("W4 get", &d, &o), ("W4 as-of", &d, &oo)] {
        let t = Instant::now();
        for _ in 0..n {
            std::hint::black_box(g.get(d, &w, o).await.unwrap());
        }
        println!("{what} {:?}", t.elapsed() / n);
    }
    let t = Instant::now();
    for _ in 0..n {
        std::hint::black_box(g.profile(&pr, &o).await.unwrap());
    }
    println!("W4 profile {:?}", t.elapsed() / n);
}
