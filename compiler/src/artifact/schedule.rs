//! Several jobs at once.

use super::{failure::Failure, jobs::Jobs};
use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

/// How long to wait before asking again whether more may run.
const PERIOD: Duration = Duration::from_millis(20);

/// Runs `work` on each item, on as many at a time as `jobs` allows; the results are in the items' order, and
/// the first failure in that order wins. After a failure no further item is begun.
pub(super) fn in_parallel<'i, T: Sync, R: Send>(
    jobs: &Jobs,
    items: &'i [T],
    work: impl Fn(&'i T) -> Result<R, Failure> + Sync,
) -> Result<Vec<R>, Failure> {
    let next = AtomicUsize::new(0);
    let finished = Mutex::new(Vec::new());
    let do_next = || {
        let Some((index, item)) = take(&next, items) else {
            return;
        };
        let result = work(item);
        if result.is_err() {
            next.store(items.len(), Ordering::Relaxed);
        }
        let mut finished = finished.lock().unwrap_or_else(PoisonError::into_inner);
        finished.push((index, result));
    };
    let is_more = || next.load(Ordering::Relaxed) < items.len();
    let helper = || {
        while is_more() {
            match jobs.try_take() {
                Some(_token) => do_next(),
                None => thread::sleep(PERIOD),
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..items.len() {
            // Where there is no thread to be had, this one does all the work.
            let _ = thread::Builder::new().spawn_scoped(scope, helper);
        }
        while is_more() {
            do_next();
        }
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
    use std::{io, num::NonZero, sync::Barrier};

    fn failure(item: i32) -> Failure {
        Failure::Files {
            action: item.to_string(),
            error: io::ErrorKind::Other.into(),
        }
    }

    fn up_to(limit: usize) -> Jobs {
        Jobs::up_to(NonZero::new(limit).unwrap())
    }

    #[test]
    fn no_more_run_than_may() {
        let (running, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let results = in_parallel(&up_to(2), &[0; 8], |_| {
            most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            thread::sleep(PERIOD);
            running.fetch_sub(1, Ordering::SeqCst);
            Ok(())
        });
        assert_eq!(results.unwrap().len(), 8);
        assert_eq!(most.into_inner(), 2);
    }

    #[test]
    fn results_keep_the_order_of_the_items() {
        let both = Barrier::new(2);
        let results = in_parallel(&up_to(2), &[3, 5], |item| {
            both.wait();
            Ok(item * 2)
        });
        assert_eq!(results.unwrap(), [6, 10]);
    }

    #[test]
    fn nothing_is_begun_after_a_failure() {
        let begun = AtomicUsize::new(0);
        let result = in_parallel(&up_to(1), &[1, 2, 3], |item| {
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
