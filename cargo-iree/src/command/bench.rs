use crate::{
    input::Missing,
    measure::{self, Summary, Times},
    output::say,
    running::{Ready, Running},
    table::Table,
    units,
};
use anyhow::{Context, Result};
use iree_runtime::DynamicArray;
use serde::Serialize;
use std::{path::PathBuf, process::ExitCode, time::Duration};

/// Measures how long a procedure takes, alone or next to another file
///
/// Parameters that are not given are random. What is timed is a call with arguments on the device, results
/// included. Globals that a call changes stay changed for the next one.
#[derive(Debug, clap::Args)]
pub(super) struct Bench {
    /// Another VMFB with the same procedure, to be called in turns
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// How long to measure, in seconds, for each file; what takes longer is measured once
    #[arg(long, value_name = "SECONDS", default_value = "2")]
    time: f64,
    /// Print the figures as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    running: Running,
}

#[derive(Serialize)]
struct Figures {
    name: String,
    #[serde(flatten)]
    summary: Summary,
    /// Bytes that go in and out with each call.
    bytes: usize,
}

impl Bench {
    pub(super) fn run(self) -> Result<ExitCode> {
        let ready = self.running.prepare(Missing::Random)?;
        let time = Duration::try_from_secs_f64(self.time).context("--time is no time")?;
        let bytes = ready.bytes()?;
        let other = self.against.as_ref();
        let other = other
            .map(|path| self.running.load_other(path, &ready))
            .transpose()?;
        let mut own = || ready.call().map(drop);
        let times = match &other {
            None => measure::in_turns(&mut [&mut own], time)?,
            Some(other) => {
                let mut other = || ready.call_other(other).map(drop);
                measure::in_turns(&mut [&mut own, &mut other], time)?
            }
        };
        let own = format!("{}.{}", ready.described.name(), ready.procedure.name);
        let other = self.against.as_ref().map(|path| path.display().to_string());
        let names = std::iter::once(own).chain(other);
        let figures = names.zip(&times).map(|(name, times)| Figures {
            name,
            summary: times.summary(),
            bytes,
        });
        let figures: Vec<_> = figures.collect();
        match self.json {
            true => say!("{}", serde_json::to_string_pretty(&figures)?),
            false => show(&figures, &times, &ready),
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl Ready {
    /// How many bytes go in and out with a call.
    fn bytes(&self) -> Result<usize> {
        let size = |array: &DynamicArray| -> Result<usize> {
            Ok(array.shape().iter().product::<usize>() * array.dtype()?.size())
        };
        let results = self.call()?;
        self.arguments().chain(&results).map(size).sum()
    }
}

fn show(figures: &[Figures], times: &[Times], ready: &Ready) {
    say!(
        "on {}, fastest and slowest tenth left out in the spread\n",
        ready.device.name()
    );
    let mut table = Table::new([
        "",
        "median",
        "spread",
        "rounds",
        "calls per second",
        "data per second",
    ]);
    for Figures {
        name,
        summary,
        bytes,
    } in figures
    {
        let rate = *bytes as f64 / summary.median;
        table.row([
            name.clone(),
            units::seconds(summary.median),
            format!(
                "{} to {}",
                units::seconds(summary.low),
                units::seconds(summary.high)
            ),
            summary.rounds.to_string(),
            units::digits(1.0 / summary.median),
            units::bytes(rate as u64),
        ]);
    }
    table.print();
    if figures
        .iter()
        .any(|figures| figures.summary.rounds < measure::FEW)
    {
        say!("\nso few rounds say little about how much they differ: --time gives them longer");
    }
    if let [own, other] = times {
        let Summary {
            median, low, high, ..
        } = own.relative_to(other).summary();
        say!(
            "\n{} takes {} times as long as {}, {} to {} round by round",
            figures[0].name,
            units::digits(median),
            figures[1].name,
            units::digits(low),
            units::digits(high)
        );
    }
}
