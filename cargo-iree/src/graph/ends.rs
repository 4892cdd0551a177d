//! Where values come from that nothing in a drawing computes, and where those go that are stored.

use super::{
    expand::{Expansion, Origin},
    label::common_prefix,
    model::Kind,
};
use std::collections::{BTreeMap, BTreeSet};

impl Expansion<'_> {
    /// One box for what is stored from one place to one tree.
    pub(super) fn add_stores(&mut self) {
        let mut stored: BTreeMap<_, Vec<(Origin, String)>> = BTreeMap::new();
        for (origin, symbol) in std::mem::take(&mut self.stores) {
            let maker = match origin {
                Origin::Node(maker) => Some(maker),
                _ => None,
            };
            let root = symbol.split('.').next().unwrap_or_default().to_owned();
            stored
                .entry((maker, root))
                .or_default()
                .push((origin, symbol));
        }
        for stores in stored.into_values() {
            let paths: BTreeSet<_> = stores.iter().map(|(_, path)| path.as_str()).collect();
            let (title, count) = grouped(&paths);
            let detail = match count {
                1 => "global, stored".to_owned(),
                count => format!("{count} globals, stored"),
            };
            let node = self.node(Kind::Store, title, detail);
            self.graph.nodes[node].hint = paths.into_iter().collect::<Vec<_>>().join("\n");
            for (origin, _) in &stores {
                self.take(node, origin);
            }
        }
    }

    /// One box for what a node takes of one tree; the same box for all that take the same.
    pub(super) fn add_inputs(&mut self) {
        let mut wanted: BTreeMap<(usize, Kind, String), BTreeSet<Origin>> = BTreeMap::new();
        for (node, origin) in std::mem::take(&mut self.inputs) {
            let (kind, root) = match &origin {
                Origin::Named { kind, path, .. } => {
                    (*kind, path.split('.').next().unwrap_or_default().to_owned())
                }
                Origin::Argument { index, .. } => (Kind::Parameter, format!("#{index}")),
                Origin::Node(_) | Origin::Constant | Origin::Neutral => continue,
            };
            wanted.entry((node, kind, root)).or_default().insert(origin);
        }
        let mut drawn: BTreeMap<BTreeSet<Origin>, usize> = BTreeMap::new();
        for ((node, kind, _), origins) in wanted {
            let source = match drawn.get(&origins) {
                Some(source) => *source,
                None => {
                    let source = self.source(kind, &origins);
                    drawn.insert(origins, source);
                    source
                }
            };
            self.graph.connect(source, node);
        }
    }

    fn source(&mut self, kind: Kind, origins: &BTreeSet<Origin>) -> usize {
        let parts = origins.iter().map(|origin| match origin {
            Origin::Named { path, ty, .. } => (path.as_str(), ty.as_str()),
            Origin::Argument { ty, .. } => ("", ty.as_str()),
            Origin::Node(_) | Origin::Constant | Origin::Neutral => ("", ""),
        });
        let parts: BTreeSet<_> = parts.collect();
        let (title, count) = grouped(&parts.iter().map(|(path, _)| *path).collect());
        let first = parts.first().map_or("", |(_, ty)| *ty);
        let detail = match count {
            1 => first.to_owned(),
            count => format!("{count} tensors"),
        };
        let node = self.node(kind, title, detail);
        let lines = parts.iter().map(|(path, ty)| format!("{path} {ty}"));
        self.graph.nodes[node].hint = lines.collect::<Vec<_>>().join("\n");
        node
    }
}

/// The common name of some paths, and how many there are.
fn grouped(paths: &BTreeSet<&str>) -> (String, usize) {
    let common = common_prefix(paths.iter().copied());
    (common, paths.len())
}
