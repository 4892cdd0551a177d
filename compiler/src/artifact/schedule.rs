//! Several jobs at once.
//!
//! `cargo`'s job server is not asked: joining it takes `unsafe`, and its tokens would say little about
//! a compiler that runs threads of its own.

use super::failure::Failure;
use std::{
    num::NonZero,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

/// Runs `work` on each item with at most `jobs` at a time; the results are in the items' order, and
/// the first failure in that order wins. After a failure no further item is begun.
pub(super) fn in_parallel<T: Sync, R: Send>(
    jobs: NonZero<usize>,
    items: &[T],
    work: impl Fn(&T) -> Result<R, Failure> + Sync,
) -> Result<Vec<R>, Failure> {
    let next = AtomicUsize::new(0);
    let finished = Mutex::new(Vec::new());
    let worker = || {
        while let Some((index, item)) = take(&next, items) {
            let result = work(item);
            if result.is_err() {
                next.store(items.len(), Ordering::Relaxed);
            }
            let mut finished = finished.lock().unwrap_or_else(PoisonError::into_inner);
            finished.push((index, result));
        }
    };
    thread::scope(|scope| {
        for _ in 1..jobs.get().min(items.len()) {
            // Where there is no thread to be had, this one does all the work.
            let _ = thread::Builder::new().spawn_scoped(scope, worker);
        }
        worker();
    });
    let mut finished = finished
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    finished.sort_by_key(|(index, _)| *index);
    finished.into_iter().map(|(_, result)| result).collect()
}

fn take<'a, T>(next: &AtomicUsize, items: &'a [T]) -> Option<(usize, &'a T)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    items.get(index).map(|item| (index, item))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{io, sync::Barrier};

    fn failure(item: i32) -> Failure {
        Failure::Files {
            action: item.to_string(),
            error: io::ErrorKind::Other.into(),
        }
    }

    #[test]
    fn results_keep_the_order_of_the_items() {
        let both = Barrier::new(2);
        let two = NonZero::new(2).unwrap();
        let results = in_parallel(two, &[3, 5], |item| {
            both.wait();
            Ok(item * 2)
        });
        assert_eq!(results.unwrap(), [6, 10]);
    }

    #[test]
    fn nothing_is_begun_after_a_failure() {
        let begun = AtomicUsize::new(0);
        let one = NonZero::<usize>::MIN;
        let result = in_parallel(one, &[1, 2, 3], |item| {
            begun.fetch_add(1, Ordering::Relaxed);
            if *item == 2 {
                Err(failure(*item))
            } else {
                Ok(())
            }
        });
        assert!(matches!(result, Err(Failure::Files { action, .. }) if action == "2"));
        assert_eq!(begun.into_inner(), 2);
    }
}
