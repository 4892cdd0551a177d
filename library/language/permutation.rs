// Sorts by other random numbers in each round.
|key, n, count, rounds| {
    let step = |_, (key, places)| {
        let [next, key] = random::split(key);
        let order = random::bits::<u32, { n }>(key).argsort(0);
        (next, places.take(order, 0))
    };
    rounds(count, (key, iota::<i32, { n }>(0)), step).1
}
