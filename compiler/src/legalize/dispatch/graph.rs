//! All that a function computes, with what it calls in the place of the calls, as IREE has it.

use super::{
    classes::{Classes, Turned, elements},
    fixed,
};
use iree_abi::{Dim, TensorType};
use iree_dsl_ir::{
    Function, FunctionId, Module, Operation, Region, ValueId,
    op::{BinaryOp, Op, Structure},
};
use std::collections::{BTreeMap, BTreeSet};

/// How many operations are looked at. A program of more, all calls inlined, has calls that are looked at alone.
const MOST: usize = 1 << 17;

/// A value of a graph, by its index. Values that are computed alike are one.
pub(super) type Node = usize;

/// What an operation reads, and the elements if it is a constant. Programs have many constants, none of which reads anything.
type Read<Elements> = (Vec<Node>, Elements);

/// A function of a module, and a value of it.
pub(super) type Place = (FunctionId, ValueId);

/// What a function computes.
pub(in crate::legalize) struct Graph<'a> {
    module: &'a Module,
    nodes: Vec<Computed<'a>>,
    /// How many places there are so far at which a branch or a loop begins or ends.
    block: usize,
    /// How many of them are arguments of the function, which come first.
    arguments: usize,
    /// By what they read, and the elements of constants, what was computed of it.
    same: BTreeMap<Read<&'a [u8]>, Vec<(&'a Op, Node)>>,
    /// The values with the same elements.
    classes: Classes,
    /// The first value of each class, by the order of its axes.
    firsts: BTreeMap<Turned, Node>,
}

/// A value, and how it is computed.
#[derive(Default)]
pub(super) struct Computed<'a> {
    /// What computes it, if that has one result and no regions.
    pub(super) step: Option<Step<'a>>,
    /// The first value that has the same elements in the same order, but for axes of one.
    pub(super) essence: Node,
    /// Its class, and the order of its axes.
    pub(super) turned: Turned,
    /// Who reads it, each once for an operand.
    pub(super) users: Vec<Node>,
    /// Whether something else needs it in memory.
    pub(super) is_stored: bool,
    /// The values in functions that are this one.
    pub(super) places: Vec<Place>,
    /// How many branches and loops have begun or ended before it is first computed.
    pub(super) block: usize,
}

impl Computed<'_> {
    /// Whether more than one operation needs it.
    pub(super) fn is_used_again(&self) -> bool {
        let users: BTreeSet<_> = self.users.iter().collect();
        users.len() + usize::from(self.is_stored) > 1
    }

    /// Whether several operations need it, of which one does not compute some values.
    pub(super) fn is_read_besides(&self, values: &BTreeSet<Node>) -> bool {
        let is_inside = self.users.iter().all(|user| values.contains(user));
        self.is_used_again() && (self.is_stored || !is_inside)
    }
}

/// An operation with one result.
#[derive(Clone)]
pub(super) struct Step<'a> {
    function: &'a Function,
    operation: &'a Operation,
    /// What it reads.
    pub(super) operands: Vec<Node>,
}

impl<'a> Step<'a> {
    /// What it does.
    pub(super) fn op(&self) -> &'a Op {
        &self.operation.op
    }

    /// The type of what it reads at a position.
    pub(super) fn operand(&self, position: usize) -> Option<&'a TensorType> {
        self.function.ty(*self.operation.operands.get(position)?)
    }

    /// The type of what it computes.
    pub(super) fn result(&self) -> Option<&'a TensorType> {
        self.function.ty(*self.operation.results.first()?)
    }
}

/// The values of a function while it is entered.
type Known = BTreeMap<ValueId, Node>;

impl<'a> Graph<'a> {
    /// The graph of a function.
    pub(in crate::legalize) fn of(module: &'a Module, id: FunctionId) -> Self {
        let mut graph = Self {
            module,
            nodes: Vec::new(),
            block: 0,
            arguments: 0,
            same: BTreeMap::new(),
            classes: Classes::default(),
            firsts: BTreeMap::new(),
        };
        if let Some(function) = module.functions.get(id) {
            let parameters = function.body.parameters.iter();
            let known = parameters.map(|parameter| (*parameter, graph.opaque(id, *parameter)));
            let known = known.collect();
            graph.arguments = graph.nodes.len();
            let results = graph.enter(id, function, known);
            graph.store(&results);
        }
        graph
    }

