//! The cases and records that lie beside the repository, where they are there.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use super::say;

/// Returns a path under the shared folder, or says loudly what is not run.
pub(crate) fn locate(path: &str) -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    let named = std::env::var_os("HITHERTO_SHARED").map(PathBuf::from);
    let found = find(path, &[Some(beside), named]);
    if found.is_none() {
        say(&format!(
            "\n!!! {path} IS ABSENT: neither ../shared beside the repository nor HITHERTO_SHARED has it; \
             THE CASES OF IT ARE NOT RUN\n"
        ));
    }
    found
}

fn find(path: &str, places: &[Option<PathBuf>]) -> Option<PathBuf> {
    places.iter().flatten().map(|place| place.join(path)).find(|place| place.is_file())
}

/// Returns the JSON lines of a file, compressed or not.
pub(crate) fn lines(path: &Path) -> Vec<Json> {
    let mut text = String::new();
    let mut file = File::open(path).unwrap();
    if path.extension().is_some_and(|end| end == "gz") {
        flate2::read::MultiGzDecoder::new(file).read_to_string(&mut text).unwrap();
    } else {
        file.read_to_string(&mut text).unwrap();
    }
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn what_is_absent_is_not_found_and_the_first_place_that_has_it_is_taken() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("here"), "").unwrap();
    let empty = tempfile::tempdir().unwrap();
    let (full, empty) = (Some(folder.path().to_owned()), Some(empty.path().to_owned()));
    assert_eq!(find("here", &[empty.clone(), None, full.clone()]), Some(folder.path().join("here")));
    assert_eq!(find("there", &[full, empty]), None);
}
