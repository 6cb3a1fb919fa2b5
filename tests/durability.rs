//! What was acknowledged is there: after a kill, beside a second process, on a
//! full disk and on one that cannot be written.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use crate::support::binary::{self, Exec};
use crate::support::chance::Chance;
use crate::support::instant::micros;
use crate::support::{run, say};

/// How often the store is killed.
const KILLS: usize = 30;
/// How many entities a turn writes to.
const TOGETHER: usize = 4;

fn entity(number: usize) -> Json {
    json!({"type": "product", "name": format!("Crate {number}")})
}

/// A turn that writes its number to several entities, and some to itself.
fn turn(number: usize) -> Json {
    let mut candidates: Vec<Json> = (0..TOGETHER)
        .map(|place| json!({"op": "assert", "subject": entity(place), "key": "state", "value": number, "confidence": 0.9}))
        .collect();
    candidates.push(json!({"op": "relate", "subject": entity(0), "label": "part_of", "object": {"name": format!("Part {number}")}}));
    candidates.push(json!({"op": "note", "subject": entity(1), "text": format!("turn {number} was here")}));
    candidates.push(json!({"op": "assert", "subject": entity(100 + number), "key": "own", "value": number}));
    json!({"op": "turn", "candidates": candidates, "message": format!("turn {number}")})
}

fn get(subject: &Json, key: &str) -> Json {
    json!({"op": "get", "subject": subject, "key": key})
}

fn all_segments(exec: &mut Exec, subject: &Json) -> Vec<Json> {
    let mut request = json!({"op": "timeline", "subject": subject, "key": "state"});
    let mut segments = Vec::new();
    loop {
        let page = exec.ask_well(&request);
        segments.extend(page["result"]["segments"].as_array().unwrap().iter().cloned());
        match page.get("next") {
            Some(next) => request["cursor"] = next.clone(),
            None => return segments,
        }
    }
}

/// What a run was told and what it acknowledged.
#[derive(Default)]
struct Log {
    sent: usize,
    acknowledged: Vec<usize>,
    newest: i64,
}

impl Log {
    fn acknowledge(&mut self, number: usize, answer: &Json) {
        assert_eq!(answer["ok"], true, "{answer}");
        let stamp = micros(answer["known_at"].as_str().unwrap()).unwrap();
        assert!(stamp > self.newest, "turn {number}: {stamp} is not after {}", self.newest);
        self.newest = stamp;
        self.acknowledged.push(number);
    }

    /// Checks a store that was killed: every acknowledged turn whole, at most
    /// what was sent besides, and that whole.
    fn check(&mut self, exec: &mut Exec, unsure: std::ops::Range<usize>) {
        let mut there: Vec<Vec<u64>> = (0..TOGETHER)
            .map(|place| {
                all_segments(exec, &entity(place)).iter().map(|s| s["value"].as_u64().unwrap()).collect()
            })
            .collect();
        let first = there.swap_remove(0);
        assert!(
            there.iter().all(|other| *other == first),
            "a turn is there in part: {first:?} and {there:?}"
        );
        let mut besides = 0;
        for number in unsure {
            let is_there = first.contains(&(number as u64));
            let own = exec.ask_well(&get(&entity(100 + number), "own"));
            assert_eq!(own["result"]["value"] == number, is_there, "turn {number} is there in part: {own}");
            let was_acknowledged = self.acknowledged.last() >= Some(&number);
            assert!(is_there || !was_acknowledged, "turn {number} was acknowledged and is lost");
            if is_there && !was_acknowledged {
                self.acknowledged.push(number);
                besides += 1;
            }
        }
        assert!(besides <= 1, "{besides} turns are there that nobody was told of");
        let expected: Vec<u64> = self.acknowledged.iter().map(|number| *number as u64).collect();
        assert_eq!(first, expected, "the timeline is what was acknowledged");
        // The newest turn in all its parts, notes and relations included.
        let Some(last) = self.acknowledged.last() else { return };
        let profile = exec.ask_well(&json!({"op": "profile", "subject": entity(1), "limit": 1_000}));
        let has_note = profile["result"]["notes"]
            .as_array()
            .unwrap()
            .iter()
            .any(|n| n["text"] == format!("turn {last} was here"));
        let edges = exec.ask_well(&json!({"op": "neighbours", "subject": entity(0), "depth": 1, "direction": "out", "limit": 1_000}));
        let has_edge = edges["result"]["edges"]
            .as_array()
            .unwrap()
            .iter()
            .any(|e| e["object"]["name"] == format!("Part {last}"));
        assert!(has_note && has_edge, "turn {last} is there in part");
        let found = exec.ask_well(&json!({"op": "fsck"}));
        assert_eq!(found["result"]["findings"], json!([]));
    }
}

