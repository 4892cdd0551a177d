//! Draws functions of three tensors, smooth nearly everywhere, with loops and branches. The same for the same seed.

use std::fmt::Write;

/// A value that was drawn, and its shape.
type Drawn = (usize, Vec<usize>);

/// How deep regions are drawn.
const DEPTH: usize = 2;

pub(super) struct Draw {
    state: u64,
    /// Whether the size 3 is one of the call.
    is_open: bool,
    next: usize,
    text: String,
    values: Vec<Drawn>,
    depth: usize,
}

/// A module with one function of `Tensor<f64, 3>`, `Tensor<f64, 2, 3>` and `Tensor<f64>`, which returns a number that
/// depends on each of them.
pub(super) fn module(seed: u64) -> String {
    let mut draw = Draw {
        state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1,
        is_open: seed % 2 == 1,
        next: 3,
        text: String::new(),
        values: vec![(0, vec![3]), (1, vec![2, 3]), (2, Vec::new())],
        depth: 0,
    };
    for _ in 0..8 {
        draw.below(1 << 20);
    }
    let parameters = draw.values.clone();
    let steps = 3 + draw.below(8);
    draw.steps(steps);
    let last = draw.values.last().cloned().expect("a value");
    let mut sum = draw.total(&last);
    for parameter in parameters {
        let part = draw.total(&parameter);
        sum = draw.line(&format!("add %{sum}, %{part}"), &[]);
    }
    let types = [vec![3], vec![2, 3], Vec::new()].map(|shape| draw.ty("f64", &shape));
    let [a, b, c] = types;
    format!(
        "module @m {{ func public @f(%0 a: {a}, %1 b: {b}, %2 c: {c}) -> Tensor<f64> {{\n{}return %{sum}\n}} }}",
        draw.text
    )
}

