//! Boxes and edges as SVG.

use super::{
    layout::{Layout, Point, Size, place},
    model::{Graph, Kind, Node},
};
use std::fmt::Write as _;

/// The size of letters, and how wide one is; in pixels.
const LETTER: f64 = 12.0;
const LETTER_WIDTH: f64 = 7.3;
const SMALL: f64 = 10.5;
const SMALL_WIDTH: f64 = 6.4;

/// Space around what is in a box, in pixels.
const PADDING: f64 = 9.0;
const CLUSTER_PADDING: f64 = 16.0;
const TITLE_HEIGHT: f64 = 26.0;

/// The width that boxes beside each other fill before the next row begins, in pixels.
const PAGE: f64 = 1400.0;

/// How a kind of box looks.
struct Look {
    fill: &'static str,
    line: &'static str,
    /// The radius of its corners.
    corner: f64,
}

impl Kind {
    const fn look(self) -> Look {
        let (fill, line, corner) = match self {
            Self::Procedure => ("#f6f8fa", "#8c959f", 8.0),
            Self::Parameter => ("#dafbe1", "#2da44e", 13.0),
            Self::Load => ("#fff3c4", "#bf8700", 4.0),
            Self::Store => ("#ffe1b8", "#bc4c00", 4.0),
            Self::Line => ("#ffffff", "#afb8c1", 4.0),
            Self::Loop => ("#fbefff", "#a475f9", 10.0),
            Self::Repeated => ("#fff8fb", "#bf3989", 10.0),
            Self::Kernel => ("#ddf4ff", "#0969da", 6.0),
            Self::Result => ("#eddeff", "#8250df", 13.0),
        };
        Look { fill, line, corner }
    }
}

/// A box with its place, and what is in it.
struct Drawn<'a> {
    node: &'a Node,
    size: Size,
    inner: Option<Placed<'a>>,
}

struct Placed<'a> {
    nodes: Vec<Drawn<'a>>,
    layout: Layout,
    graph: &'a Graph,
}

/// A drawing of a program with a heading.
pub(crate) fn draw(heading: &str, graph: &Graph) -> String {
    let placed = rows(graph);
    let margin = CLUSTER_PADDING;
    let head = 34.0;
    let Size { width, height } = placed.layout.size;
    let heading_width = heading.chars().count() as f64 * LETTER_WIDTH * 1.4;
    let width = width.max(heading_width).max(legend_width()) + 2.0 * margin;
    let height = height + 2.0 * margin + head + LEGEND;
    let mut svg = String::new();
    // A `String` takes all that is written to it.
    let _ = write!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"'DejaVu Sans Mono', Menlo, Consolas, monospace\">\n\
         <defs><marker id=\"end\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
         orient=\"auto\"><path d=\"M0,0.8 L7,4 L0,7.2 z\" fill=\"#57606a\"/></marker></defs>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    text(
        &mut svg,
        Point {
            x: margin,
            y: margin + 16.0,
        },
        16.0,
        "#1f2328",
        true,
        heading,
    );
    legend(
        &mut svg,
        Point {
            x: margin,
            y: margin + head,
        },
    );
    let origin = Point {
        x: margin,
        y: margin + head + LEGEND,
    };
    content(&mut svg, &placed, origin);
    svg.push_str("</svg>\n");
    svg
}

/// How much room the legend takes, in pixels.
const LEGEND: f64 = 36.0;

const KINDS: [(Kind, &str); 8] = [
    (Kind::Parameter, "parameter"),
    (Kind::Load, "globals, read"),
    (Kind::Store, "globals, stored"),
    (Kind::Kernel, "kernel"),
    (Kind::Loop, "loop"),
    (Kind::Repeated, "equal parts, drawn once"),
    (Kind::Line, "line of the source"),
    (Kind::Result, "result"),
];

/// How wide a kind is in the legend, with the space behind it, in pixels.
fn entry_width(name: &str) -> f64 {
    24.0 + name.chars().count() as f64 * SMALL_WIDTH + 22.0
}

fn legend_width() -> f64 {
    KINDS.iter().map(|(_, name)| entry_width(name)).sum()
}

fn legend(svg: &mut String, at: Point) {
    let mut x = at.x;
    for (kind, name) in KINDS {
        let Look { fill, line, corner } = kind.look();
        let _ = writeln!(
            svg,
            "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"18\" height=\"12\" rx=\"{:.1}\" fill=\"{fill}\" stroke=\"{line}\"/>",
            at.y,
            corner.min(6.0)
        );
        text(
            svg,
            Point {
                x: x + 24.0,
                y: at.y + 10.0,
            },
            SMALL,
            "#57606a",
            false,
            name,
        );
        x += entry_width(name);
    }
}

/// Boxes without edges, in rows.
fn rows(graph: &Graph) -> Placed<'_> {
    let nodes: Vec<_> = graph.nodes.iter().map(measure).collect();
    let (mut x, mut y, mut row, mut widest) = (0.0f64, 0.0f64, 0.0f64, 0.0f64);
    let mut corners = Vec::new();
    for Drawn { size, .. } in &nodes {
        if x > 0.0 && x + size.width > PAGE {
            (x, y, row) = (0.0, y + row + CLUSTER_PADDING, 0.0);
        }
        corners.push(Point { x, y });
        widest = widest.max(x + size.width);
        row = row.max(size.height);
        x += size.width + CLUSTER_PADDING;
    }
    Placed {
        nodes,
        graph,
        layout: Layout {
            corners,
            routes: Vec::new(),
            size: Size {
                width: widest,
                height: y + row,
            },
        },
    }
}

