//! What a program needs.

use iree_dsl_ir::Module;
use iree_dsl_transform::remove_dead;

/// The module without what nothing reads and nobody would miss: IREE leaves it out too, but not barriers, nor what goes wrong with it
/// before.
pub(super) fn of(module: &Module) -> Module {
    let mut needed = module.clone();
    for (id, function) in module.functions.iter() {
        if let (Ok(left), Some(place)) =
            (remove_dead(module, function), needed.functions.get_mut(id))
        {
            *place = left;
        }
    }
    needed
}