impl Draw {
    /// A number less than another.
    fn below(&mut self, end: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 16) as usize % end
    }

    fn ty(&self, dtype: &str, shape: &[usize]) -> String {
        let dims = shape.iter().map(|size| match (size, self.is_open) {
            (3, true) => ", N".to_owned(),
            (size, _) => format!(", {size}"),
        });
        format!("Tensor<{dtype}{}>", dims.collect::<String>())
    }

    fn typed(&mut self, operation: &str, dtype: &str, shape: &[usize]) -> usize {
        let (id, ty) = (self.next, self.ty(dtype, shape));
        self.next += 1;
        writeln!(self.text, "%{id} = {operation} : {ty}").expect("text");
        id
    }

    fn line(&mut self, operation: &str, shape: &[usize]) -> usize {
        self.typed(operation, "f64", shape)
    }

    fn value(&mut self, id: usize, shape: &[usize]) {
        self.values.push((id, shape.to_vec()));
    }

    /// A number between 0.3 and 1.3 everywhere.
    fn splat(&mut self, shape: &[usize]) -> usize {
        let number = 0.3 + self.below(1000) as f64 / 1000.0;
        self.number(number, shape)
    }

    fn number(&mut self, number: f64, shape: &[usize]) -> usize {
        let one = self.line(&format!("constant splat {number:?}"), &[]);
        match shape {
            [] => one,
            shape => self.line(&format!("broadcast %{one} axes []"), shape),
        }
    }

    fn integer(&mut self, number: usize) -> usize {
        self.typed(&format!("constant splat {number}"), "i32", &[])
    }

    fn any(&mut self) -> Drawn {
        // What came last is read sooner.
        let count = self.values.len();
        let at = self.below(count).max(self.below(count));
        self.values[at].clone()
    }

    /// A value of a shape, which may be made of another.
    fn of(&mut self, shape: &[usize]) -> usize {
        let fitting = self.values.iter().filter(|(_, other)| other == shape);
        let fitting: Vec<_> = fitting.map(|(id, _)| *id).collect();
        if !fitting.is_empty() {
            return fitting[self.below(fitting.len())];
        }
        let (id, other) = self.any();
        let one = self.total(&(id, other));
        let zero = self.splat(shape);
        let wide = match shape {
            [] => one,
            shape => self.line(&format!("broadcast %{one} axes []"), shape),
        };
        self.line(&format!("multiply %{wide}, %{zero}"), shape)
    }

    fn matrix(&mut self) -> Drawn {
        let shapes = [[2, 3], [3, 2], [3, 3]];
        let shape = shapes[self.below(3)].to_vec();
        (self.of(&shape), shape)
    }

    /// The sum of the sines.
    fn total(&mut self, (id, shape): &Drawn) -> usize {
        let sines = self.line(&format!("sin %{id}"), shape);
        match shape.as_slice() {
            [] => sines,
            [_] => self.line(&format!("reduce_sum %{sines} axes [0]"), &[]),
            _ => self.line(&format!("reduce_sum %{sines} axes [0, 1]"), &[]),
        }
    }

    fn bounded(&mut self, id: usize, shape: &[usize]) {
        let id = self.line(&format!("tanh %{id}"), shape);
        self.value(id, shape);
    }

    fn steps(&mut self, count: usize) {
        for _ in 0..count {
            match self.below(14) {
                0 | 1 => self.unary(),
                2 | 3 => self.binary(),
                4 => self.choice(),
                5 => self.rearranged(),
                6 => self.reduced(),
                7 => self.product(),
                8 => self.window(),
                9 => self.looked_up(),
                10 => self.scattered(),
                11 => self.cumulated(),
                12 => self.branch(),
                _ => self.repeat(),
            }
        }
    }

    fn unary(&mut self) {
        let (id, shape) = self.any();
        let names = [
            "sin", "cos", "tanh", "sigmoid", "erf", "cbrt", "exp", "ln_1p",
        ];
        let name = names[self.below(names.len())];
        let id = match name {
            // Of numbers from 1 to 2 or so.
            "cbrt" | "ln_1p" | "exp" => {
                let waves = self.line(&format!("sin %{id}"), &shape);
                let half = self.number(0.5, &shape);
                let waves = self.line(&format!("multiply %{waves}, %{half}"), &shape);
                let above = self.number(1.5, &shape);
                self.line(&format!("add %{waves}, %{above}"), &shape)
            }
            _ => id,
        };
        let id = self.line(&format!("{name} %{id}"), &shape);
        self.value(id, &shape);
    }

    fn binary(&mut self) {
        let (x, shape) = self.any();
        let y = self.of(&shape);
        match self.below(4) {
            0 => {
                let id = self.line(&format!("subtract %{x}, %{y}"), &shape);
                self.value(id, &shape);
            }
            1 | 2 => {
                let id = self.line(&format!("multiply %{x}, %{y}"), &shape);
                self.bounded(id, &shape);
            }
            _ => {
                let waves = self.line(&format!("cos %{y}"), &shape);
                let two = self.number(2.0, &shape);
                let below = self.line(&format!("add %{waves}, %{two}"), &shape);
                let id = self.line(&format!("divide %{x}, %{below}"), &shape);
                self.value(id, &shape);
            }
        }
    }

    /// The larger of two, moved so that they are not the same.
    fn choice(&mut self) {
        let (x, shape) = self.any();
        let (y, moved) = (self.of(&shape), self.splat(&shape));
        let y = self.line(&format!("add %{y}, %{moved}"), &shape);
        let id = match self.below(3) {
            0 => self.line(&format!("maximum %{x}, %{y}"), &shape),
            1 => self.line(&format!("minimum %{x}, %{y}"), &shape),
            _ => {
                let mask = self.typed(&format!("less %{x}, %{y}"), "bool", &shape);
                self.line(&format!("select %{mask}, %{x}, %{y}"), &shape)
            }
        };
        self.value(id, &shape);
    }

    fn rearranged(&mut self) {
        let (id, shape) = self.matrix();
        let turned = [shape[1], shape[0]];
        match self.below(5) {
            0 => {
                let id = self.line(&format!("transpose %{id} permutation [1, 0]"), &turned);
                self.value(id, &turned);
            }
            1 => {
                let id = self.line(&format!("reshape %{id}"), &turned);
                self.value(id, &turned);
            }
            2 => {
                let axis = self.below(2);
                let id = self.line(&format!("reverse %{id} axes [{axis}]"), &shape);
                self.value(id, &shape);
            }
            3 => {
                let zero = self.number(0.5, &[]);
                let pad = format!("pad %{id}, %{zero} low [1, -1] high [-1, 1] interior [0, 0]");
                let id = self.line(&pad, &shape);
                self.value(id, &shape);
            }
            _ => {
                let axis = self.below(2);
                let row = self.of(&shape[axis..=axis]);
                let id = self.line(&format!("broadcast %{row} axes [{axis}]"), &shape);
                self.value(id, &shape);
            }
        }
    }

    fn reduced(&mut self) {
        let (id, shape) = self.matrix();
        let axis = self.below(2);
        let names = [
            "reduce_sum",
            "reduce_product",
            "reduce_maximum",
            "reduce_minimum",
        ];
        let name = names[self.below(names.len())];
        let left = [shape[1 - axis]];
        let id = self.line(&format!("{name} %{id} axes [{axis}]"), &left);
        self.bounded(id, &left);
    }

    fn product(&mut self) {
        let (x, shape) = self.matrix();
        let other = [shape[1], [2, 3][self.below(2)]];
        let y = self.of(&other);
        let shape = [shape[0], other[1]];
        let dot = format!("dot_general %{x}, %{y} batch [] x [] contract [1] x [0]");
        let id = self.line(&dot, &shape);
        self.bounded(id, &shape);
    }

    /// A row that is read, changed and put somewhere.
    fn window(&mut self) {
        let (id, shape) = self.matrix();
        let (from, to) = (self.below(3), self.below(3));
        let (from, to, zero) = (self.integer(from), self.integer(to), self.integer(0));
        let (row, size) = ([1, shape[1]], self.ty("f64", &[1, shape[1]]));
        let sizes = size
            .trim_start_matches("Tensor<f64, ")
            .trim_end_matches('>');
        let part = format!("dynamic_slice %{id}, %{from}, %{zero} sizes [{sizes}]");
        let part = self.line(&part, &row);
        let part = self.line(&format!("sin %{part}"), &row);
        let whole = format!("dynamic_update_slice %{id}, %{part}, %{to}, %{zero}");
        let id = self.line(&whole, &shape);
        self.value(id, &shape);
    }

    fn places(&mut self, shape: &[usize]) -> usize {
        let line = self.typed("iota axis 0", "i32", &shape[..1]);
        let one = self.integer(1);
        let shift = self.below(2);
        let factor = self.integer(shift);
        let (one, factor) = (
            self.typed(&format!("broadcast %{one} axes []"), "i32", &shape[..1]),
            self.typed(&format!("broadcast %{factor} axes []"), "i32", &shape[..1]),
        );
        // Either all are 1, or they grow by one and the last is outside.
        let product = self.typed(&format!("multiply %{line}, %{factor}"), "i32", &shape[..1]);
        self.typed(&format!("add %{product}, %{one}"), "i32", &shape[..1])
    }

    fn looked_up(&mut self) {
        let (id, shape) = self.matrix();
        let places = self.places(&shape);
        let id = self.line(&format!("gather %{id}, %{places} axes [0]"), &shape);
        self.value(id, &shape);
    }

    fn scattered(&mut self) {
        let (x, shape) = self.matrix();
        let (y, places, moved) = (self.of(&shape), self.places(&shape), self.splat(&shape));
        let y = self.line(&format!("add %{y}, %{moved}"), &shape);
        let names = [
            "scatter",
            "scatter_add",
            "scatter_maximum",
            "scatter_minimum",
            "scatter_multiply",
        ];
        let name = names[self.below(names.len())];
        let id = self.line(&format!("{name} %{x}, %{y}, %{places} axes [0]"), &shape);
        self.bounded(id, &shape);
    }

    fn cumulated(&mut self) {
        let (id, shape) = self.matrix();
        let axis = self.below(2);
        let names = ["cumulate_sum", "cumulate_product", "cumulate_maximum"];
        let name = names[self.below(names.len())];
        let id = self.line(&format!("{name} %{id} axis {axis}"), &shape);
        self.bounded(id, &shape);
    }

    /// Draws what a region does, and returns a value of a shape.
    fn region(&mut self, shape: &[usize], inside: &[Drawn]) -> usize {
        let values = self.values.clone();
        self.values.extend_from_slice(inside);
        self.depth += 1;
        let steps = 1 + self.below(3);
        self.steps(steps);
        let last = self.of(shape);
        self.depth -= 1;
        self.values = values;
        last
    }

    fn branch(&mut self) {
        if self.depth == DEPTH {
            return self.unary();
        }
        let of = self.any();
        let (total, zero) = (self.total(&of), self.splat(&[]));
        let condition = self.typed(&format!("less %{total}, %{zero}"), "bool", &[]);
        let (_, shape) = self.any();
        let (id, ty) = (self.next, self.ty("f64", &shape));
        self.next += 1;
        writeln!(self.text, "%{id} = if %{condition} : {ty} region() {{").expect("text");
        for end in ["} region() {", "}"] {
            let result = self.region(&shape, &[]);
            writeln!(self.text, "return %{result}\n{end}").expect("text");
        }
        self.value(id, &shape);
    }

    /// A loop that is counted, and sometimes left.
    fn repeat(&mut self) {
        if self.depth == DEPTH {
            return self.binary();
        }
        let (first, shape) = self.any();
        let (zero, rounds) = (self.integer(0), 1 + self.below(4));
        let end = self.integer(rounds);
        let ty = self.ty("f64", &shape);
        let ids: Vec<usize> = (self.next..self.next + 6).collect();
        self.next += 6;
        let [count, result, i, x, j, y] = ids[..] else {
            return;
        };
        let types = format!("Tensor<i32>, {ty}");
        writeln!(
            self.text,
            "%{count}, %{result} = while %{zero}, %{first} : {types}"
        )
        .expect("text");
        writeln!(self.text, "region(%{i}: Tensor<i32>, %{x}: {ty}) {{").expect("text");
        let mut more = self.typed(&format!("less %{i}, %{end}"), "bool", &[]);
        if self.below(3) == 0 {
            let total = self.total(&(x, shape.clone()));
            let most = self.splat(&[]);
            let stays = self.typed(&format!("less %{total}, %{most}"), "bool", &[]);
            more = self.typed(&format!("and %{more}, %{stays}"), "bool", &[]);
        }
        writeln!(self.text, "return %{more}\n}}").expect("text");
        writeln!(self.text, "region(%{j}: Tensor<i32>, %{y}: {ty}) {{").expect("text");
        let number = self.line(&format!("convert %{j}"), &[]);
        let next = self.region(&shape, &[(number, Vec::new()), (y, shape.clone())]);
        let changed = self.line(&format!("sin %{y}"), &shape);
        let next = self.line(&format!("add %{next}, %{changed}"), &shape);
        let next = self.line(&format!("tanh %{next}"), &shape);
        let one = self.integer(1);
        let j = self.typed(&format!("add %{j}, %{one}"), "i32", &[]);
        writeln!(self.text, "return %{j}, %{next}\n}}").expect("text");
        self.value(result, &shape);
    }
}