fn measure(node: &Node) -> Drawn<'_> {
    let title = node.title.chars().count() as f64 * LETTER_WIDTH;
    let detail = node.detail.chars().count() as f64 * SMALL_WIDTH;
    match &node.inner {
        None => {
            let lines = [&node.title, &node.detail]
                .into_iter()
                .filter(|text| !text.is_empty());
            let height = lines.count() as f64 * 15.0 + 2.0 * PADDING - 4.0;
            let size = Size {
                width: title.max(detail) + 2.0 * PADDING,
                height,
            };
            Drawn {
                node,
                size,
                inner: None,
            }
        }
        Some(graph) => {
            let nodes: Vec<_> = graph.nodes.iter().map(measure).collect();
            let sizes: Vec<_> = nodes.iter().map(|drawn| drawn.size).collect();
            let layout = place(&sizes, &graph.edges());
            let head = title_width(&node.title) + detail;
            let size = Size {
                width: layout.size.width.max(head) + 2.0 * CLUSTER_PADDING,
                height: layout.size.height + TITLE_HEIGHT + 2.0 * CLUSTER_PADDING,
            };
            Drawn {
                node,
                size,
                inner: Some(Placed {
                    nodes,
                    layout,
                    graph,
                }),
            }
        }
    }
}

/// How wide the title of a box with others in it is, with the space behind it, in pixels.
fn title_width(title: &str) -> f64 {
    (title.chars().count() as f64 + 2.0) * (LETTER_WIDTH + 0.6)
}

fn content(svg: &mut String, placed: &Placed<'_>, origin: Point) {
    for (drawn, corner) in placed.nodes.iter().zip(&placed.layout.corners) {
        let at = Point {
            x: origin.x + corner.x,
            y: origin.y + corner.y,
        };
        frame(svg, drawn, at);
    }
    for (route, (_, to)) in placed.layout.routes.iter().zip(placed.graph.edges()) {
        let stored = placed.graph.nodes[to].kind == Kind::Store;
        edge(svg, route, origin, stored);
    }
}

fn frame(svg: &mut String, drawn: &Drawn<'_>, at: Point) {
    let Drawn { node, size, inner } = drawn;
    let Look { fill, line, corner } = node.kind.look();
    let fill = match (inner, node.kind) {
        (Some(_), Kind::Kernel) => "#f1f9ff",
        _ => fill,
    };
    let _ = writeln!(
        svg,
        "<g><title>{}</title><rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"{corner}\" \
         fill=\"{fill}\" stroke=\"{line}\"/>",
        escaped(&node.hint),
        at.x,
        at.y,
        size.width,
        size.height
    );
    match inner {
        None => {
            let mut y = at.y + PADDING + 9.0;
            if !node.title.is_empty() {
                let bold = matches!(node.kind, Kind::Kernel);
                text(
                    svg,
                    Point {
                        x: at.x + PADDING,
                        y,
                    },
                    LETTER,
                    "#1f2328",
                    bold,
                    &node.title,
                );
                y += 15.0;
            }
            text(
                svg,
                Point {
                    x: at.x + PADDING,
                    y,
                },
                SMALL,
                "#57606a",
                false,
                &node.detail,
            );
            svg.push_str("</g>\n");
        }
        Some(inner) => {
            let title = Point {
                x: at.x + CLUSTER_PADDING,
                y: at.y + 20.0,
            };
            text(svg, title, LETTER + 1.0, "#1f2328", true, &node.title);
            let detail = Point {
                x: title.x + title_width(&node.title),
                ..title
            };
            text(svg, detail, SMALL, "#57606a", false, &node.detail);
            svg.push_str("</g>\n");
            let room = size.width - 2.0 * CLUSTER_PADDING - inner.layout.size.width;
            let origin = Point {
                x: at.x + CLUSTER_PADDING + room / 2.0,
                y: at.y + CLUSTER_PADDING + TITLE_HEIGHT,
            };
            content(svg, inner, origin);
        }
    }
}

/// A line through points, straight down at each.
fn edge(svg: &mut String, route: &[Point], origin: Point, dashed: bool) {
    let mut path = String::new();
    let mut last: Option<Point> = None;
    for point in route {
        let (x, y) = (origin.x + point.x, origin.y + point.y);
        let _ = match last {
            None => write!(path, "M{x:.1},{y:.1}"),
            Some(last) => {
                let middle = (last.y + y) / 2.0;
                write!(
                    path,
                    " C{:.1},{middle:.1} {x:.1},{middle:.1} {x:.1},{y:.1}",
                    last.x
                )
            }
        };
        last = Some(Point { x, y });
    }
    let dash = if dashed {
        " stroke-dasharray=\"4 3\""
    } else {
        ""
    };
    let _ = writeln!(
        svg,
        "<path d=\"{path}\" fill=\"none\" stroke=\"#57606a\" stroke-width=\"1.2\" marker-end=\"url(#end)\"{dash}/>"
    );
}

fn text(svg: &mut String, at: Point, size: f64, colour: &str, bold: bool, content: &str) {
    if content.is_empty() {
        return;
    }
    let weight = if bold { " font-weight=\"bold\"" } else { "" };
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"{size}\" fill=\"{colour}\"{weight} xml:space=\"preserve\">{}</text>",
        at.x,
        at.y,
        escaped(content)
    );
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
