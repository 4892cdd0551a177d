//! Places boxes in layers, so that edges lead downwards and cross seldom.
//!
//! The method is that of Sugiyama, Tagawa and Toda, "Methods for visual understanding of hierarchical system
//! structures" (1981): a box is below all that it depends on; an edge over several layers passes through a bend in
//! each between; the order in a layer follows the barycentres of neighbours; and so do the places.

mod spread;

/// The space between boxes in a layer, in pixels.
const BESIDE: f64 = 22.0;

/// The space between layers, in pixels.
const BETWEEN: f64 = 34.0;

/// How wide the way of an edge is past a box, in pixels.
const BEND: f64 = 8.0;

/// How often each layer is brought in order.
const SWEEPS: usize = 12;

/// A box to place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Size {
    pub(super) width: f64,
    pub(super) height: f64,
}

/// A place of the drawing, in pixels from its left upper corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    pub(super) x: f64,
    pub(super) y: f64,
}

/// Where everything is.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// The left upper corner of each box.
    pub(super) corners: Vec<Point>,
    /// The points that each edge passes through, from the box above to the box below.
    pub(super) routes: Vec<Vec<Point>>,
    pub(super) size: Size,
}

/// Where a layer is, and a node in it.
#[derive(Clone, Copy, Default)]
struct Row {
    top: f64,
    bottom: f64,
    own: f64,
}

/// Places boxes; an edge goes from the first to the second index. Edges must have no cycle.
pub(super) fn place(boxes: &[Size], edges: &[(usize, usize)]) -> Layout {
    let mut nodes = Nodes::new(boxes, edges);
    nodes.order();
    nodes.spread();
    nodes.finish(boxes.len(), edges)
}

/// Boxes, and bends for edges that pass layers.
struct Nodes {
    sizes: Vec<Size>,
    /// The nodes of each layer, from left to right.
    layers: Vec<Vec<usize>>,
    above: Vec<Vec<usize>>,
    below: Vec<Vec<usize>>,
    /// The bends of each edge.
    bends: Vec<Vec<usize>>,
    /// The middle of each node.
    middles: Vec<f64>,
}

impl Nodes {
    fn new(boxes: &[Size], edges: &[(usize, usize)]) -> Self {
        let depth = depths(boxes.len(), edges);
        let count = depth.iter().max().map_or(0, |deepest| deepest + 1);
        let mut nodes = Self {
            sizes: boxes.to_vec(),
            layers: vec![Vec::new(); count],
            above: vec![Vec::new(); boxes.len()],
            below: vec![Vec::new(); boxes.len()],
            bends: Vec::new(),
            middles: Vec::new(),
        };
        for (node, depth) in depth.iter().enumerate() {
            nodes.layers[*depth].push(node);
        }
        for &(from, to) in edges {
            let bends = nodes.connect(from, to, depth[from] + 1..depth[to]);
            nodes.bends.push(bends);
        }
        nodes
    }

    /// Leads an edge through a bend in each of the layers.
    fn connect(&mut self, from: usize, to: usize, layers: std::ops::Range<usize>) -> Vec<usize> {
        let mut bends = Vec::new();
        let mut last = from;
        for layer in layers {
            let bend = self.sizes.len();
            self.sizes.push(Size {
                width: BEND,
                height: 0.0,
            });
            self.above.push(Vec::new());
            self.below.push(Vec::new());
            self.layers[layer].push(bend);
            self.link(last, bend);
            bends.push(bend);
            last = bend;
        }
        self.link(last, to);
        bends
    }

    fn link(&mut self, from: usize, to: usize) {
        self.below[from].push(to);
        self.above[to].push(from);
    }

    /// Brings each layer in the order of the neighbours above, then below, and keeps what crosses least.
    fn order(&mut self) {
        let mut best = (self.crossings(), self.layers.clone());
        for sweep in 0..SWEEPS {
            let downwards = sweep % 2 == 0;
            let count = self.layers.len();
            for step in 1..count {
                let layer = if downwards { step } else { count - 1 - step };
                self.order_layer(layer, downwards);
            }
            let crossings = self.crossings();
            if crossings < best.0 {
                best = (crossings, self.layers.clone());
            }
        }
        self.layers = best.1;
    }

