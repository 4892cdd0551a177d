//! Maps between indices, against MLIR's.

use iree_dialects::{
    AffineExpression::{self, Constant, Dimension, Symbol},
    AffineMap, AttributeValue, attributes,
};

use crate::scene::Outcome;

/// Expressions of two dimensions and a symbol, with how MLIR writes them.
fn expressions() -> Vec<(AffineExpression, &'static str)> {
    let (d0, d1, s0) = (|| Dimension(0), || Dimension(1), || Symbol(0));
    vec![
        (d0() + d1() + 3, "d0 + d1 + 3"),
        (d0() - d1(), "d0 - d1"),
        (d0() - 1, "d0 - 1"),
        (-(d0() + 1), "-(d0 + 1)"),
        ((d0() + 1) * 2, "(d0 + 1) * 2"),
        ((d0() + d1()) * s0(), "(d0 + d1) * s0"),
        (d0().floor_div(4).modulo(3), "(d0 floordiv 4) mod 3"),
        ((d0() + s0()).ceil_div(4) + d1(), "(d0 + s0) ceildiv 4 + d1"),
        (d0().modulo(s0() + 1), "d0 mod (s0 + 1)"),
        (Constant(2) * s0() + Constant(0), "s0 * 2"),
        (d0() * (s0() * 2), "d0 * (s0 * 2)"),
    ]
}

#[test]
fn maps_are_written_as_mlir_reads_them_and_read_as_it_means_them() -> Outcome {
    let context = iree_dialects::context();
    for (expression, text) in expressions() {
        let map = AffineMap::new(2, 1, [expression]);
        let attribute = map.to_attribute(&context)?;
        let expected =
            attributes::parse(&context, &format!("affine_map<(d0, d1)[s0] -> ({text})>"))?;
        assert_eq!(attribute, expected, "{map}");
        let read = AffineMap::try_from(attribute)?;
        assert_eq!(read.to_attribute(&context)?, attribute, "{read}");
        for dimensions in [[0, 0], [5, -3], [-7, 2], [11, 13]] {
            let of = |map: &AffineMap| map.evaluate(&dimensions, &[4]);
            assert_eq!(of(&read), of(&map), "{map} of {dimensions:?}");
            assert!(of(&map).is_some(), "{map} of {dimensions:?}");
        }
    }
    Ok(())
}

#[test]
fn composed_maps_are_those_of_one_after_the_other() -> Outcome {
    let outer = AffineMap::new(
        2,
        1,
        [Dimension(0) * 3 + Symbol(0), Dimension(1).floor_div(2)],
    );
    let inner = AffineMap::new(1, 1, [Dimension(0) + Symbol(0), Dimension(0) * 5]);
    let both = outer.compose(&inner)?;
    assert_eq!((both.dimensions, both.symbols), (1, 2));
    for dimension in -4..4 {
        let between = inner.evaluate(&[dimension], &[20]).ok_or("a value")?;
        let expected = outer.evaluate(&between, &[10]);
        assert_eq!(both.evaluate(&[dimension], &[10, 20]), expected);
    }
    let error = outer.compose(&AffineMap::identity(3)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`(d0, d1)[s0] -> (d0 * 3 + s0, d1 floordiv 2)` is not as it should be: it is composed with one of another number of results"
    );
    Ok(())
}

#[test]
fn maps_that_mlir_does_not_have_are_errors() -> Outcome {
    let context = iree_dialects::context();
    let unknown = AffineMap::new(1, 0, [Dimension(1)]);
    assert_eq!(unknown.evaluate(&[1], &[]), None);
    assert!(unknown.to_attribute(&context).is_err());
    assert!(AffineMap::identity(1).compose(&unknown).is_err());
    assert!(
        AffineMap::new(2, 0, [Dimension(0) * Dimension(1)])
            .to_attribute(&context)
            .is_err()
    );
    assert_eq!(
        AffineMap::new(1, 0, [Dimension(0).modulo(0)]).evaluate(&[1], &[]),
        None
    );
    assert_eq!(
        AffineMap::new(1, 0, [Dimension(0) + i64::MAX]).evaluate(&[1], &[]),
        None
    );
    let error = AffineMap::try_from(attributes::parse(&context, "1 : i32")?).unwrap_err();
    assert!(
        error.to_string().contains("it is another attribute"),
        "{error}"
    );
    Ok(())
}
