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

/// How many sides there are.
pub(crate) const SIDES: usize = 4;

/// The sides, in the order of the columns.
pub(crate) const fn names(options: &Options) -> [&'static str; SIDES] {
    ["iree-dsl", options.library().name(), "candle", "ndarray"]
}

/// What came of one piece of work.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    /// What a call takes, in milliseconds, for each side that does this work.
    pub(crate) times: [Option<f64>; SIDES],
    /// Our time over that of a side, as the median of rounds in which both had their turn.
    pub(crate) ratios: [Option<f64>; SIDES],
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
    let mut sides: [Option<Box<dyn Prepared + '_>>; SIDES] = [
        Some(ours),
        in_python,
        others(work.candle).context("candle")?,
        others(work.ndarray).context("ndarray")?,
    ];
    compare(work, names(options), &mut sides)?;

    let turn = Duration::from_millis(options.turn);
    let mut calls = [0; SIDES];
    for (side, calls) in sides.iter_mut().zip(&mut calls) {
        if let Some(side) = side {
            *calls = calls_of(side.as_mut(), turn)?;
        }
    }
    let mut rounds = Vec::new();
    for _ in 0..options.rounds {
        let mut round = [None; SIDES];
        for ((side, calls), time) in sides.iter_mut().zip(calls).zip(&mut round) {
            if let Some(side) = side {
                let taken = side.time(calls, options.clock)?.as_secs_f64();
                *time = Some(taken * 1e3 / f64::from(calls));
            }
        }
        rounds.push(round);
    }
    Ok(summary(work.name, &rounds))
}

fn summary(name: &'static str, rounds: &[[Option<f64>; SIDES]]) -> Row {
    let of = |side: usize| rounds.iter().filter_map(move |round| round[side]);
    let ratio = |round: &[Option<f64>; SIDES], side: usize| Some(round[0]? / round[side]?);
    let ratios = |side| rounds.iter().filter_map(move |round| ratio(round, side));
    Row {
        name,
        times: [0, 1, 2, 3].map(|side| median(of(side))),
        ratios: [0, 1, 2, 3].map(|side| median(ratios(side))),
    }
}

/// Every side computes what we compute, as far as its order of summation lets it.
fn compare(
    work: &Work,
    names: [&'static str; SIDES],
    sides: &mut [Option<Box<dyn Prepared + '_>>],
) -> Result<()> {
    let mut ours: Option<ArrayD<f32>> = None;
    for (side, name) in sides.iter_mut().zip(names) {
        let Some(side) = side else { continue };
        let result = side.result().context(name)?;
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
        let tolerated = work.tolerance * largest;
        ensure!(
            largest.is_finite() && distance <= tolerated,
            "{}: {name} differs from iree-dsl by {distance}, more than {tolerated}",
            work.name
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
