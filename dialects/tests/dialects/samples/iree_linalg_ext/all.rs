//! What is there with the feature of the dialect only.

use iree_dialects::{arith, iree_linalg_ext as dialect, prelude::*};

use crate::{
    samples::{Sample, samples},
    scene::{Outcome, Scene, region_of},
};

pub(crate) fn samples() -> Vec<Sample> {
    [along_axes(), by_index(), contractions(), convolutions()]
        .into_iter()
        .flatten()
        .collect()
}

/// A region that yields some of its arguments.
fn yielding<'c>(scene: &Scene<'c>, arguments: &[&str], results: &[usize]) -> Outcome<Region<'c>> {
    let block = block_of(scene, arguments);
    let values = results
        .iter()
        .map(|index| Ok(block.argument(*index)?.into()))
        .collect::<Outcome<Vec<_>>>()?;
    r#yield(scene, &block, &values)?;
    Ok(region_of(block))
}

fn block_of<'c>(scene: &Scene<'c>, arguments: &[&str]) -> Block<'c> {
    let arguments = arguments.iter();
    let arguments = arguments.map(|text| (scene.r#type(text), scene.location));
    Block::new(&arguments.collect::<Vec<_>>())
}

fn r#yield<'c>(scene: &Scene<'c>, block: &Block<'c>, values: &[Value<'c, '_>]) -> Outcome {
    dialect::YieldOperation::builder(scene.context, scene.location)
        .values(values)
        .append_to(block)?;
    Ok(())
}

/// A region that yields whether its first argument is less than the second.
fn order<'c>(scene: &Scene<'c>) -> Outcome<Region<'c>> {
    let block = block_of(scene, &["i32", "i32"]);
    let less = arith::CmpiOperation::builder(scene.context, scene.location)
        .predicate(arith::CmpIPredicate::Slt)
        .lhs(block.argument(0)?)
        .rhs(block.argument(1)?)
        .result(scene.r#type("i1"))
        .append_to(&block)?
        .result()?;
    r#yield(scene, &block, &[less])?;
    Ok(region_of(block))
}

/// A region that yields its two indices, and zero of a type.
fn mapping<'c>(scene: &Scene<'c>, r#type: &str) -> Outcome<Region<'c>> {
    let block = block_of(scene, &["index", "index"]);
    let zero = if r#type == "i1" { "false" } else { "0.0 : f32" };
    let zero = arith::ConstantOperation::builder(scene.context, scene.location)
        .value(scene.attribute(zero))
        .result(scene.r#type(r#type))
        .append_to(&block)?
        .result()?;
    let values = [block.argument(0)?.into(), block.argument(1)?.into(), zero];
    r#yield(scene, &block, &values)?;
    Ok(region_of(block))
}

/// Lists of maps, one behind the other.
fn maps<'c>(scene: &Scene<'c>, lists: &[&str]) -> Outcome<ArrayAttribute<'c>> {
    let text = format!("[{}]", lists.join(", "));
    Ok(ArrayAttribute::try_from(scene.attribute(&text))?)
}

trait Attention<'c> {
    /// Adds an attention with a block that gets a score.
    fn attention(&self, block: Block<'c>) -> Outcome;
}

impl<'c> Attention<'c> for Scene<'c> {
    fn attention(&self, block: Block<'c>) -> Outcome {
        let score = block.add_argument(self.r#type("f32"), self.location);
        r#yield(self, &block, &[score])?;
        dialect::AttentionOperation::builder(self.context, self.location)
            .query(self.value("8x16xf32"))
            .key(self.value("12x16xf32"))
            .value(self.value("12x4xf32"))
            .scale(self.value_of("f32"))
            .output(self.value("8x4xf32"))
            .indexing_maps(maps(self, &[MAPS, "affine_map<(m, n, k, l) -> (m, n)>"])?)
            .body(region_of(block))
            .results(&[self.tensor("8x4xf32")])
            .append_to(&self.block)?;
        Ok(())
    }
}

fn along_axes() -> Vec<Sample> {
    samples! {
        SortOperation: |s, builder| builder
            .inputs(&[])
            .outputs(&[s.value("8xi32")])
            .dimension(s.i64(0))
            .body(order(s)?)
            .results(&[s.tensor("8xi32")]);
        TopkOperation: |s, builder| builder
            .values(s.value("4x8xi32"))
            .output_values(s.value("4x3xi32"))
            .output_indices(s.value("4x3xi32"))
            .dimension(s.i64(1))
            .body(order(s)?)
            .results(&s.tensors(&["4x3xi32", "4x3xi32"]));
        TopkV2Operation: |s, builder| builder
            .dimension(s.i64(1))
            .is_sorted(true)
            .values(s.value("4x8xi32"))
            .output_values(s.value("4x3xi32"))
            .output_indices(s.value("4x3xi32"))
            .body(order(s)?)
            .results(&s.tensors(&["4x3xi32", "4x3xi32"]));
        ArgCompareOperation: |s, builder| builder
            .input_value(s.value("2x6xi32"))
            .output_value(s.value("2xi32"))
            .output_index(s.value("2xindex"))
            .index_base(s.index())
            .dimension(s.i64(1))
            .body(order(s)?)
            .results(&s.tensors(&["2xi32", "2xindex"]));
        FftOperation: |s, builder| builder
            .stage(s.index())
            .real_coeff(s.value("1xf32"))
            .imag_coeff(s.value("1xf32"))
            .real(s.value("8xf32"))
            .imag(s.value("8xf32"))
            .results(&s.tensors(&["8xf32", "8xf32"]));
    }
}

