use super::*;
use std::{
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::{Duration, SystemTime},
};

fn obtain(cache: &Cache, made: &AtomicUsize) -> PathBuf {
    let make = |_: &Path, file: &Path| {
        made.fetch_add(1, Ordering::SeqCst);
        thread::sleep(Duration::from_millis(20));
        fs::write(file, b"content").unwrap();
        Ok(())
    };
    let path = cache.obtain(&key(), "file", &[("about", "a test".to_owned())], make);
    path.unwrap()
}

fn key() -> Key {
    Key::of_mlir("module {}")
}

#[test]
fn threads_that_want_one_entry_make_it_once() {
    let directory = tempfile::tempdir().unwrap();
    let cache = Cache::new(Some(directory.path().join("cache")));
    let made = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| obtain(&cache, &made));
        }
    });
    assert_eq!(made.into_inner(), 1);
    let left = fs::read_dir(directory.path().join("cache/work")).unwrap();
    assert_eq!(left.count(), 0);
}

#[test]
fn a_damaged_entry_is_made_again() {
    let directory = tempfile::tempdir().unwrap();
    let cache = Cache::new(Some(directory.path().to_owned()));
    let made = AtomicUsize::new(0);
    let path = obtain(&cache, &made);
    let manifest = path.with_file_name("manifest");
    let damages: [&dyn Fn(); 7] = [
        &|| fs::write(&path, b"konTent").unwrap(),
        &|| fs::write(&path, b"conten").unwrap(),
        &|| fs::write(&path, b"").unwrap(),
        &|| fs::remove_file(&path).unwrap(),
        &|| fs::write(&manifest, b"\xFF\xFE").unwrap(),
        &|| fs::remove_file(&manifest).unwrap(),
        &|| {
            fs::remove_file(&path).unwrap();
            fs::create_dir(&path).unwrap();
        },
    ];
    for (earlier, damage) in damages.iter().enumerate() {
        assert_eq!(made.load(Ordering::SeqCst), earlier + 1);
        damage();
        assert_eq!(obtain(&cache, &made), path);
        assert_eq!(fs::read(&path).unwrap(), b"content");
    }
}

#[test]
fn an_entry_under_the_name_of_another_is_not_accepted() {
    let directory = tempfile::tempdir().unwrap();
    let cache = Cache::new(Some(directory.path().to_owned()));
    let made = AtomicUsize::new(0);
    let path = obtain(&cache, &made);
    let other = Key::of_mlir("another");
    fs::rename(
        path.parent().unwrap(),
        directory.path().join(other.to_string()),
    )
    .unwrap();
    assert_eq!(cache.find(&other, "file"), None);
}

#[test]
fn a_cache_that_cannot_be_written_still_gives_the_file() {
    let directory = tempfile::tempdir().unwrap();
    let occupied = directory.path().join("occupied");
    fs::write(&occupied, b"a file where the directory should be").unwrap();
    for root in [Some(occupied.join("cache")), None] {
        let cache = Cache::new(root);
        let path = obtain(&cache, &AtomicUsize::new(0));
        assert_eq!(fs::read(&path).unwrap(), b"content");
        fs::remove_dir_all(path.ancestors().nth(2).unwrap()).unwrap();
    }
}

#[test]
fn what_is_made_is_older_than_the_build_that_makes_it() {
    let directory = tempfile::tempdir().unwrap();
    let begun = SystemTime::now() - Duration::from_secs(60);
    let shared = backed(directory.path(), "own", u64::MAX);
    for cache in [
        Cache::new(Some(directory.path().join("alone"))),
        shared,
        Cache::new(None),
    ] {
        let path = obtain(&cache, &AtomicUsize::new(0));
        assert!(fs::metadata(&path).unwrap().modified().unwrap() < begun);
    }
}

#[test]
fn what_a_killed_process_left_is_swept_up() {
    let directory = tempfile::tempdir().unwrap();
    let cache = Cache::new(Some(directory.path().to_owned()));
    let left = cache.work_directory(&key().to_string()).unwrap().keep();
    fs::write(left.join("file"), b"cont").unwrap();
    let path = obtain(&cache, &AtomicUsize::new(0));
    assert_eq!(fs::read(path).unwrap(), b"content");
    assert!(!left.exists());
}

#[test]
fn what_is_left_of_other_entries_goes_unless_somebody_works_on_them() {
    let directory = tempfile::tempdir().unwrap();
    let cache = Cache::new(Some(directory.path().to_owned()));
    let [left, working] = ["left", "working"].map(|name| {
        let key = Key::of_mlir(name);
        let work = cache.work_directory(&key.to_string()).unwrap().keep();
        (cache.lock(&key).unwrap(), work)
    });
    drop(left.0);
    obtain(&cache, &AtomicUsize::new(0));
    assert!(!left.1.exists());
    assert!(working.1.exists());
}

/// A cache of its own, backed by a shared one.
#[test]
fn who_waits_for_a_lock_that_is_removed_takes_the_next_one() {
    let directory = tempfile::tempdir().unwrap();
    let cache = Cache::new(Some(directory.path().to_owned()));
    let held = cache.lock(&key()).unwrap();
    let path = directory.path().join("locks").join(key().to_string());
    thread::scope(|scope| {
        let waiting = scope.spawn(|| cache.lock(&key()).unwrap());
        thread::sleep(Duration::from_millis(50));
        held.remove(&path).unwrap();
        let taken = waiting.join().unwrap();
        assert!(Lock::take(&path).is_err());
        drop(taken);
        assert!(Lock::take(&path).is_ok());
    });
}

