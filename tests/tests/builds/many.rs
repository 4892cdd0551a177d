//! Many programs in one crate.

use crate::package::Package;
use std::time::Instant;

#[test]
fn a_change_of_one_program_compiles_one() {
    check(10);
}

#[test]
#[ignore = "takes some minutes"]
fn a_change_of_one_program_of_a_hundred_compiles_one() {
    check(100);
}

fn check(count: u32) {
    let package = Package::new();
    let mut factors: Vec<u32> = (0..count).collect();
    package.write(&factors);
    package.build();
    assert_eq!(package.run(), factors);
    assert_eq!(package.compilations(), factors.len());
    package.build();
    assert_eq!(package.compilations(), factors.len());
    factors[3] = 1000;
    package.write(&factors);
    package.build();
    assert_eq!(package.run(), factors);
    assert_eq!(package.compilations(), factors.len() + 1);
}

/// Prints what a build costs for each program, of more and more.
#[test]
#[ignore = "measures time, so it must run alone"]
fn build_time_grows_with_the_number_of_programs() {
    println!("programs, first build, per program, build after a change of one");
    for count in [10, 25, 50, 100] {
        let package = Package::new();
        let mut factors: Vec<u32> = (0..count).collect();
        package.write(&factors);
        let start = Instant::now();
        package.build();
        let first = start.elapsed();
        factors[3] = 1000;
        package.write(&factors);
        let start = Instant::now();
        package.build();
        let second = start.elapsed();
        println!("{count}, {first:.1?}, {:.0?}, {second:.1?}", first / count);
    }
}
