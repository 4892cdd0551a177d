//! A module with one function, in which an operation is built.

#[cfg(any(feature = "flow", feature = "hal", feature = "stream"))]
use iree_dialects::melior::ir::operation::OperationLike;
use iree_dialects::{func, iree_linalg_ext, linalg, prelude::*, stablehlo, util};

pub(crate) type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

/// Where a sample builds its operation.
pub(crate) struct Scene<'c> {
    pub(crate) context: &'c Context,
    pub(crate) location: Location<'c>,
    pub(crate) module: Module<'c>,
    pub(crate) block: Block<'c>,
}

impl<'c> Scene<'c> {
    pub(crate) fn new(context: &'c Context, name: &str) -> Self {
        let location = Location::new(context, name, 1, 1);

        Self {
            context,
            location,
            module: Module::new(location),
            block: Block::new(&[]),
        }
    }

    /// A new argument of the function, of the tensor type with this shape and element type.
    pub(crate) fn value(&self, tensor: &str) -> Value<'c, 'c> {
        self.block.add_argument(self.tensor(tensor), self.location)
    }

    pub(crate) fn values(&self, tensors: &[&str]) -> Vec<Value<'c, 'c>> {
        tensors.iter().map(|tensor| self.value(tensor)).collect()
    }

    /// A new argument of the function, of the type of this text.
    pub(crate) fn value_of(&self, r#type: &str) -> Value<'c, 'c> {
        self.block.add_argument(self.r#type(r#type), self.location)
    }

    /// A token of StableHLO.
    pub(crate) fn token(&self) -> Value<'c, 'c> {
        self.value_of("!stablehlo.token")
    }

    /// Declares a function, and returns its name.
    pub(crate) fn function(&self, name: &'static str, r#type: &str) -> Outcome<&'static str> {
        func::FuncOperation::builder(self.context, self.location)
            .sym_name(name)
            .sym_visibility("private")
            .function_type(self.function_type(r#type))
            .body(Region::new())
            .append_to(&self.module.body())?;

        Ok(name)
    }

    /// A region that has the processes of groups add up a tensor.
    pub(crate) fn asynchronous(&self, tensor: &str, groups: &str) -> Outcome<Region<'c>> {
        self.region(&[tensor], |block| {
            let sum = stablehlo::AllReduceOperation::builder(self.context, self.location)
                .operands(&[block.argument(0)?.into()])
                .replica_groups(self.attribute(groups))
                .computation(self.select(&["f32", "f32"], 0)?)
                .results(&[self.tensor(tensor)])
                .append_to(block)?;
            Ok(sum.results()?)
        })
    }

    /// A size.
    pub(crate) fn index(&self) -> Value<'c, 'c> {
        self.block
            .add_argument(Type::index(self.context), self.location)
    }

    pub(crate) fn tensor(&self, tensor: &str) -> Type<'c> {
        self.r#type(&format!("tensor<{tensor}>"))
    }

    pub(crate) fn tensors(&self, tensors: &[&str]) -> Vec<Type<'c>> {
        tensors.iter().map(|tensor| self.tensor(tensor)).collect()
    }

    pub(crate) fn r#type(&self, text: &str) -> Type<'c> {
        Type::parse(self.context, text).expect("a type")
    }