#[test]
fn an_entry_that_somebody_makes_stays() {
    let directory = tempfile::tempdir().unwrap();
    let cache = Cache::new(Some(directory.path().to_owned()));
    let path = obtain(&cache, &AtomicUsize::new(0));
    let shared = Shared::new(directory.path().to_owned(), 0);
    let held = cache.lock(&key());
    assert!(shared.remove(&key().to_string()).is_err());
    assert!(path.exists());
    drop(held);
    shared.remove(&key().to_string()).unwrap();
    assert!(!path.exists());
}

fn backed(directory: &Path, own: &str, limit: u64) -> Cache {
    let shared = Some(directory.join("shared"));
    Cache::new(Some(directory.join(own))).backed_by(shared, limit)
}

/// Obtains an entry of ten bytes.
fn obtain_named(cache: &Cache, name: &str, made: &AtomicUsize) -> PathBuf {
    let make = |_: &Path, file: &Path| {
        made.fetch_add(1, Ordering::SeqCst);
        fs::write(file, format!("{name:>10}")).unwrap();
        Ok(())
    };
    let path = cache
        .obtain(&Key::of_mlir(name), "file", &[], make)
        .unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), format!("{name:>10}"));
    path
}

#[test]
fn what_one_target_directory_has_made_another_takes() {
    let directory = tempfile::tempdir().unwrap();
    let made = AtomicUsize::new(0);
    let [one, two] = ["one", "two"].map(|own| backed(directory.path(), own, 1 << 20));
    let first = obtain_named(&one, "a", &made);
    let second = obtain_named(&two, "a", &made);
    assert_eq!(made.load(Ordering::SeqCst), 1);
    assert!(first.starts_with(directory.path().join("one")));
    assert!(second.starts_with(directory.path().join("two")));
    // Each is on its own.
    fs::remove_dir_all(directory.path().join("shared")).unwrap();
    obtain_named(&two, "a", &made);
    assert_eq!(made.into_inner(), 1);
}

#[test]
fn a_damaged_entry_of_the_shared_cache_is_made_again() {
    let directory = tempfile::tempdir().unwrap();
    let made = AtomicUsize::new(0);
    obtain_named(&backed(directory.path(), "one", 1 << 20), "a", &made);
    let entry = directory
        .path()
        .join("shared")
        .join(Key::of_mlir("a").to_string());
    for (round, damage) in ["garbage", ""].into_iter().enumerate() {
        fs::write(entry.join("file"), damage).unwrap();
        let own = format!("own {round}");
        obtain_named(&backed(directory.path(), &own, 1 << 20), "a", &made);
        assert_eq!(made.load(Ordering::SeqCst), round + 2);
    }
    obtain_named(&backed(directory.path(), "three", 1 << 20), "a", &made);
    assert_eq!(made.into_inner(), 3);
}

#[test]
fn the_least_recently_used_entry_goes_first() {
    let directory = tempfile::tempdir().unwrap();
    let made = AtomicUsize::new(0);
    let there = |name: &str| {
        let entry = directory
            .path()
            .join("shared")
            .join(Key::of_mlir(name).to_string());
        entry.exists()
    };
    obtain_named(&backed(directory.path(), "own", 1 << 20), "a", &made);
    let entry = directory
        .path()
        .join("shared")
        .join(Key::of_mlir("a").to_string());
    let files = fs::read_dir(entry).unwrap();
    let size: u64 = files
        .map(|file| file.unwrap().metadata().unwrap().len())
        .sum();
    let own = |name: &str| backed(directory.path(), name, 2 * size);
    thread::sleep(Duration::from_millis(20));
    obtain_named(&own("own"), "b", &made);
    thread::sleep(Duration::from_millis(20));
    // Now `b` is what was not used for the longest time.
    obtain_named(&own("other"), "a", &made);
    thread::sleep(Duration::from_millis(20));
    obtain_named(&own("own"), "c", &made);
    assert_eq!(made.load(Ordering::SeqCst), 3);
    assert_eq!(["a", "b", "c"].map(there), [true, false, true]);
    // Whoever has taken it has it still.
    obtain_named(&own("own"), "b", &made);
    assert_eq!(made.load(Ordering::SeqCst), 3);
}

#[test]
fn a_file_that_is_larger_than_the_shared_cache_is_made() {
    let directory = tempfile::tempdir().unwrap();
    let made = AtomicUsize::new(0);
    for name in ["a", "b"] {
        obtain_named(&backed(directory.path(), "own", 1), name, &made);
    }
    let entries = fs::read_dir(directory.path().join("shared")).unwrap();
    let entries = entries.filter(|entry| entry.as_ref().unwrap().path().join(MANIFEST).exists());
    assert_eq!(entries.count(), 1);
}

#[test]
fn a_shared_cache_that_cannot_be_written_changes_nothing() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(
        directory.path().join("shared"),
        b"a file where the directory should be",
    )
    .unwrap();
    let made = AtomicUsize::new(0);
    let cache = backed(directory.path(), "own", 1 << 20);
    obtain_named(&cache, "a", &made);
    obtain_named(&cache, "a", &made);
    assert_eq!(made.into_inner(), 1);
}
