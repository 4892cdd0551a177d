//! How many compilers may run at a time: as many things as cargo does at a time.
//!
//! Each process of a build may do one thing. For each further one it takes a token, a byte, from a pipe that all of
//! them share, and puts it back afterwards. That is the protocol of make's job server:
//! <https://www.gnu.org/software/make/manual/html_node/POSIX-Jobserver.html>. The crate `jobserver`, which cargo
//! and rustc speak it with, adopts the pipe's descriptors, which takes `unsafe`; opening them anew by name does not, and
//! then reading need not wait either.

use std::{
    num::NonZero,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

/// The variable that tells the processes of a build of cargo about the pipe.
const VARIABLE: &str = "CARGO_MAKEFLAGS";

/// What limits the compilers that run at a time. One may run in any case.
#[derive(Clone, Debug)]
pub struct Jobs(Tokens);

#[derive(Clone, Debug)]
enum Tokens {
    /// Those of a build, in the pipe that its processes share.
    #[cfg(target_os = "linux")]
    Shared(Arc<pipe::Pipe>),
    /// Our own, counted.
    Own(Arc<AtomicUsize>),
}

/// The right to run one more, until this is dropped.
#[derive(Debug)]
pub(super) struct Token<'a> {
    jobs: &'a Jobs,
    byte: u8,
}

impl Jobs {
    /// The limit of the build that this process is part of, or else the number of processors.
    pub(super) fn of_this_build() -> Self {
        #[cfg(target_os = "linux")]
        if let Some(pipe) = std::env::var(VARIABLE)
            .ok()
            .and_then(|flags| pipe::Pipe::named_in(&flags))
        {
            return Self(Tokens::Shared(Arc::new(pipe)));
        }
        Self::up_to(thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN))
    }

    /// A limit that nobody shares.
    pub fn up_to(limit: NonZero<usize>) -> Self {
        Self(Tokens::Own(Arc::new(AtomicUsize::new(limit.get() - 1))))
    }

    /// The right to run one more than the one that may run in any case, if there is one to be had now.
    pub(super) fn try_take(&self) -> Option<Token<'_>> {
        let byte = match &self.0 {
            #[cfg(target_os = "linux")]
            Tokens::Shared(pipe) => pipe.try_take()?,
            Tokens::Own(left) => {
                let less = |left: usize| left.checked_sub(1);
                left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less)
                    .ok()?;
                0
            }
        };
        Some(Token { jobs: self, byte })
    }
}

impl Drop for Token<'_> {
    fn drop(&mut self) {
        match &self.jobs.0 {
            #[cfg(target_os = "linux")]
            Tokens::Shared(pipe) => pipe.put_back(self.byte),
            Tokens::Own(left) => {
                left.fetch_add(1, Ordering::Relaxed);
            }
        }
    }
}

#[cfg(target_os = "linux")]
mod pipe {
    use std::{
        fs::File,
        io::{Read, Write},
        os::unix::fs::{FileTypeExt, OpenOptionsExt},
        path::PathBuf,
    };

    /// Both ends of a pipe with tokens.
    #[derive(Debug)]
    pub(super) struct Pipe {
        read: File,
        write: File,
    }

    impl Pipe {
        /// The pipe that flags of make name: by two descriptors, `--jobserver-auth=3,4`, or by its path,
        /// `--jobserver-auth=fifo:/tmp/pipe`. Nothing if they name none, or one that is closed for this process.
        pub(super) fn named_in(flags: &str) -> Option<Self> {
            let mut words = flags.split_ascii_whitespace().rev();
            let named = words.find_map(|word| {
                let value = word.strip_prefix("--jobserver-auth=");
                value.or_else(|| word.strip_prefix("--jobserver-fds="))
            })?;
            let (read, write) = match named.strip_prefix("fifo:") {
                Some(path) => (PathBuf::from(path), PathBuf::from(path)),
                None => {
                    let (read, write) = named.split_once(',')?;
                    (descriptor(read)?, descriptor(write)?)
                }
            };
            // Both ends can be opened for both, so neither waits for somebody to open the other.
            Some(Self {
                read: open(read)?,
                write: open(write)?,
            })
        }

