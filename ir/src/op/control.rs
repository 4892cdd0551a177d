use super::{
    InferError, Op, arity,
    family::Family,
    properties::{Alias, Cost, Effect, Properties, Structure},
};
use crate::text::{Printer, ReadResult, Reader};
use iree_abi::{DType, TensorType};
use std::fmt;

/// One of two regions without parameters, chosen by the one operand, a scalar truth value. Both hand back
/// the same types, which are those of the results.
pub(super) fn infer_if(
    operands: &[TensorType],
    regions: &[RegionType],
) -> Result<Vec<TensorType>, InferError> {
    let [condition] = arity::exactly(operands)?;
    check_condition(condition)?;
    let [then, otherwise] = regions_of(regions)?;
    check_list(&[], &then.parameters)?;
    check_list(&[], &otherwise.parameters)?;
    check_list(&then.results, &otherwise.results)?;
    Ok(then.results.clone())
}

/// Two regions, whose parameters are the operands in the first iteration and then the results of the second
/// region: the first says whether there is another iteration, the second is the iteration. The results are the
/// parameters for which there is none.
pub(super) fn infer_while(
    operands: &[TensorType],
    regions: &[RegionType],
) -> Result<Vec<TensorType>, InferError> {
    let [condition, body] = regions_of(regions)?;
    check_list(operands, &condition.parameters)?;
    check_list(operands, &body.parameters)?;
    check_list(operands, &body.results)?;
    let [more] = arity::exactly(&condition.results)?;
    check_condition(more)?;
    Ok(operands.to_vec())
}

/// The types at the ends of a region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionType {
    /// What it takes.
    pub parameters: Vec<TensorType>,
    /// What it hands back.
    pub results: Vec<TensorType>,
}

fn regions_of<const N: usize>(regions: &[RegionType]) -> Result<&[RegionType; N], InferError> {
    regions.try_into().map_err(|_| InferError::RegionCount {
        expected: N,
        found: regions.len(),
    })
}

fn check_condition(condition: &TensorType) -> Result<(), InferError> {
    let expected = TensorType::new(DType::Bool, []);
    if *condition == expected {
        Ok(())
    } else {
        Err(InferError::RegionTypes(expected, condition.clone()))
    }
}

fn check_list(expected: &[TensorType], found: &[TensorType]) -> Result<(), InferError> {
    if expected.len() != found.len() {
        return Err(InferError::OperandCount {
            expected: expected.len(),
            found: found.len(),
        });
    }
    let mut pairs = expected.iter().zip(found);
    match pairs.find(|(expected, found)| expected != found) {
        Some((expected, found)) => Err(InferError::RegionTypes(expected.clone(), found.clone())),
        None => Ok(()),
    }
}

/// The operation [`Op::If`].
#[derive(Clone, Copy)]
pub(super) struct If;

impl<'a> Family<'a> for If {
    fn name(self) -> &'static str {
        "if"
    }

    fn infer(
        self,
        operands: &[TensorType],
        regions: &[RegionType],
    ) -> Result<Vec<TensorType>, InferError> {
        infer_if(operands, regions)
    }

    fn properties(self) -> Properties<'a> {
        Properties {
            effect: Effect::Regions,
            alias: Alias::Branches,
            cost: Cost::Control,
            structure: Structure::Branches,
        }
    }

    fn print(self, text: &mut Printer<'_, '_>) -> fmt::Result {
        text.operands()
    }

    fn read(text: &mut Reader<'_, '_>) -> ReadResult {
        text.plain("if", Op::If)
    }
}

/// The operation [`Op::While`].
#[derive(Clone, Copy)]
pub(super) struct While;

impl<'a> Family<'a> for While {
    fn name(self) -> &'static str {
        "while"
    }

    fn infer(
        self,
        operands: &[TensorType],
        regions: &[RegionType],
    ) -> Result<Vec<TensorType>, InferError> {
        infer_while(operands, regions)
    }

    fn properties(self) -> Properties<'a> {
        Properties {
            effect: Effect::Regions,
            alias: Alias::Iterations,
            cost: Cost::Control,
            structure: Structure::Iterations,
        }
    }

    fn print(self, text: &mut Printer<'_, '_>) -> fmt::Result {
        text.operands()
    }

    fn read(text: &mut Reader<'_, '_>) -> ReadResult {
        text.plain("while", Op::While)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn region(parameters: &[TensorType], results: &[TensorType]) -> RegionType {
        RegionType {
            parameters: parameters.to_vec(),
            results: results.to_vec(),
        }
    }

    #[test]
    fn both_branches_hand_back_the_same() {
        let (condition, x) = (
            TensorType::new(DType::Bool, []),
            TensorType::new(DType::F32, [2]),
        );
        let one = region(&[], std::slice::from_ref(&x));
        let results = infer_if(
            std::slice::from_ref(&condition),
            &[one.clone(), one.clone()],
        );
        assert_eq!(results, Ok(vec![x.clone()]));
        let none = region(&[], &[]);
        assert!(infer_if(std::slice::from_ref(&condition), &[one.clone(), none]).is_err());
        assert!(infer_if(&[x], &[one.clone(), one]).is_err());
    }

    #[test]
    fn a_round_hands_on_what_it_takes() {
        let (truth, x) = (
            TensorType::new(DType::Bool, []),
            TensorType::new(DType::I8, []),
        );
        let carried = std::slice::from_ref(&x);
        let condition = region(carried, std::slice::from_ref(&truth));
        let body = region(carried, carried);
        let results = infer_while(carried, &[condition.clone(), body]);
        assert_eq!(results, Ok(vec![x.clone()]));
        assert!(infer_while(carried, &[condition, region(carried, &[truth])]).is_err());
    }
}
