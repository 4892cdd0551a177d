use super::{InferError, arity};
use iree_abi::{DType, TensorType};

/// One of two regions without parameters, chosen by the one operand, a scalar truth value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct If {
    /// The types of the results, which both regions hand back.
    pub results: Vec<TensorType>,
}

impl If {
    pub(super) fn infer(&self, operands: &[TensorType]) -> Result<Vec<TensorType>, InferError> {
        let [condition] = arity::exactly(operands)?;
        check_condition(condition)?;
        Ok(self.results.clone())
    }

    pub(super) fn check_regions(&self, regions: &[RegionType]) -> Result<(), InferError> {
        let [then, otherwise] = regions_of(regions)?;
        for region in [then, otherwise] {
            check_list(&[], &region.parameters)?;
            check_list(&self.results, &region.results)?;
        }
        Ok(())
    }
}

/// Two regions, whose parameters are the operands in the first round and then the results of the second
/// region: the first says whether there is another round, the second is the round. The results are the
/// parameters for which there is none.
pub(super) fn check_while(
    operands: &[TensorType],
    regions: &[RegionType],
) -> Result<(), InferError> {
    let [condition, body] = regions_of(regions)?;
    check_list(operands, &condition.parameters)?;
    check_list(operands, &body.parameters)?;
    check_list(operands, &body.results)?;
    let [more] = arity::exactly(&condition.results)?;
    check_condition(more)
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
