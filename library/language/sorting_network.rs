// A sorting network: n log² n comparisons, in rounds that are all alike.
//
// What is in order at first are parts of one element. To merge two neighbours, the second is turned
// around: the smaller ones of the elements that then stand side by side make one half, which is ordered
// by comparing elements at ever smaller distances. The smaller of two elements always goes to the place
// before the other, so that places behind the last one need not exist. Equal elements go by their places
// in the beginning.
//
// K. E. Batcher, "Sorting networks and their applications", 1968.
|keys, lines, n| {
    let count = zeros::<i32>() + (n as i32);
    let place = iota::<i32, { lines }, { n }>(1);
    let start = iota::<i32, { lines }, { n }>(0) * count;
    let mut part = ones::<i32>();
    let mut distance = zeros::<i32>();
    let mut keys = keys;
    let mut order = place;
    while part < count {
        let opposite = place ^ select(distance == 0, part * 2 - 1, distance);
        let opposite = select(opposite < count, opposite, place);
        let other_keys = keys.flatten().take(start + opposite, 0);
        let other_order = order.flatten().take(start + opposite, 0);
        let sooner = (other_keys < keys) | (other_keys == keys) & (other_order < order);
        let takes = sooner == (place < opposite);
        keys = select(takes, other_keys, keys);
        order = select(takes, other_order, order);
        distance = select(distance == 0, part, distance) / 2;
        part = select(distance == 0, part * 2, part);
    }
    order
}
