//! Where the nodes of each layer stand, beside each other in their order.

use super::{BESIDE, Nodes, SWEEPS};

impl Nodes {
    /// Moves each node towards the middle of its neighbours, as far as there is room.
    pub(super) fn spread(&mut self) {
        self.middles = vec![0.0; self.sizes.len()];
        for layer in self.layers.clone() {
            let wanted: Vec<_> = layer.iter().map(|_| 0.0).collect();
            self.settle(&layer, &wanted);
        }
        for sweep in 0..4 * SWEEPS {
            let downwards = sweep % 2 == 0;
            let mut layers = self.layers.clone();
            if !downwards {
                layers.reverse();
            }
            for layer in &layers {
                let wanted: Vec<_> = layer
                    .iter()
                    .map(|node| self.wanted(*node, downwards))
                    .collect();
                self.settle(layer, &wanted);
            }
        }
    }

    /// The middle of the neighbours on one side, or of those on the other if there are none.
    fn wanted(&self, node: usize, downwards: bool) -> f64 {
        let (first, second) = match downwards {
            true => (&self.above[node], &self.below[node]),
            false => (&self.below[node], &self.above[node]),
        };
        let near = if first.is_empty() { second } else { first };
        let sum: f64 = near.iter().map(|near| self.middles[*near]).sum();
        match near.len() {
            0 => self.middles[node],
            count => sum / count as f64,
        }
    }

    /// Places the nodes of a layer in order and apart, so that the sum of squared distances to the wanted places
    /// is least: neighbours that would overlap form a block, which stands at the mean of what its nodes want.
    fn settle(&mut self, layer: &[usize], wanted: &[f64]) {
        // Where each would stand if the first stood at 0 and all were as close as they may be.
        let mut offsets = Vec::with_capacity(layer.len());
        let mut offset = 0.0;
        for (index, node) in layer.iter().enumerate() {
            if index > 0 {
                offset +=
                    (self.sizes[layer[index - 1]].width + self.sizes[*node].width) / 2.0 + BESIDE;
            }
            offsets.push(offset);
        }
        // Blocks as the sum of what their nodes want, and how many they are.
        let mut blocks: Vec<(f64, usize)> = Vec::new();
        for (wanted, offset) in wanted.iter().zip(&offsets) {
            blocks.push((wanted - offset, 1));
            while let [.., one, other] = blocks.as_slice()
                && one.0 / one.1 as f64 > other.0 / other.1 as f64
            {
                let merged = (one.0 + other.0, one.1 + other.1);
                blocks.truncate(blocks.len() - 2);
                blocks.push(merged);
            }
        }
        let shifts = blocks
            .iter()
            .flat_map(|(sum, count)| std::iter::repeat_n(sum / *count as f64, *count));
        for ((node, offset), shift) in layer.iter().zip(&offsets).zip(shifts) {
            self.middles[*node] = shift + offset;
        }
    }
}
