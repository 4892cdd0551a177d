use super::*;
use std::fs;

/// Files that other tools wrote.
const FILES: [&str; 8] = [
    "all.irpa",
    "repeated.irpa",
    "all.safetensors",
    "all.npz",
    "packed.npz",
    "fortran.npy",
    "c128.npy",
    "scalar.npy",
];

fn contents(name: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../dsl/tests/files/");
    fs::read(format!("{folder}{name}")).unwrap()
}

/// Opens an archive, and reads what it says it has.
fn open(bytes: &[u8]) -> Entries {
    let storage = Storage::owned(AlignedBytes::copy_of(bytes));
    let entries = read(&Arc::new(storage), "array")?;
    for entry in entries.values() {
        // Patterns may be said to fill more than there is memory.
        let length = entry.contents.len().min(1 << 16);
        entry.contents.read(0, &mut vec![0; length]).unwrap();
        entry.contents.are_truth_values();
    }
    Ok(entries)
}

/// Where the bytes of tensors are, after which nothing is damaged for a reader.
fn is_harmless(name: &str, length: usize) -> bool {
    // The tools fill the last page of an archive.
    name.ends_with(".irpa") && length >= contents(name).iter().rposition(|byte| *byte != 0).unwrap()
}

#[test]
fn files_that_are_cut_off_are_refused() {
    for name in FILES {
        let whole = contents(name);
        assert!(open(&whole).is_ok(), "{name}");
        for length in 0..whole.len() {
            let found = open(&whole[..length]);
            assert!(
                found.is_err() || is_harmless(name, length),
                "{name}, {length} bytes"
            );
        }
    }
}

/// How each byte is damaged. NumPy's archives take long to read.
fn damages(name: &str) -> &'static [u8] {
    match name.ends_with(".npz") {
        true => &[0xff],
        false => &[0x01, 0x80, 0xff],
    }
}

#[test]
fn no_damaged_byte_makes_it_crash() {
    for name in FILES {
        let whole = contents(name);
        let mut refused = 0;
        for position in 0..whole.len() {
            for damage in damages(name) {
                let mut bytes = whole.clone();
                bytes[position] ^= damage;
                refused += usize::from(open(&bytes).is_err());
            }
        }
        assert!(refused > 0, "{name}");
    }
}

#[test]
fn no_damaged_number_makes_it_crash() {
    for name in ["all.irpa", "repeated.irpa", "all.safetensors"] {
        let whole = contents(name);
        for position in 0..whole.len() - 8 {
            for number in [
                0,
                1,
                64,
                u64::MAX,
                u64::MAX / 2,
                1 << 40,
                whole.len() as u64,
            ] {
                let mut bytes = whole.clone();
                bytes[position..][..8].copy_from_slice(&number.to_le_bytes());
                let _ = open(&bytes);
            }
        }
    }
}

fn safetensors(header: &str, data: usize) -> Entries {
    let length = (header.len() as u64).to_le_bytes();
    open(&[&length[..], header.as_bytes(), &vec![0; data]].concat())
}

#[test]
fn lies_of_safetensors_are_found() {
    let tensor = |start: usize, end: usize| {
        format!(r#"{{"dtype":"F32","shape":[2],"data_offsets":[{start},{end}]}}"#)
    };
    let (first, second) = (tensor(0, 8), tensor(8, 16));
    let both = safetensors(&format!(r#"{{"a":{first},"b":{second}}}"#), 16);
    assert_eq!(both.unwrap().len(), 2);
    let wrong = [
        (format!(r#"{{"a":{first},"b":{first}}}"#), 8),
        (format!(r#"{{"a":{first},"b":{}}}"#, tensor(4, 12)), 12),
        (format!(r#"{{"a":{first},"a":{second}}}"#), 16),
        (format!(r#"{{"a":{first}}}"#), 7),
        (format!(r#"{{"a":{first}}}"#), 9),
        (format!(r#"{{"a":{}}}"#, tensor(0, usize::MAX)), 8),
        (format!(r#"{{"a":{}}}"#, tensor(8, 0)), 8),
        (
            r#"{"a":{"dtype":"F32","shape":[4294967296,4294967296,2],"data_offsets":[0,0]}}"#
                .to_owned(),
            0,
        ),
    ];
    for (header, data) in wrong {
        assert!(safetensors(&header, data).is_err(), "{header}");
    }
    assert!(open(&u64::MAX.to_le_bytes()).is_err());
    assert!(open(&[]).is_err());
}

#[test]
fn two_entries_of_one_name_are_refused() {
    let mut bytes = contents("repeated.irpa");
    // The names are "zeros" and "sevens"; both become "seven".
    let names = bytes.windows(11).position(|name| name == b"zerossevens");
    let names = names.expect("the names lie one behind the other");
    bytes[names..][..11].copy_from_slice(b"sevensevens");
    let length = 6_u64.to_le_bytes();
    let sixes: Vec<_> = (0..names)
        .filter(|at| bytes[*at..].starts_with(&length))
        .collect();
    let refused = sixes.into_iter().any(|at| {
        let mut bytes = bytes.clone();
        bytes[at..][..8].copy_from_slice(&5_u64.to_le_bytes());
        open(&bytes).is_err_and(|reason| reason.contains("two of its tensors are called `seven`"))
    });
    assert!(refused);
}

#[test]
fn bytes_that_are_no_truth_values_are_told() {
    let stored = |bytes: &[u8]| Contents::owned(AlignedBytes::copy_of(bytes));
    assert!(stored(&[0, 1, 1]).are_truth_values());
    assert!(!stored(&[0, 2, 1]).are_truth_values());
}