#[test]
fn a_store_that_is_killed_thirty_times_keeps_every_acknowledged_turn_whole() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    let mut log = Log { newest: i64::MIN, ..Log::default() };
    let mut chance = Chance::new(1);
    for _ in 0..KILLS {
        let begun = Instant::now();
        let first = log.sent;
        let mut exec = Exec::start(&store);
        // The kill comes from a thread of its own, a moment after some turn was
        // acknowledged, whatever the stream is doing.
        let (pid, mut until_kill) = (exec.child.id(), chance.below(12));
        let wait = Duration::from_micros(u64::try_from(chance.between(0, 20_000)).unwrap());
        let (begin, begins) = mpsc::channel::<()>();
        let killer = thread::spawn(move || {
            begins.recv().unwrap();
            thread::sleep(wait);
            let killed = Command::new("kill").arg("-9").arg(pid.to_string()).status().unwrap();
            assert!(killed.success());
        });
        let mut pending = std::collections::VecDeque::new();
        let mut begin = Some(begin);
        loop {
            // Now and then several are under way at once.
            let ahead = 1 + chance.below(4);
            let mut is_alive = true;
            while pending.len() < ahead && is_alive {
                is_alive = exec.send(turn(log.sent).to_string().as_bytes());
                pending.push_back(log.sent);
                log.sent += 1;
            }
            let Some(answer) = exec.receive() else { break };
            if until_kill == 0
                && let Some(begin) = begin.take()
            {
                begin.send(()).unwrap();
            }
            until_kill = until_kill.saturating_sub(1);
            log.acknowledge(pending.pop_front().unwrap(), &answer);
        }
        killer.join().unwrap();
        exec.kill();
        let mut exec = Exec::start(&store);
        log.check(&mut exec, first..log.sent);
        assert_eq!(exec.end(), Some(0));
        assert!(begun.elapsed() < Duration::from_mins(1), "a round took {:?}", begun.elapsed());
    }
    assert!(log.acknowledged.len() > 2 * KILLS, "hardly anything was written before the kills");
    say(&format!("durability: {KILLS} kills, {} turns sent, {} there", log.sent, log.acknowledged.len()));
}

#[test]
fn a_second_process_is_told_at_once_who_holds_the_store_and_disturbs_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    let mut first = Exec::start(&store);
    first.ask_well(&turn(0));
    let begun = Instant::now();
    let second = binary::output(&store, &["--json", "stats"]);
    assert!(begun.elapsed() < Duration::from_secs(5), "it took {:?}", begun.elapsed());
    assert_eq!(second.status.code(), Some(2));
    let says: Json = serde_json::from_slice(&second.stdout).unwrap();
    assert_eq!(says["error"]["kind"], "unavailable", "{says}");
    let complaint = String::from_utf8_lossy(&second.stderr).into_owned();
    for named in [store.display().to_string(), first.child.id().to_string()] {
        assert!(complaint.contains(&named), "{complaint} names {named}");
    }
    first.ask_well(&turn(1));
    // The holder is killed: nothing has to be removed by hand.
    first.kill();
    let mut third = Exec::start(&store);
    assert_eq!(third.ask_well(&get(&entity(0), "state"))["result"]["value"], 1);
    assert_eq!(third.end(), Some(0));
}

#[test]
fn two_processes_that_start_at_once_lose_nothing_that_was_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    for round in 0..3 {
        let store = folder.path().join(format!("store {round}"));
        let begun = Instant::now();
        let mut both = [Exec::start(&store), Exec::start(&store)];
        let answers: Vec<Option<Json>> = both
            .iter_mut()
            .enumerate()
            .map(|(place, exec)| {
                exec.ask(&json!({"op": "assert", "subject": entity(place), "key": "own", "value": place}))
            })
            .collect();
        let codes = both.map(Exec::end);
        assert!(begun.elapsed() < Duration::from_secs(20), "it took {:?}", begun.elapsed());
        let mut reader = Exec::start(&store);
        let mut there = 0;
        for (place, (answer, code)) in answers.iter().zip(codes).enumerate() {
            let is_there = reader.ask_well(&get(&entity(place), "own"))["result"]["value"] == place;
            assert_eq!(is_there, answer.as_ref().is_some_and(|answer| answer["ok"] == true), "{answer:?}");
            assert_eq!(code, Some(if is_there { 0 } else { 2 }));
            there += usize::from(is_there);
        }
        assert!(there >= 1, "nobody got the store");
    }
}