    pub(crate) fn attribute(&self, text: &str) -> Attribute<'c> {
        attributes::parse(self.context, text).expect("an attribute")
    }

    /// An array of attributes by its text.
    #[cfg(any(feature = "flow", feature = "hal", feature = "stream"))]
    pub(crate) fn array(&self, text: &str) -> Outcome<ArrayAttribute<'c>> {
        Ok(ArrayAttribute::try_from(self.attribute(text))?)
    }

    pub(crate) fn string(&self, text: &str) -> StringAttribute<'c> {
        StringAttribute::new(self.context, text)
    }

    pub(crate) fn symbol(&self, name: &str) -> FlatSymbolRefAttribute<'c> {
        FlatSymbolRefAttribute::new(self.context, name)
    }

    pub(crate) fn i32(&self, value: i64) -> IntegerAttribute<'c> {
        IntegerAttribute::new(IntegerType::new(self.context, 32).into(), value)
    }

    pub(crate) fn i64(&self, value: i64) -> IntegerAttribute<'c> {
        IntegerAttribute::new(IntegerType::new(self.context, 64).into(), value)
    }

    pub(crate) fn list(&self, values: &[i64]) -> DenseI64ArrayAttribute<'c> {
        DenseI64ArrayAttribute::new(self.context, values)
    }

    pub(crate) fn bool(&self, value: bool) -> BoolAttribute<'c> {
        BoolAttribute::new(self.context, value)
    }

    pub(crate) fn function_type(&self, text: &str) -> TypeAttribute<'c> {
        TypeAttribute::new(self.r#type(text))
    }

    /// Adds a mutable global of type `tensor<f32>`.
    pub(crate) fn global(&self, name: &str) -> Outcome {
        util::GlobalOperation::builder(self.context, self.location)
            .sym_name(self.string(name))
            .r#type(TypeAttribute::new(self.tensor("f32")))
            .is_mutable(true)
            .append_to(&self.module.body())?;

        Ok(())
    }

    /// A region with arguments that ends in `stablehlo.return` of what the function gives.
    pub(crate) fn region(
        &self,
        arguments: &[&str],
        results: impl FnOnce(&Block<'c>) -> Outcome<Vec<Value<'c, 'c>>>,
    ) -> Outcome<Region<'c>> {
        let block = self.block_of(arguments);
        let results = results(&block)?;
        stablehlo::ReturnOperation::builder(self.context, self.location)
            .results(&results)
            .append_to(&block)?;

        Ok(region_of(block))
    }

    /// A region that returns the value of its argument of this index.
    pub(crate) fn select(&self, arguments: &[&str], index: usize) -> Outcome<Region<'c>> {
        self.region(arguments, |block| Ok(vec![block.argument(index)?.into()]))
    }

    /// A region that compares its two arguments of type `tensor<f32>`.
    pub(crate) fn comparator(&self) -> Outcome<Region<'c>> {
        self.region(&["f32", "f32"], |block| {
            let result = stablehlo::CompareOperation::builder(self.context, self.location)
                .lhs(block.argument(0)?)
                .rhs(block.argument(1)?)
                .comparison_direction(stablehlo::ComparisonDirection::Less)
                .result(self.tensor("i1"))
                .append_to(block)?
                .result()?;

            Ok(vec![result])
        })
    }

    /// A region without arguments that returns a value from outside of it.
    pub(crate) fn yielding(&self, value: Value<'c, 'c>) -> Outcome<Region<'c>> {
        self.region(&[], |_| Ok(vec![value]))
    }

    /// A region with arguments that ends in `util.return` of them.
    pub(crate) fn util_body(&self, arguments: &[&str]) -> Outcome<Region<'c>> {
        let block = self.block_of(arguments);
        let values = (0..arguments.len())
            .map(|index| Ok(block.argument(index)?.into()))
            .collect::<Outcome<Vec<_>>>()?;
        util::ReturnOperation::builder(self.context, self.location)
            .operands(&values)
            .append_to(&block)?;

        Ok(region_of(block))
    }

    /// Adds an initialiser with a block.
    pub(crate) fn initializer(&self, block: Block<'c>) -> Outcome {
        util::InitializerOperation::builder(self.context, self.location)
            .function_type(self.function_type("() -> ()"))
            .body(region_of(block))
            .append_to(&self.module.body())?;

        Ok(())
    }

    /// Adds a conditional without results that has a block as its only branch.
    pub(crate) fn branch(&self, block: Block<'c>) -> Outcome {
        stablehlo::CaseOperation::builder(self.context, self.location)
            .index(self.value("i32"))
            .branches(vec![region_of(block)])
            .append_to(&self.block)?;

        Ok(())
    }

    /// A new argument of the function that is a number.
    pub(crate) fn number(&self) -> Value<'c, 'c> {
        let ty = IntegerType::new(self.context, 32).into();

        self.block.add_argument(ty, self.location)
    }

    /// A complex number.
    pub(crate) fn complex_number(&self) -> Value<'c, 'c> {
        self.block
            .add_argument(self.r#type("complex<f32>"), self.location)
    }

    /// A block that takes two numbers.
    pub(crate) fn elements(&self) -> Block<'c> {
        let ty = IntegerType::new(self.context, 32).into();

        Block::new(&[(ty, self.location), (ty, self.location)])
    }

    /// Adds a tensor that is filled with what a block computes of two numbers.
    pub(crate) fn fill(&self, block: Block<'c>) -> Outcome {
        linalg::FillOperation::builder(self.context, self.location)
            .inputs(&[self.number()])
            .outputs(&[self.value("i32")])
            .result_tensors(&[self.tensor("i32")])
            .region(region_of(block))
            .append_to(&self.block)?;

        Ok(())
    }

    /// Adds a tensor of what a block makes of its elements.
    pub(crate) fn scan(&self, block: Block<'c>) -> Outcome {
        iree_linalg_ext::ScanOperation::builder(self.context, self.location)
            .operand(self.value("3xi32"))
            .output(self.value("3xi32"))
            .accumulator(self.value("i32"))
            .dimension(self.i64(0))
            .inclusive(self.bool(true))
            .result(self.tensor("3xi32"))
            .last(self.tensor("i32"))
            .body(region_of(block))
            .append_to(&self.block)?;

        Ok(())
    }

    fn block_of(&self, arguments: &[&str]) -> Block<'c> {
        let arguments = arguments
            .iter()
            .map(|tensor| (self.tensor(tensor), self.location))
            .collect::<Vec<_>>();

        Block::new(&arguments)
    }

    /// The module, with the block as the body of a function without results.
    pub(crate) fn finish(self) -> Outcome<Module<'c>> {
        func::ReturnOperation::builder(self.context, self.location)
            .operands(&[])
            .append_to(&self.block)?;
        let arguments = (0..self.block.argument_count())
            .map(|index| Ok(self.block.argument(index)?.r#type()))
            .collect::<Outcome<Vec<_>>>()?;
        func::FuncOperation::builder(self.context, self.location)
            .sym_name(self.string("sample"))
            .function_type(TypeAttribute::new(types::function(
                self.context,
                &arguments,
                &[],
            )))
            .body(region_of(self.block))
            .append_to(&self.module.body())?;

        Ok(self.module)
    }
}

pub(crate) fn region_of(block: Block<'_>) -> Region<'_> {
    let region = Region::new();
    region.append_block(block);

    region
}

/// Whether the last operation of a block has a name.
#[cfg(any(feature = "flow", feature = "hal", feature = "stream"))]
pub(crate) fn ends(block: &Block<'_>, name: &str) -> bool {
    let mut operation = block.first_operation();
    let mut last = None;
    while let Some(one) = operation {
        last = Some(one.name());
        operation = one.next_in_block();
    }
    last.is_some_and(|last| last.as_string_ref().as_str() == Ok(name))
}
