//! One piece of work, done by every side.

use crate::{
    options::Options,
    python::Python,
    side::{Clock, Prepared},
    statistics::median,
    work::Work,
};
use anyhow::{Context, Result, ensure};
use iree_dsl::Device;
use ndarray::ArrayD;
use std::time::Duration;

/// The sides, in the order of the columns.
pub(crate) fn names(options: &Options) -> [&'static str; 4] {
    ["iree-dsl", options.library().name(), "candle", "ndarray"]
}

/// A side, if it takes part.
pub(crate) type Side<'a> = Option<Box<dyn Prepared + 'a>>;

/// What came of one piece of work.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    /// What a call takes, in milliseconds, for each side that does this work.
    pub(crate) times: Vec<Option<f64>>,
    /// The time of the first over that of a side, as the median of rounds in which both had their turn.
    pub(crate) ratios: Vec<Option<f64>>,
}

/// Has all sides do the work: first compares what they compute, then times them in turns.
pub(crate) fn hold(
    work: &Work,
    device: &Device,
    python: Option<&mut Python>,
    options: &Options,
) -> Result<Row> {
    let inputs = (work.inputs)();
    let ours = (work.ours)(device, &inputs).context("iree-dsl")?;
    let others = |prepare: Option<crate::work::Prepare>| {
        let prepare = prepare.filter(|_| options.compares_crates());
        prepare.map(|prepare| prepare(&inputs)).transpose()
    };
    let in_python = match python {
        Some(python) => Some(python.prepare(work.name, work.python, &inputs)?),
        None => None,
    };
    let sides = vec![
        Some(ours),
        in_python,
        others(work.candle).context("candle")?,
        others(work.ndarray).context("ndarray")?,
    ];
    race(work.name, work.tolerance, &names(options), sides, options)
}

/// Compares what sides compute that are ready, then times them in turns.
pub(crate) fn race(
    name: &'static str,
    tolerance: f32,
    names: &[&'static str],
    mut sides: Vec<Side<'_>>,
    options: &Options,
) -> Result<Row> {
    compare(tolerance, names, &mut sides).context(name)?;
    let turn = Duration::from_millis(options.turn);
    let mut calls = Vec::new();
    for side in &mut sides {
        calls.push(match side {
            Some(side) => calls_of(side.as_mut(), turn)?,
            None => 0,
        });
    }
    let mut rounds = Vec::new();
    for _ in 0..options.rounds {
        let mut round = Vec::new();
        for (side, calls) in sides.iter_mut().zip(&calls) {
            round.push(match side {
                Some(side) => {
                    let taken = side.time(*calls, options.clock)?.as_secs_f64();
                    Some(taken * 1e3 / f64::from(*calls))
                }
                None => None,
            });
        }
        rounds.push(round);
    }
    Ok(summary(name, &rounds))
}

fn summary(name: &'static str, rounds: &[Vec<Option<f64>>]) -> Row {
    let sides = rounds.first().map_or(0, Vec::len);
    let of = |side: usize| rounds.iter().filter_map(move |round| round[side]);
    let ratio = |round: &[Option<f64>], side: usize| Some(round[0]? / round[side]?);
    let ratios = |side| rounds.iter().filter_map(move |round| ratio(round, side));
    Row {
        name,
        times: (0..sides).map(|side| median(of(side))).collect(),
        ratios: (0..sides).map(|side| median(ratios(side))).collect(),
    }
}

/// Every side computes what the first computes, as far as its order of summation lets it.
fn compare(tolerance: f32, names: &[&'static str], sides: &mut [Side<'_>]) -> Result<()> {
    let mut ours: Option<ArrayD<f32>> = None;
    for (side, name) in sides.iter_mut().zip(names) {
        let Some(side) = side else { continue };
        let result = side.result().context(*name)?;
        let Some(ours) = &ours else {
            ours = Some(result);
            continue;
        };
        let shapes = (ours.shape(), result.shape());
        ensure!(shapes.0 == shapes.1, "{name}: a result of shape {shapes:?}");
        let largest = ours.iter().fold(0.0, |most: f32, x| most.max(x.abs()));
        let pairs = ours.iter().zip(&result);
        let distance = pairs.fold(0.0, |most: f32, (ours, other)| {
            most.max((ours - other).abs())
        });
        let tolerated = tolerance * largest;
        ensure!(
            largest.is_finite() && distance <= tolerated,
            "{name} differs from iree-dsl by {distance}, more than {tolerated}"
        );
    }
    Ok(())
}

/// How many calls fill a turn. The first call, which does more than others, is not timed.
fn calls_of(side: &mut dyn Prepared, turn: Duration) -> Result<u32> {
    side.time(1, Clock::Wall)?;
    let mut calls = 1;
    loop {
        let taken = side.time(calls, Clock::Wall)?;
        if taken >= turn / 2 || calls > 1 << 20 {
            let fitting = f64::from(calls) * turn.as_secs_f64() / taken.as_secs_f64();
            return Ok((fitting.ceil() as u32).max(1));
        }
        calls *= 2;
    }
}