#[test]
fn a_directory_that_is_something_else_is_refused_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join("photos");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("beach.jpg"), "sand").unwrap();
    let file = folder.path().join("letter.txt");
    fs::write(&file, "Dear").unwrap();
    for place in [&other, &file] {
        for arguments in [&["--json", "init"][..], &["--json", "stats"], &["--json", "export"]] {
            let output = binary::output(place, arguments);
            assert_eq!(output.status.code(), Some(2), "{arguments:?} on {}", place.display());
            let says: Json = serde_json::from_slice(&output.stdout).unwrap();
            let error = (says["error"]["kind"].as_str(), says["error"]["code"].as_str());
            assert_eq!(error, (Some("incompatible"), Some("not_a_store")), "{says}");
            assert!(says["error"]["message"].as_str().unwrap().contains(place.to_str().unwrap()), "{says}");
        }
    }
    let names: Vec<_> = fs::read_dir(&other).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["beach.jpg"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), "Dear");
    // Where there is nothing, reading makes nothing.
    let nothing = folder.path().join("nothing");
    let output = binary::output(&nothing, &["--json", "stats"]);
    assert_eq!((output.status.code(), nothing.exists()), (Some(2), false));
}

/// D05: a store whose manifest is gone or empty is never taken for a new one.
#[test]
fn a_store_that_lost_its_manifest_is_an_error_and_not_an_empty_store() {
    let damages = [
        |path: &Path| fs::write(path, "").unwrap(),
        |path: &Path| fs::remove_file(path).unwrap(),
        |path: &Path| fs::remove_dir_all(path.parent().unwrap()).unwrap(),
        |path: &Path| fs::remove_dir_all(path.parent().unwrap().parent().unwrap()).unwrap(),
    ];
    for damage in damages {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("store");
        let mut exec = Exec::start(&store);
        exec.ask_well(&turn(0));
        assert_eq!(exec.end(), Some(0));
        let manifests: Vec<PathBuf> = fs::read_dir(store.join("data").join("manifest"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        assert!(!manifests.is_empty());
        manifests.iter().filter(|path| path.exists()).for_each(|path| damage(path));
        let output = binary::output(&store, &["--json", "stats"]);
        assert_eq!(output.status.code(), Some(2));
        let says: Json = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(says["error"]["kind"], "corrupt", "{says}");
        assert!(says["error"]["message"].as_str().unwrap().contains(store.to_str().unwrap()), "{says}");
    }
}

#[test]
fn a_store_that_a_newer_version_wrote_is_refused_by_name_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    let mut exec = Exec::start(&store);
    exec.ask_well(&turn(0));
    assert_eq!(exec.end(), Some(0));
    set_version(&store, 99);
    let before = contents(&store);
    for arguments in [
        &["--json", "stats"][..],
        &["--json", "init"],
        &["--json", "assert", "product/Crate 0", "state", "9"],
    ] {
        let output = binary::output(&store, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let says: Json = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(says["error"]["kind"], "incompatible", "{says}");
        assert!(says["error"]["message"].as_str().unwrap().contains("99"), "{says} names the version");
    }
    assert_eq!(contents(&store), before, "a store that was refused is as it was");
    set_version(&store, 1);
    let mut exec = Exec::start(&store);
    assert_eq!(exec.ask_well(&get(&entity(0), "state"))["result"]["value"], 0);
    assert_eq!(exec.end(), Some(0));
}

/// Writes into a store which version made it, behind the back of the library.
fn set_version(store: &Path, version: i64) {
    let address = format!("surrealkv://{}", store.join("data").display());
    run(async move {
        let engine = surrealdb::engine::any::connect(address).await.unwrap();
        engine.use_ns("hitherto").use_db("main").await.unwrap();
        let changed =
            engine.query(format!("UPDATE ONLY meta:['schema'] SET version = {version}")).await.unwrap();
        changed.check().unwrap();
        drop(engine);
        // The engine lets go of its lock a moment later.
        tokio::time::sleep(Duration::from_millis(500)).await;
    });
}

/// The rows of a store, read behind the back of the library.
fn contents(store: &Path) -> String {
    let address = format!("surrealkv://{}", store.join("data").display());
    let (send, receive) = mpsc::channel();
    run(async move {
        let engine = surrealdb::engine::any::connect(address).await.unwrap();
        engine.use_ns("hitherto").use_db("main").await.unwrap();
        let mut answer = engine.query("SELECT * FROM meta, entity, fact, holder, inbound, name, turn, outcome, replay, uncertainty, doubt, policy").await.unwrap();
        let rows: surrealdb::types::Value = answer.take(0).unwrap();
        send.send(format!("{rows:?}")).unwrap();
        drop(engine);
        tokio::time::sleep(Duration::from_millis(500)).await;
    });
    let rows = receive.recv().unwrap();
    assert!(rows.contains("Crate 0"), "there is something to compare");
    rows
}

/// A small file system in memory, for as long as it is wanted.
struct Volume {
    folder: tempfile::TempDir,
}

impl Volume {
    fn mount(options: &str) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mounted =
            Command::new("mount").args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(folder.path()).output();
        if mounted.is_ok_and(|output| output.status.success()) {
            return Some(Self { folder });
        }
        say("\n!!! MOUNTING IS NOT PERMITTED; what happens on a full or read-only disk IS NOT TESTED HERE\n");
        None
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn remount(&self, options: &str) {
        let status = Command::new("mount")
            .arg("-o")
            .arg(format!("remount,{options}"))
            .arg(self.folder.path())
            .status()
            .unwrap();
        assert!(status.success());
    }
}

impl Drop for Volume {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.folder.path()).status();
    }
}