        pub(super) fn try_take(&self) -> Option<u8> {
            let mut byte = [0];
            let taken = (&self.read).read(&mut byte).ok()?;
            byte.first().copied().filter(|_| taken == 1)
        }

        pub(super) fn put_back(&self, byte: u8) {
            // There is room, as it was there before.
            let _ = (&self.write).write_all(&[byte]);
        }
    }

    fn descriptor(number: &str) -> Option<PathBuf> {
        let number: u32 = number.parse().ok()?;
        Some(format!("/proc/self/fd/{number}").into())
    }

    /// A pipe, opened anew, so that reading from an empty one does not wait here and still does elsewhere.
    fn open(path: PathBuf) -> Option<File> {
        let mut options = File::options();
        options.read(true).write(true);
        let file = options.custom_flags(libc::O_NONBLOCK).open(path).ok()?;
        let is_pipe = file.metadata().ok()?.file_type().is_fifo();
        is_pipe.then_some(file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_less_than_the_limit_may_be_taken() {
        let three = Jobs::up_to(NonZero::new(3).unwrap());
        let (first, second) = (three.try_take().unwrap(), three.try_take().unwrap());
        assert!(three.try_take().is_none());
        drop(first);
        let third = three.try_take().unwrap();
        assert!(three.try_take().is_none());
        drop((second, third));
        assert!(Jobs::up_to(NonZero::<usize>::MIN).try_take().is_none());
    }

    #[cfg(target_os = "linux")]
    mod shared {
        use super::*;
        use std::{
            io::{PipeReader, PipeWriter, Read, Write, pipe},
            os::fd::AsRawFd,
            process::Command,
        };

        fn jobs(flags: &str) -> Option<Jobs> {
            let pipe = super::super::pipe::Pipe::named_in(flags)?;
            Some(Jobs(Tokens::Shared(Arc::new(pipe))))
        }

        fn named(read: &PipeReader, write: &PipeWriter) -> String {
            format!("{},{}", read.as_raw_fd(), write.as_raw_fd())
        }

        #[test]
        fn tokens_of_a_build_are_taken_and_put_back() {
            let (mut read, mut write) = pipe().unwrap();
            write.write_all(b"ab").unwrap();
            let named = named(&read, &write);
            let jobs = jobs(&format!(
                "-j --jobserver-fds={named} --jobserver-auth={named}"
            ));
            let jobs = jobs.unwrap();
            let (first, second) = (jobs.try_take().unwrap(), jobs.try_take().unwrap());
            assert!(jobs.try_take().is_none());
            drop((second, first));
            let mut back = [0; 2];
            read.read_exact(&mut back).unwrap();
            back.sort_unstable();
            assert_eq!(&back, b"ab");
        }

        #[test]
        fn a_pipe_may_have_a_name() {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("tokens");
            assert!(
                Command::new("mkfifo")
                    .arg(&path)
                    .status()
                    .unwrap()
                    .success()
            );
            let jobs = jobs(&format!("--jobserver-auth=fifo:{}", path.display())).unwrap();
            assert!(jobs.try_take().is_none());
            let Tokens::Shared(pipe) = &jobs.0 else {
                unreachable!()
            };
            pipe.put_back(b'x');
            assert_eq!(jobs.try_take().unwrap().byte, b'x');
        }

        #[test]
        fn what_is_no_pipe_is_not_touched() {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("file");
            std::fs::write(&path, "ab").unwrap();
            let file = std::fs::File::options()
                .read(true)
                .write(true)
                .open(&path)
                .unwrap();
            let number = file.as_raw_fd();
            for flags in [
                "".to_owned(),
                "-j4".to_owned(),
                "--jobserver-auth=".to_owned(),
                "--jobserver-auth=3".to_owned(),
                "--jobserver-auth=-2,-2".to_owned(),
                "--jobserver-auth=999998,999999".to_owned(),
                format!("--jobserver-auth={number},{number}"),
                format!("--jobserver-auth=fifo:{}", path.display()),
            ] {
                assert!(jobs(&flags).is_none(), "{flags}");
            }
            assert_eq!(std::fs::read(&path).unwrap(), b"ab");
        }
    }
}
