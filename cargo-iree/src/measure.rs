//! Times of things that are done many times, in turns.

use anyhow::Result;
use serde::Serialize;
use std::time::{Duration, Instant};

/// How long a round should take at least, so that reading the clock does not count.
const ROUND: Duration = Duration::from_millis(5);

/// Fewer rounds say little about how much they differ.
pub(crate) const FEW: usize = 5;

/// What is measured.
pub(crate) type Call<'a> = dyn FnMut() -> Result<()> + 'a;

/// Seconds for one call, as seen in each round.
#[derive(Clone, Debug)]
pub(crate) struct Times(Vec<f64>);

/// What is told of [`Times`], in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Summary {
    /// Half of the rounds were faster.
    pub(crate) median: f64,
    /// One round in ten was faster.
    pub(crate) low: f64,
    /// One round in ten was slower.
    pub(crate) high: f64,
    /// How many rounds there were.
    pub(crate) rounds: usize,
}

/// Calls each in turn, a round of calls at a time, until each had its time and a round. What disturbs the machine for a
/// while so disturbs all of them.
///
/// # Errors
///
/// If a call fails.
pub(crate) fn in_turns(calls: &mut [&mut Call<'_>], time: Duration) -> Result<Vec<Times>> {
    let mut counts = Vec::new();
    for call in calls.iter_mut() {
        counts.push(calls_in_a_round(*call)?);
    }
    let mut times = vec![Times(Vec::new()); calls.len()];
    let all = time.saturating_mul(calls.len().try_into().unwrap_or(u32::MAX));
    let begin = Instant::now();
    while begin.elapsed() < all || times.iter().any(|times| times.0.is_empty()) {
        for ((call, count), times) in calls.iter_mut().zip(&counts).zip(&mut times) {
            times.0.push(round(*call, *count)?);
        }
    }
    Ok(times)
}

/// Seconds for one call.
fn round(call: &mut Call<'_>, count: u32) -> Result<f64> {
    let begin = Instant::now();
    for _ in 0..count {
        call()?;
    }
    Ok(begin.elapsed().as_secs_f64() / f64::from(count))
}

/// How many calls fill a round. It also warms up.
fn calls_in_a_round(call: &mut Call<'_>) -> Result<u32> {
    let mut count = 1;
    loop {
        let taken = round(call, count)? * f64::from(count);
        if taken >= ROUND.as_secs_f64() || count >= 1 << 24 {
            return Ok(count);
        }
        count *= 2;
    }
}

/// How often something is called at most, and until when no further call is begun.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    pub(crate) calls: u32,
    pub(crate) time: Duration,
}

/// Calls as often as the budget allows, but once at least, and times each call alone. What is done after a call is not timed,
/// though it counts to the budget.
///
/// # Errors
///
/// If a call fails.
pub(crate) fn one_by_one(
    call: &mut Call<'_>,
    budget: Budget,
    mut after: impl FnMut() -> Result<()>,
) -> Result<Times> {
    let mut times = Times(Vec::new());
    let begin = Instant::now();
    for number in 0..budget.calls {
        if number > 0 && begin.elapsed() >= budget.time {
            break;
        }
        times.0.push(round(call, 1)?);
        after()?;
    }
    Ok(times)
}

impl Times {
    /// Times that were taken elsewhere, in seconds.
    pub(crate) const fn of(seconds: Vec<f64>) -> Self {
        Self(seconds)
    }

    pub(crate) fn summary(&self) -> Summary {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        Summary {
            median: quantile(&sorted, 0.5),
            low: quantile(&sorted, 0.1),
            high: quantile(&sorted, 0.9),
            rounds: sorted.len(),
        }
    }

    /// How many times as long as another it took, round by round.
    pub(crate) fn relative_to(&self, other: &Self) -> Self {
        let pairs = self.0.iter().zip(&other.0);
        Self(pairs.map(|(own, other)| own / other).collect())
    }
}

/// The value that a part of the sorted values is below, between two of them in proportion.
fn quantile(sorted: &[f64], part: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else {
        return f64::NAN;
    };
    let place = part * last as f64;
    let below = place.floor() as usize;
    let above = sorted[(below + 1).min(last)];
    sorted[below] + (above - sorted[below]) * place.fract()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_between_the_values() {
        assert_eq!(quantile(&[1.0, 2.0, 4.0], 0.5), 2.0);
        assert_eq!(quantile(&[1.0, 2.0], 0.5), 1.5);
        assert_eq!(quantile(&[3.0], 0.9), 3.0);
        assert!(quantile(&[], 0.5).is_nan());
    }

    #[test]
    fn calls_take_turns() {
        let mut order = Vec::new();
        let order = std::cell::RefCell::new(&mut order);
        let wait = |name| {
            order.borrow_mut().push(name);
            std::thread::sleep(ROUND);
            Ok(())
        };
        let mut one = || wait(1);
        let mut other = || wait(2);
        let times = in_turns(&mut [&mut one, &mut other], 2 * ROUND).unwrap();
        assert!((2..=4).contains(&times[0].summary().rounds));
        assert!(times[0].summary().median >= ROUND.as_secs_f64());
        // One call each to find out how many fill a round.
        assert_eq!(order.borrow()[..6], [1, 2, 1, 2, 1, 2]);
    }

    #[test]
    fn what_takes_longer_than_its_time_is_done_once() {
        let count = std::cell::Cell::new(0);
        let mut call = || {
            count.set(count.get() + 1);
            std::thread::sleep(ROUND);
            Ok(())
        };
        let times = in_turns(&mut [&mut call], Duration::ZERO).unwrap();
        assert_eq!((times[0].summary().rounds, count.get()), (1, 2));
        let budget = |calls, time| Budget { calls, time };
        let mut rounds = |budget| {
            let times = one_by_one(&mut call, budget, || Ok(())).unwrap();
            times.summary().rounds
        };
        assert_eq!(rounds(budget(100, Duration::ZERO)), 1);
        assert_eq!(rounds(budget(3, Duration::MAX)), 3);
        assert!((1..=4).contains(&rounds(budget(100, 3 * ROUND))));
    }

    #[test]
    fn what_is_done_after_a_call_is_not_timed() {
        let long = Duration::from_secs(1);
        let after = || {
            std::thread::sleep(long);
            Ok(())
        };
        let budget = Budget {
            calls: 1,
            time: Duration::ZERO,
        };
        let times = one_by_one(&mut || Ok(()), budget, after).unwrap();
        assert!(times.summary().median < long.as_secs_f64());
    }

    #[test]
    fn a_call_that_fails_ends_it() {
        let mut fails = || anyhow::bail!("no");
        assert!(in_turns(&mut [&mut fails], Duration::ZERO).is_err());
    }

    #[test]
    fn ratios_are_taken_round_by_round() {
        let (slow, fast) = (Times(vec![2.0, 4.0]), Times(vec![1.0, 4.0]));
        assert_eq!(slow.relative_to(&fast).0, [2.0, 1.0]);
    }
}