    /// Its values; each comes after those that it is computed from.
    pub(super) fn nodes(&self) -> impl Iterator<Item = (Node, &Computed<'a>)> {
        self.nodes.iter().enumerate()
    }

    /// What computes its values, in the same order.
    pub(super) fn steps(&self) -> impl Iterator<Item = &Step<'a>> {
        self.nodes
            .iter()
            .filter_map(|computed| computed.step.as_ref())
    }

    pub(super) fn get(&self, node: Node) -> Option<&Computed<'a>> {
        self.nodes.get(node)
    }

    /// Who reads a value, each once for an operand.
    pub(super) fn users(&self, node: Node) -> impl Iterator<Item = Node> + use<'_, 'a> {
        let users = self.nodes.get(node).into_iter().flat_map(|it| &it.users);
        users.copied()
    }

    /// What computes a value.
    pub(super) fn step(&self, node: Node) -> Option<&Step<'a>> {
        self.nodes.get(node)?.step.as_ref()
    }

    /// The first value with the elements of a value, but for axes of one.
    pub(super) fn essence_of(&self, node: Node) -> Node {
        self.get(node).map_or(node, |computed| computed.essence)
    }

    /// The class of a value, and the order of its axes.
    pub(super) fn turned(&self, node: Node) -> Turned {
        self.get(node)
            .map(|computed| computed.turned.clone())
            .unwrap_or_default()
    }

    /// The values with the elements of another, in whatever order their axes are, and that one.
    pub(super) fn with_elements_of(&self, node: Node) -> &[Node] {
        let computed = self.get(node);
        computed.map_or(&[][..], |computed| self.classes.members(&computed.turned))
    }

    /// A value, what it is a view of, and so on, by what counts as a view.
    pub(super) fn through(
        &self,
        node: Node,
        is_view: impl Fn(&Step<'a>) -> bool,
    ) -> impl Iterator<Item = Node> {
        std::iter::successors(Some(node), move |node| {
            let step = self.step(*node)?;
            step.operands.first().copied().filter(|_| is_view(step))
        })
    }

    /// Whether a value is an argument of the function.
    pub(super) fn is_argument(&self, node: Node) -> bool {
        node < self.arguments
    }

    fn enter(&mut self, id: FunctionId, function: &'a Function, mut known: Known) -> Vec<Node> {
        self.region(id, function, &function.body, &mut known);
        self.all(&function.body.results, &known)
    }

    fn region(
        &mut self,
        id: FunctionId,
        function: &'a Function,
        region: &'a Region,
        known: &mut Known,
    ) {
        for operation in &region.operations {
            let Some(operation) = function.operations.get(*operation) else {
                continue;
            };
            let operands = self.all(&operation.operands, known);
            let results = self.operation(id, function, operation, operands, known);
            known.extend(operation.results.iter().copied().zip(results));
        }
    }

    fn operation(
        &mut self,
        id: FunctionId,
        function: &'a Function,
        operation: &'a Operation,
        operands: Vec<Node>,
        known: &mut Known,
    ) -> Vec<Node> {
        if let Some(call) = operation.op.callee()
            && self.nodes.len() < MOST
            && let Some(callee) = self.module.functions.get(call.callee)
        {
            let parameters = callee.body.parameters.iter().copied();
            return self.enter(call.callee, callee, parameters.zip(operands).collect());
        }
        let is_plain = operation.regions.is_empty() && operation.op.is_pure();
        if let ([result], true) = (operation.results.as_slice(), is_plain) {
            let place = (id, *result);
            let step = Step {
                function,
                operation,
                operands,
            };
            return vec![self.compute(step, place)];
        }
        self.store(&operands);
        for region in &operation.regions {
            self.block += 1;
            let parameters = region.parameters.iter();
            let parameters = parameters.map(|value| (*value, self.opaque(id, *value)));
            known.extend(parameters.collect::<Vec<_>>());
            self.region(id, function, region, known);
            let results = self.all(&region.results, known);
            self.store(&results);
        }
        self.block += usize::from(!operation.regions.is_empty());
        let results = operation.results.iter();
        results.map(|result| self.opaque(id, *result)).collect()
    }

    fn compute(&mut self, step: Step<'a>, place: Place) -> Node {
        let same = given_back(&step).and_then(|position| step.operands.get(position).copied());
        if let Some((same, computed)) =
            same.and_then(|node| Some((node, self.nodes.get_mut(node)?)))
        {
            computed.places.push(place);
            return same;
        }
        let read = (step.operands.clone(), elements(step.op()));
        let alike = self.same.entry(read).or_default();
        let same = alike.iter().find(|(op, _)| *op == step.op());
        if let Some((_, same)) = same.copied() {
            if let Some(computed) = self.nodes.get_mut(same) {
                computed.places.push(place);
            }
            return same;
        }
        let node = self.nodes.len();
        alike.push((step.op(), node));
        for operand in &step.operands {
            if let Some(operand) = self.nodes.get_mut(*operand) {
                operand.users.push(node);
            }
        }
        let operands = step.operands.iter().map(|operand| self.turned(*operand));
        let turned = self.classes.of(&step, operands.collect());
        self.classes.enter(&turned, node);
        let essence = *self.firsts.entry(turned.clone()).or_insert(node);
        self.nodes.push(Computed {
            step: Some(step),
            essence,
            turned,
            places: vec![place],
            block: self.block,
            ..Computed::default()
        });
        node
    }

    /// A value of which nobody knows how it is computed.
    fn opaque(&mut self, id: FunctionId, value: ValueId) -> Node {
        let node = self.nodes.len();
        let turned = self.classes.opaque();
        self.firsts.insert(turned.clone(), node);
        self.nodes.push(Computed {
            essence: node,
            turned,
            places: vec![(id, value)],
            block: self.block,
            ..Computed::default()
        });
        node
    }

    fn store(&mut self, nodes: &[Node]) {
        for node in nodes {
            if let Some(computed) = self.nodes.get_mut(*node) {
                computed.is_stored = true;
            }
        }
    }

    fn all(&self, values: &[ValueId], known: &Known) -> Vec<Node> {
        let nodes = values.iter().filter_map(|value| known.get(value));
        nodes.copied().collect()
    }
}

