//! Builds that are killed.

use crate::package::Package;
use std::{
    process::Command,
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

#[test]
fn the_build_after_a_killed_one_is_right() {
    check(3);
}

#[test]
#[ignore = "takes some minutes"]
fn the_build_after_twenty_killed_ones_is_right() {
    check(20);
}

fn check(rounds: u32) {
    let package = Package::new();
    package.write(&[0; 4].map(|_| 1));
    let start = Instant::now();
    package.build();
    let whole = start.elapsed();
    for round in 0..rounds {
        let factors = [0, 1, 2, 3].map(|index| 2 + 4 * round + index);
        package.write(&factors);
        let moment = whole.mul_f64(random());
        kill(&package, moment, round % 2 == 0);
        package.build();
        assert_eq!(
            package.run(),
            factors,
            "killed after {moment:?} of {whole:?}"
        );
    }
}

/// Kills a build at a moment: `rustc` alone, which leaves compilers behind, or all of it.
fn kill(package: &Package, moment: Duration, alone: bool) {
    let mut build = package.start();
    thread::sleep(moment);
    if alone {
        // It may have ended.
        let _ = build.kill();
    } else {
        let group = format!("-{}", build.id());
        let _ = Command::new("kill")
            .args(["-s", "KILL", "--", &group])
            .output();
    }
    build.wait().expect("it has ended");
}

/// A number from 0 to 1 that is another each time.
fn random() -> f64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let nanoseconds = now.expect("a time").subsec_nanos();
    f64::from(nanoseconds / 100 % 1000) / 1000.0
}
