//! A child process with a time limit.

use std::{
    env,
    ffi::OsString,
    io,
    io::Read,
    path::Path,
    process::{Command, ExitStatus, Stdio},
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
    time::Duration,
};
use wait_timeout::ChildExt;

/// The variables that a child sees. What is not listed cannot influence it: `IREE_LOAD_PLUGINS` or
/// another linker would change an artifact without changing its key. The listed ones find the
/// program's libraries, or the interpreter if it is a script.
const ENVIRONMENT: [&str; 7] = [
    "PATH",
    "HOME",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "DYLD_FALLBACK_LIBRARY_PATH",
    "PYTHONPATH",
    "SYSTEMROOT",
];

/// How much of an output is kept, in bytes. The first messages are those that matter.
const OUTPUT_LIMIT: usize = 1 << 20;

/// How long the outputs of a child that ended may take. They end with it, unless a child of its own
/// holds them open.
const GRACE: Duration = Duration::from_secs(1);

/// A process to run.
///
/// It stays in our process group, so that Ctrl-C ends it too.
pub(super) struct Child<'a> {
    pub(super) program: &'a Path,
    pub(super) arguments: &'a [OsString],
    /// Where it runs, and puts its temporary files.
    pub(super) directory: &'a Path,
    pub(super) limit: Duration,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Success,
    Failure,
    Signal(i32),
    /// Somebody has had enough of it.
    Interrupted,
    TimedOut,
}

/// What a process left.
#[derive(Debug)]
pub(super) struct Output {
    pub(super) ending: Ending,
    pub(super) stdout: String,
    pub(super) stderr: String,
}

impl Child<'_> {
    /// Runs it to its end or to the time limit.
    pub(super) fn run(&self) -> io::Result<Output> {
        let inherited = ENVIRONMENT
            .iter()
            .filter_map(|name| Some((*name, env::var_os(name)?)));
        let child = Command::new(self.program)
            .args(self.arguments)
            .current_dir(self.directory)
            .env_clear()
            .envs(inherited)
            // Without its name: the IREE compiler hands paths of temporary files to a shell as they are.
            .env("TMPDIR", ".")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let mut running = Running(child);
        let stdout = running.0.stdout.take().map(Drain::start).transpose()?;
        let stderr = running.0.stderr.take().map(Drain::start).transpose()?;
        let status = running.0.wait_timeout(self.limit)?;
        drop(running);
        Ok(Output {
            ending: status.map_or(Ending::TimedOut, ending),
            stdout: stdout.map(Drain::finish).unwrap_or_default(),
            stderr: stderr.map(Drain::finish).unwrap_or_default(),
        })
    }
}

/// The numbers of the signals that Ctrl-C, a terminal that is closed, and those who end processes send: SIGINT, SIGHUP and
/// SIGTERM. Rustc goes on for a moment after each of them.
#[cfg(unix)]
const INTERRUPTS: [i32; 3] = [2, 1, 15];

fn ending(status: ExitStatus) -> Ending {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return match INTERRUPTS.contains(&signal) {
            true => Ending::Interrupted,
            false => Ending::Signal(signal),
        };
    }
    if status.success() {
        Ending::Success
    } else {
        Ending::Failure
    }
}

/// A process that does not outlive its owner.
struct Running(std::process::Child);

impl Drop for Running {
    fn drop(&mut self) {
        // Both fail if it has ended and been waited for, which is most often the case.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Reads an output to its end, whatever its length, so that the child never waits for us.
struct Drain {
    kept: Arc<Mutex<Vec<u8>>>,
    end: mpsc::Receiver<()>,
}

impl Drain {
    fn start(mut output: impl Read + Send + 'static) -> io::Result<Self> {
        let kept = Arc::new(Mutex::new(Vec::new()));
        let (finished, end) = mpsc::channel();
        let shared = Arc::clone(&kept);
        thread::Builder::new().spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(length @ 1..) = output.read(&mut buffer) {
                let mut kept = shared.lock().unwrap_or_else(PoisonError::into_inner);
                let room = OUTPUT_LIMIT.saturating_sub(kept.len());
                kept.extend(buffer.iter().take(length.min(room)));
            }
            // Nobody may be listening any more.
            let _ = finished.send(());
        })?;
        Ok(Self { kept, end })
    }

    fn finish(self) -> String {
        // Whether the end was reached or not, what was read so far is what there is.
        let _ = self.end.recv_timeout(GRACE);
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&kept).into_owned()
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::time::Instant;

    fn shell(script: &str, limit: Duration) -> Output {
        let directory = tempfile::tempdir().unwrap();
        let child = Child {
            program: Path::new("/bin/sh"),
            arguments: &["-c".into(), script.into()],
            directory: directory.path(),
            limit,
        };
        child.run().unwrap()
    }

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn the_ending_is_told() {
        assert_eq!(shell("exit 0", LONG).ending, Ending::Success);
        assert_eq!(shell("exit 3", LONG).ending, Ending::Failure);
        assert_eq!(shell("kill -SEGV $$", LONG).ending, Ending::Signal(11));
        for signal in ["INT", "HUP", "TERM"] {
            // Who runs the tests may ignore signals, which would be handed down.
            let script = format!("exec env --default-signal sh -c 'kill -{signal} $$'");
            let ending = shell(&script, LONG).ending;
            assert_eq!(ending, Ending::Interrupted, "{signal}");
        }
    }

    #[test]
    fn a_hang_ends_at_the_limit_although_a_grandchild_holds_the_output() {
        let start = Instant::now();
        let output = shell("echo begun >&2; sleep 30", Duration::from_millis(200));
        assert_eq!(output.ending, Ending::TimedOut);
        assert_eq!(output.stderr, "begun\n");
        assert!(start.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn long_outputs_are_cut_and_do_not_block() {
        let output = shell(
            "head -c 5000000 /dev/zero; head -c 5000000 /dev/zero >&2; exit 0",
            LONG,
        );
        assert_eq!(output.ending, Ending::Success);
        assert_eq!(output.stdout.len(), OUTPUT_LIMIT);
        assert_eq!(output.stderr.len(), OUTPUT_LIMIT);
    }

    #[test]
    fn the_environment_does_not_leak() {
        let output = shell("env", LONG);
        let names: Vec<&str> = output
            .stdout
            .lines()
            .filter_map(|l| Some(l.split_once('=')?.0))
            .collect();
        assert!(names.contains(&"TMPDIR"));
        // The test runner sets it, and we do not pass it on.
        assert!(env::var_os("CARGO_MANIFEST_DIR").is_some());
        assert!(!names.contains(&"CARGO_MANIFEST_DIR"));
    }
}
