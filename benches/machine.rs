//! What the figures were measured on.

use std::process::Command;

/// Returns a sentence that names the machine.
pub(crate) fn describe() -> String {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let field = |text: &str, name: &str| {
        let line = text.lines().find(|line| line.starts_with(name))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let unknown = || "unknown".to_owned();
    let processor = field(&read("/proc/cpuinfo"), "model name").unwrap_or_else(unknown);
    let cores = std::thread::available_parallelism().map_or_else(|_| unknown(), |n| n.to_string());
    let memory = field(&read("/proc/meminfo"), "MemTotal")
        .and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok())
        .map_or_else(unknown, |kib| format!("{:.1} GiB", kib / 1_048_576.0));
    let kernel = read("/proc/sys/kernel/osrelease").trim().to_owned();
    let compiler = Command::new("rustc")
        .arg("--version")
        .output()
        .ok()
        .and_then(|output| String::from_utf8(output.stdout).ok())
        .map_or_else(unknown, |text| text.trim().to_owned());
    let load = read("/proc/loadavg").split(' ').next().unwrap_or_default().to_owned();
    format!(
        "Machine: {processor}, {cores} cores, {memory} memory, Linux {kernel}, {compiler}; \
         load average at the end {load}."
    )
}
