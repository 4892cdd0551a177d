use super::show::compile_to;
use crate::{
    advice,
    input::Missing,
    measure::{self, Budget, Summary, Times},
    mlir::{self, Dispatch, Sources},
    output::say,
    running::{Ready, Running},
    scratch,
    table::Table,
    units,
};
use anyhow::{Context, Result};
use inferno::flamegraph;
use iree_runtime::{Profile as Noted, Work};
use std::{collections::BTreeMap, path::PathBuf, process::ExitCode, time::Duration};

/// Measures what each part of a procedure takes, and draws it as a flame graph
///
/// Parameters that are not given are random. The times are those that IREE's devices note: each dispatch from when its
/// first part starts to when its last one ends.
#[derive(Debug, clap::Args)]
pub(super) struct Profile {
    /// How long to measure, in seconds, without and then with the profiler; what takes longer is called once
    #[arg(long, value_name = "SECONDS", default_value = "5")]
    time: f64,
    /// How often to call the procedure at most
    #[arg(long, value_name = "NUMBER", default_value = "100", value_parser = clap::value_parser!(u32).range(1..))]
    calls: u32,
    /// The file for the flame graph, instead of one next to the program's other files
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    running: Running,
}

/// What the dispatches of one name took together, in all calls.
#[derive(Clone, Debug, Default)]
struct Total {
    count: u64,
    time: Duration,
    busy: Duration,
    parts: u64,
    /// What they took in each call that had them, in seconds.
    calls: Vec<f64>,
}

impl Total {
    /// What they take in half of the calls, in seconds.
    fn median(&self) -> f64 {
        Times::of(self.calls.clone()).summary().median
    }
}

/// What was seen in all calls.
struct Seen {
    totals: BTreeMap<Work, Total>,
    /// Seconds for a call, as the host sees it.
    call: f64,
    /// How many calls there were.
    calls: usize,
    lost: u64,
}

impl Profile {
    pub(super) fn run(self) -> Result<ExitCode> {
        let budget = Budget {
            calls: self.calls,
            time: Duration::try_from_secs_f64(self.time).context("--time is no time")?,
        };
        let ready = self.running.prepare(Missing::Random)?;
        let mut call = || ready.call().map(drop);
        // What only the first call does is not what the procedure takes.
        call()?;
        let plain = measure::one_by_one(&mut call, budget, || Ok(()))?;
        let plain = plain.summary();
        let ready = self.running.profiled(ready)?;
        let seen = observe(&ready, budget)?;
        let places = places(&ready);
        if let Err(error) = &places {
            advice::warn(error);
        }
        let places = places.unwrap_or_default();
        let sources = Sources::new(ready.project.root());
        print(&seen, &places, &sources, plain);
        let path = self.output.clone().unwrap_or_else(|| {
            let name = format!("{}.flame.svg", ready.procedure.name);
            ready.described.files().with_extension(&name)
        });
        let svg = self.flame_graph(&ready, &seen, &places, &sources)?;
        scratch::write_whole(&path, &svg)?;
        say!("\nflame graph: {}", path.display());
        Ok(ExitCode::SUCCESS)
    }

    fn flame_graph(
        &self,
        ready: &Ready,
        seen: &Seen,
        places: &BTreeMap<String, Dispatch>,
        sources: &Sources,
    ) -> Result<Vec<u8>> {
        let root = format!("{}.{}", ready.described.name(), ready.procedure.name);
        let lines = seen.totals.iter().map(|(work, total)| {
            let dispatch = places.get(name(work));
            let stack = dispatch.map_or(&[][..], |dispatch| &dispatch.stack);
            // The first is the procedure itself.
            let frames = stack.iter().skip(1).map(|place| {
                let line = sources.line(place).unwrap_or_default();
                frame(&format!("{line}  {}:{}", place.file, place.line))
            });
            let frames = std::iter::once(root.clone())
                .chain(frames)
                .chain([name(work).to_owned()]);
            let frames: Vec<_> = frames.collect();
            let time = (total.median() * 1e9).round();
            format!("{} {time:.0}", frames.join(";"))
        });
        let lines: Vec<_> = lines.collect();
        let mut options = flamegraph::Options::default();
        options.title = format!("{root} on {}", ready.device.name());
        options.count_name = "nanoseconds a call".to_owned();
        options.min_width = 0.0;
        let mut svg = Vec::new();
        let lines = lines.iter().map(String::as_str);
        flamegraph::from_lines(&mut options, lines, &mut svg)
            .map_err(|error| anyhow::anyhow!("no flame graph: {error}"))?;
        Ok(svg)
    }
}

