use super::show::compile_to;
use crate::{
    input::Missing,
    measure,
    mlir::{self, Dispatch, Sources},
    output::say,
    running::{Ready, Running},
    scratch,
    table::Table,
    units,
};
use anyhow::Result;
use inferno::flamegraph;
use iree_runtime::{Profile as Noted, Work};
use std::{
    collections::BTreeMap,
    path::PathBuf,
    process::ExitCode,
    time::{Duration, Instant},
};

/// Measures what each part of a procedure takes, and draws it as a flame graph
///
/// Parameters that are not given are random. The times are those that IREE's devices note: each dispatch from when its
/// first part starts to when its last one ends.
#[derive(Debug, clap::Args)]
pub(super) struct Profile {
    #[command(flatten)]
    running: Running,
    /// How often to call the procedure
    #[arg(long, value_name = "NUMBER", default_value = "100", value_parser = clap::value_parser!(u32).range(1..))]
    calls: u32,
    /// The file for the flame graph, instead of one next to the program's other files
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// What the dispatches of one name took together.
#[derive(Clone, Debug, Default)]
struct Total {
    count: u64,
    time: Duration,
    busy: Duration,
    parts: u64,
}

/// What was seen in all calls.
struct Seen {
    totals: BTreeMap<Work, Total>,
    /// Of the calls, as the host sees them.
    time: Duration,
    lost: u64,
}

impl Profile {
    pub(super) fn run(self) -> Result<ExitCode> {
        let ready = self.running.prepare(Missing::Random)?;
        let mut call = || ready.call().map(drop);
        let plain = measure::in_turns(&mut [&mut call], Duration::from_millis(200))?;
        let plain = plain[0].summary().median;
        let seen = self.observe(&ready)?;
        let places = places(&ready);
        if let Err(error) = &places {
            anstream::eprintln!("warning: the lines of the source are not known: {error:#}");
        }
        let places = places.unwrap_or_default();
        let sources = Sources::new(ready.project.root());
        self.print(&seen, &places, &sources, plain);
        let path = self.output.clone().unwrap_or_else(|| {
            let name = format!("{}.flame.svg", ready.procedure.name);
            ready.described.files().with_extension(&name)
        });
        let svg = self.flame_graph(&ready, &seen, &places, &sources)?;
        scratch::write_whole(&path, &svg)?;
        say!("\nflame graph: {}", path.display());
        Ok(ExitCode::SUCCESS)
    }

    fn observe(&self, ready: &Ready) -> Result<Seen> {
        let profiler = ready.device.profile()?;
        // What only the first calls do is not what the procedure takes.
        ready.call()?;
        profiler.take()?;
        let mut seen = Seen {
            totals: BTreeMap::new(),
            time: Duration::ZERO,
            lost: 0,
        };
        for _ in 0..self.calls {
            let begin = Instant::now();
            ready.call()?;
            seen.time += begin.elapsed();
            seen.add(profiler.take()?);
        }
        Ok(seen)
    }

    fn print(
        &self,
        seen: &Seen,
        places: &BTreeMap<String, Dispatch>,
        sources: &Sources,
        plain: f64,
    ) {
        let calls = f64::from(self.calls);
        let all: Duration = seen.totals.values().map(|total| total.time).sum();
        let all = all.as_secs_f64();
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
            let time = total.time.as_secs_f64();
            let threads = total.busy.as_secs_f64() / time;
            table.row([
                name(work).to_owned(),
                format!("{:.1} %", 100.0 * time / all),
                units::seconds(time / calls),
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
        let host = seen.time.as_secs_f64() / calls;
        say!(
            "\na call takes {} when it is not profiled, and {} of which {} in the above when it is; {} calls",
            units::seconds(plain),
            units::seconds(host),
            units::seconds(all / calls),
            self.calls
        );
        if seen.lost > 0 {
            say!(
                "{} more were not noted: a call does more than the device keeps",
                seen.lost
            );
        }
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
            let time = total.time.as_nanos() / u128::from(self.calls);
            format!("{} {time}", frames.join(";"))
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

/// A frame without what parts frames.
fn frame(text: &str) -> String {
    text.replace(';', ",")
}

impl Seen {
    fn add(&mut self, noted: Noted) {
        self.lost += noted.lost;
        for span in noted.spans {
            let total = self.totals.entry(span.work).or_default();
            total.count += 1;
            total.time += span.duration;
            total.busy += span.busy;
            total.parts += span.parts;
        }
    }

    /// What took longest first.
    fn by_time(&self) -> Vec<(&Work, &Total)> {
        let mut totals: Vec<_> = self.totals.iter().collect();
        totals.sort_by_key(|(_, total)| std::cmp::Reverse(total.time));
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
    let text = compile_to("flow", &ready.described, ready.compilation()?, false)?;
    Ok(mlir::dispatches(&mlir::lines(&text)))
}