/// Which operand an operation gives back as it is, as IREE sees too.
fn given_back(step: &Step<'_>) -> Option<usize> {
    let shape = |position| step.operand(position).map(|ty| &ty.shape);
    let result = &step.result()?.shape;
    match step.op().structure() {
        Structure::Update => (shape(1) == Some(result)).then_some(1),
        Structure::Slice(_) | Structure::Window(_) => (shape(0) == Some(result)).then_some(0),
        // Others have nothing to add.
        Structure::Concatenate(_) => {
            (0..step.operands.len()).find(|position| shape(*position) == Some(result))
        }
        Structure::Reverse(axes) => {
            let mut axes = axes.iter().map(|axis| result.dims().get(*axis));
            axes.all(|dim| dim.is_some_and(Dim::is_one)).then_some(0)
        }
        Structure::Constant(_) | Structure::Index | Structure::Size(_) => None,
        Structure::Elementwise => chosen(step),
        Structure::Broadcast(_) | Structure::Pad(_) => None,
        Structure::Reshape(_) | Structure::Transpose(_) => None,
        Structure::Gather(_) | Structure::Scatter(_) => None,
        Structure::Reduction(_) | Structure::Extremum(_) | Structure::Contraction(_) => None,
        Structure::ReduceWindow(_) | Structure::Convolution(_) => None,
        Structure::Scan(_)
        | Structure::Sort(_)
        | Structure::Transform
        | Structure::Factor
        | Structure::System(_) => None,
        Structure::Branches | Structure::Iterations | Structure::Effect => None,
    }
}

/// Which of its operands an operation gives back because they are equal: `x & x` is `x`. Floats may be rounded on the way.
fn chosen(step: &Step<'_>) -> Option<usize> {
    use BinaryOp::{And, Maximum, Minimum, Or};
    let is_select = *step.op() == Op::Select;
    let chooses = is_select || matches!(step.op(), Op::Binary(And | Or | Maximum | Minimum));
    let is_exact = step.result().is_some_and(|ty| fixed::is_exact(ty.dtype));
    let first = usize::from(is_select);
    let (one, other) = (step.operands.get(first)?, step.operands.get(first + 1)?);
    (chooses && is_exact && one == other).then_some(first)
}