fn by_index() -> Vec<Sample> {
    samples! {
        ScatterOperation: |s, builder| builder
            .updates(s.value("3xi32"))
            .indices(s.value("3x1xi32"))
            .original(s.value("8xi32"))
            .dimension_map(s.list(&[0]))
            .unique_indices(s.bool(false))
            .body(yielding(s, &["i32", "i32"], &[0])?)
            .results(&[s.tensor("8xi32")]);
        MapLoadOperation: |s, builder| builder
            .source(s.value("4x?xf32"))
            .output(s.value("4x?xf32"))
            .transformation(mapping(s, "f32")?)
            .results(&[s.tensor("4x?xf32")]);
        MapStoreOperation: |s, builder| builder
            .input(s.value("4x?xf32"))
            .output(s.value("4x?xf32"))
            .transformation(mapping(s, "i1")?)
            .results(&[s.tensor("4x?xf32")]);
    }
}

/// Of queries, keys and values of one batch, the scale and what comes behind.
const MAPS: &str = "affine_map<(m, n, k, l) -> (m, k)>, affine_map<(m, n, k, l) -> (l, k)>, affine_map<(m, n, k, l) -> (l, n)>, \
                    affine_map<(m, n, k, l) -> ()>";

fn contractions() -> Vec<Sample> {
    samples! {
        AttentionOperation: |s, builder| builder
            .query(s.value("8x16xf32"))
            .key(s.value("12x16xf32"))
            .value(s.value("12x4xf32"))
            .scale(s.value_of("f32"))
            .output(s.value("8x4xf32"))
            .indexing_maps(maps(s, &[MAPS, "affine_map<(m, n, k, l) -> (m, n)>"])?)
            .body(yielding(s, &["f32"], &[0])?)
            .results(&[s.tensor("8x4xf32")]);
        OnlineAttentionOperation: |s, builder| {
            let more = "affine_map<(m, n, k, l) -> (m, n)>, affine_map<(m, n, k, l) -> (m)>, affine_map<(m, n, k, l) -> (m)>";
            builder
                .query(s.value("8x16xf32"))
                .key(s.value("12x16xf32"))
                .value(s.value("12x4xf32"))
                .scale(s.value_of("f32"))
                .output(s.value("8x4xf32"))
                .max(s.value("8xf32"))
                .sum(s.value("8xf32"))
                .indexing_maps(maps(s, &[MAPS, more])?)
                .body(yielding(s, &["f32"], &[0])?)
                .results(&s.tensors(&["8x4xf32", "8xf32", "8xf32"]))
        };
        // It may stand only in a region of an operation that loops.
        IndexOperation in attention: |s, builder| builder.dim(s.i64(3));
        ExpReductionOperation: |s, builder| {
            let more = "affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (m)>";
            builder
                .inputs(&[s.value("2x3xf32")])
                .outputs(&s.values(&["2xf32", "2xf32"]))
                .indexing_maps(maps(s, &[more])?)
                .iterator_types(&[dialect::IteratorType::Parallel, dialect::IteratorType::Reduction])
                .exp_reduced_operands(s.list(&[1]))
                .body(yielding(s, &["f32", "f32", "f32"], &[1, 2])?)
                .results(&s.tensors(&["2xf32", "2xf32"]))
        };
        CustomOpOperation: |s, builder| builder
            .inputs(&[s.value("?xf32")])
            .outputs(&[s.value("?xf32")])
            .indexing_maps(maps(s, &["affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>"])?)
            .iterator_types(&[dialect::IteratorType::Parallel])
            .body(yielding(s, &["tensor<?xf32>", "tensor<?xf32>"], &[0])?)
            .results(&[s.tensor("?xf32")]);
    }
}

fn convolutions() -> Vec<Sample> {
    samples! {
        Im2colOperation: |s, builder| builder
            .input(s.value("2x34x34x640xf32"))
            .output(s.value("2x1024x5760xf32"))
            .strides(s.list(&[1, 1]))
            .dilations(s.list(&[1, 1]))
            .kernel_size(&[])
            .static_kernel_size(s.list(&[3, 3]))
            .offsets(&[])
            .static_offsets(s.list(&[0, 0, 0]))
            .output_sizes(&[])
            .static_output_sizes(ArrayAttribute::try_from(
                s.attribute("[[2], [32, 32], [3, 3, 640]]"),
            )?)
            .batch_pos(s.list(&[0]))
            .m_pos(s.list(&[1, 2]))
            .k_pos(s.list(&[3]))
            .input_k_perm(s.list(&[0, 1, 2]))
            .output_perm(s.list(&[0, 1, 2]))
            .input_pad_low(&[])
            .input_pad_high(&[])
            .output_pad_low(&[])
            .output_pad_high(&[])
            .results(&[s.tensor("2x1024x5760xf32")]);
        WinogradInputTransformOperation: |s, builder| builder
            .input(s.value("1x10x10x32xf32"))
            .output(s.value("8x8x1x2x2x32xf32"))
            .output_tile_size(s.i64(6))
            .kernel_size(s.i64(3))
            .image_dimensions(s.list(&[1, 2]))
            .results(&[s.tensor("8x8x1x2x2x32xf32")]);
        WinogradOutputTransformOperation: |s, builder| builder
            .input(s.value("8x8x1x2x2x32xf32"))
            .output(s.value("1x12x12x32xf32"))
            .output_tile_size(s.i64(6))
            .kernel_size(s.i64(3))
            .image_dimensions(s.list(&[1, 2]))
            .results(&[s.tensor("1x12x12x32xf32")]);
        WinogradFilterTransformOperation: |s, builder| builder
            .input(s.value("3x3x16x32xf32"))
            .output(s.value("8x8x16x32xf32"))
            .output_tile_size(s.i64(6))
            .kernel_size(s.i64(3))
            .kernel_dimensions(s.list(&[0, 1]))
            .results(&[s.tensor("8x8x16x32xf32")]);
    }
}