fn big(number: usize) -> Json {
    json!({"op": "assert", "subject": entity(number), "key": "load", "value": format!("{number} {}", "x".repeat(60_000))})
}

/// D04: the volume fills up.
#[test]
fn on_a_full_disk_a_write_is_refused_and_not_there_and_reads_go_on() {
    let Some(volume) = Volume::mount("size=24m") else { return };
    let store = volume.path().join("store");
    let mut exec = Exec::start(&store);
    let (mut well, mut refused) = (Vec::new(), Vec::new());
    for number in 0..2_000 {
        let answer = exec.ask(&big(number)).unwrap();
        if answer["ok"] == true {
            assert!(refused.is_empty(), "a full disk takes no more writes");
            well.push(number);
            continue;
        }
        let kind = answer["error"]["kind"].as_str().unwrap();
        assert!(["unavailable", "internal"].contains(&kind), "{answer}");
        refused.push(number);
        if refused.len() == 3 {
            break;
        }
    }
    assert!(well.len() > 20 && refused.len() == 3, "{} were stored, {} refused", well.len(), refused.len());
    for number in [well[0], well[well.len() / 2], *well.last().unwrap()] {
        assert_eq!(exec.ask_well(&get(&entity(number), "load"))["result"]["value"], big(number)["value"]);
    }
    for number in &refused {
        assert!(
            exec.ask_well(&get(&entity(*number), "load"))["result"]["value"].is_null(),
            "{number} was refused"
        );
    }
    exec.end();

    // With room again, all that was acknowledged is there and nothing else.
    volume.remount("size=64m");
    let mut exec = Exec::start(&store);
    for number in &well {
        assert_eq!(
            exec.ask_well(&get(&entity(*number), "load"))["result"]["value"],
            big(*number)["value"],
            "{number}"
        );
    }
    for number in &refused {
        assert!(
            exec.ask_well(&get(&entity(*number), "load"))["result"]["value"].is_null(),
            "{number} was refused"
        );
    }
    assert_eq!(exec.ask_well(&json!({"op": "fsck"}))["result"]["findings"], json!([]));
    exec.ask_well(&big(refused[0]));
    assert_eq!(exec.end(), Some(0));
}

#[test]
fn on_a_disk_that_cannot_be_written_a_write_is_refused_and_the_store_survives() {
    let Some(volume) = Volume::mount("size=64m") else { return };
    let store = volume.path().join("store");
    let mut exec = Exec::start(&store);
    for number in 0..5 {
        exec.ask_well(&big(number));
    }
    assert_eq!(exec.end(), Some(0));
    volume.remount("ro");
    // Opening may be refused, clearly and soon; what opens must refuse to write.
    let begun = Instant::now();
    let output = binary::output(&store, &["--json", "assert", "product/Crate 9", "load", "9"]);
    assert!(begun.elapsed() < Duration::from_secs(5), "it took {:?}", begun.elapsed());
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    let says: Json = serde_json::from_slice(&output.stdout).unwrap();
    let kind = says["error"]["kind"].as_str().unwrap();
    assert!(["unavailable", "internal"].contains(&kind), "{says}");
    volume.remount("rw");
    let mut exec = Exec::start(&store);
    for number in 0..5 {
        assert_eq!(exec.ask_well(&get(&entity(number), "load"))["result"]["value"], big(number)["value"]);
    }
    assert_eq!(exec.ask_well(&get(&entity(9), "load"))["result"]["because"], "never_recorded");
    assert_eq!(exec.end(), Some(0));
}