    fn order_layer(&mut self, layer: usize, downwards: bool) {
        let places = self.places();
        let neighbours = if downwards { &self.above } else { &self.below };
        let barycentre = |node: usize| {
            let near = &neighbours[node];
            let sum: usize = near.iter().map(|near| places[*near]).sum();
            match near.len() {
                0 => places[node] as f64,
                count => sum as f64 / count as f64,
            }
        };
        self.layers[layer].sort_by(|a, b| barycentre(*a).total_cmp(&barycentre(*b)));
    }

    /// The place of each node in its layer.
    fn places(&self) -> Vec<usize> {
        let mut places = vec![0; self.sizes.len()];
        for layer in &self.layers {
            for (place, node) in layer.iter().enumerate() {
                places[*node] = place;
            }
        }
        places
    }

    fn crossings(&self) -> usize {
        let places = self.places();
        let crossing = |layer: &Vec<usize>| {
            let ends = layer.iter().flat_map(|node| {
                let below = self.below[*node].iter();
                below.map(|end| (places[*node], places[*end]))
            });
            let ends: Vec<_> = ends.collect();
            let pairs = ends.iter().enumerate().flat_map(|(index, one)| {
                let others = ends[index + 1..].iter();
                others.filter(|other| {
                    (one.0 < other.0 && one.1 > other.1) || (one.0 > other.0 && one.1 < other.1)
                })
            });
            pairs.count()
        };
        self.layers.iter().map(crossing).sum()
    }

    fn finish(self, boxes: usize, edges: &[(usize, usize)]) -> Layout {
        let nodes = 0..self.sizes.len();
        let left = |node: usize| self.middles[node] - self.sizes[node].width / 2.0;
        let start = nodes.clone().map(left).fold(f64::INFINITY, f64::min);
        let end = nodes
            .map(|node| left(node) + self.sizes[node].width)
            .fold(f64::NEG_INFINITY, f64::max);
        let mut rows = vec![Row::default(); self.sizes.len()];
        let mut y = 0.0;
        for layer in &self.layers {
            let height = layer
                .iter()
                .map(|node| self.sizes[*node].height)
                .fold(0.0, f64::max);
            for node in layer {
                // What nothing leads to stands next to what it leads to.
                let free = match self.above[*node].is_empty() {
                    true => height - self.sizes[*node].height,
                    false => 0.0,
                };
                rows[*node] = Row {
                    top: y,
                    bottom: y + height,
                    own: y + free,
                };
            }
            y += height + BETWEEN;
        }
        let at = |node: usize, y: f64| Point {
            x: self.middles[node] - start,
            y,
        };
        let routes = edges.iter().zip(&self.bends).map(|(&(from, to), bends)| {
            let mut route = vec![
                at(from, rows[from].own + self.sizes[from].height),
                at(from, rows[from].bottom),
            ];
            for bend in bends {
                route.push(at(*bend, rows[*bend].top));
                route.push(at(*bend, rows[*bend].bottom));
            }
            route.push(at(to, rows[to].top));
            route.push(at(to, rows[to].own));
            route.dedup();
            route
        });
        Layout {
            routes: routes.collect(),
            corners: (0..boxes)
                .map(|node| Point {
                    x: left(node) - start,
                    y: rows[node].own,
                })
                .collect(),
            size: Size {
                width: (end - start).max(0.0),
                height: (y - BETWEEN).max(0.0),
            },
        }
    }
}

/// The layer of each box: below all that lead to it, and not higher above the next one than it must be.
fn depths(count: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut depth = vec![0; count];
    // As many rounds as there are boxes suffice without a cycle, and end with one.
    for _ in 0..count {
        let mut changed = false;
        for &(from, to) in edges {
            if depth[to] <= depth[from] {
                depth[to] = depth[from] + 1;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    let lead_to = |node: usize| edges.iter().any(|(_, to)| *to == node);
    for node in (0..count).filter(|node| !lead_to(*node)) {
        let below = edges.iter().filter(|(from, _)| *from == node);
        if let Some(nearest) = below.map(|(_, to)| depth[*to]).min() {
            depth[node] = nearest - 1;
        }
    }
    depth
}

#[cfg(test)]
mod tests;