/// Calls a procedure while the device notes what it does.
fn observe(ready: &Ready, budget: Budget) -> Result<Seen> {
    let profiler = ready.device.profile()?;
    ready.call()?;
    profiler.take()?;
    let mut totals = BTreeMap::new();
    let mut lost = 0;
    let times = measure::one_by_one(&mut || ready.call().map(drop), budget, || {
        let noted = profiler.take()?;
        lost += noted.lost;
        add(&mut totals, noted);
        Ok(())
    })?;
    let Summary { median, rounds, .. } = times.summary();
    Ok(Seen {
        totals,
        call: median,
        calls: rounds,
        lost,
    })
}

/// Writes the table.
fn print(seen: &Seen, places: &BTreeMap<String, Dispatch>, sources: &Sources, plain: Summary) {
    let calls = seen.calls as f64;
    let all: f64 = seen.totals.values().map(Total::median).sum();
    let titles = [
        "dispatch",
        "share",
        "each call",
        "times",
        "parts",
        "threads",
        "where it comes from",
    ];
    let mut table = Table::new(titles).texts_at_end(1);
    for (work, total) in seen.by_time() {
        let dispatch = places.get(name(work));
        let threads = total.busy.as_secs_f64() / total.time.as_secs_f64();
        let time = total.median();
        table.row([
            name(work).to_owned(),
            format!("{:.1} %", 100.0 * time / all),
            units::seconds(time),
            units::digits(total.count as f64 / calls),
            (total.parts / total.count.max(1)).to_string(),
            match threads.is_finite() && total.busy > Duration::ZERO {
                true => units::digits(threads),
                false => String::new(),
            },
            origin(work, dispatch, sources),
        ]);
    }
    table.print();
    let counts = match plain.rounds == seen.calls {
        true if seen.calls == 1 => "one call of each".to_owned(),
        true => format!("{} calls of each", seen.calls),
        false => format!("{} calls, and {}", plain.rounds, seen.calls),
    };
    say!(
        "\na call takes {}, and {} when it is profiled, of which {} in the above; {counts}",
        units::seconds(plain.median),
        units::seconds(seen.call),
        units::seconds(all),
    );
    if seen.lost > 0 {
        say!(
            "{} more were not noted: a call does more than the device keeps",
            seen.lost
        );
    }
}

/// A frame without what parts frames.
fn frame(text: &str) -> String {
    text.replace(';', ",")
}

/// Adds what was noted of one call.
fn add(totals: &mut BTreeMap<Work, Total>, noted: Noted) {
    let mut call: BTreeMap<Work, Duration> = BTreeMap::new();
    for span in noted.spans {
        *call.entry(span.work.clone()).or_default() += span.duration;
        let total = totals.entry(span.work).or_default();
        total.count += 1;
        total.time += span.duration;
        total.busy += span.busy;
        total.parts += span.parts;
    }
    for (work, time) in call {
        if let Some(total) = totals.get_mut(&work) {
            total.calls.push(time.as_secs_f64());
        }
    }
}

impl Seen {
    /// What took longest first.
    fn by_time(&self) -> Vec<(&Work, &Total)> {
        let mut totals: Vec<_> = self.totals.iter().collect();
        totals.sort_by(|(_, a), (_, b)| b.median().total_cmp(&a.median()));
        totals
    }
}

fn name(work: &Work) -> &str {
    match work {
        Work::Dispatch(name) => name,
        Work::Copy => "copy",
        Work::Fill => "fill",
    }
}

/// The line that a dispatch comes from, and how many others are fused with it.
fn origin(work: &Work, dispatch: Option<&Dispatch>, sources: &Sources) -> String {
    let Some(place) = dispatch.and_then(|dispatch| dispatch.stack.last()) else {
        return match work {
            // Such as the arrangement of matrices in tiles.
            Work::Dispatch(_) => "no line: the IREE compiler added it".to_owned(),
            Work::Copy | Work::Fill => String::new(),
        };
    };
    let others = dispatch.map_or(0, |dispatch| {
        dispatch
            .places
            .iter()
            .filter(|other| *other != place)
            .count()
    });
    let line = sources.line(place).unwrap_or_default();
    let others = match others {
        0 => String::new(),
        1 => "  and another line".to_owned(),
        others => format!("  and {others} other lines"),
    };
    format!("{}:{}  {line}{others}", place.file, place.line)
}

/// Where the dispatches of the program come from, which the IREE compiler tells when it compiles the program again as far as
/// it splits it.
fn places(ready: &Ready) -> Result<BTreeMap<String, Dispatch>> {
    let text = compile_to("flow", &ready.described, ready.compilation()?, false);
    let text = text.context("the lines of the source are not known")?;
    Ok(mlir::dispatches(&mlir::lines(&text)))
}
