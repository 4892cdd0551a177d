//! Operations with regions: how they are linearised, and the transposes of that.
//!
//! In forward mode tangents are computed where the values are: a branch has more results, and iterations hand on more
//! values. In reverse mode each region has a tape of its own. What that keeps is handed out of the region: as more results
//! of a branch, which are not read unless it was taken, and stacked along a new first axis by a loop. What is cheap to
//! compute from what there is around the region is computed again instead. Of loops that are marked, and where no size tells how
//! many iterations there are, only few iterations are kept, and the others run again.

mod again;
mod behind;
mod branches;
mod counted;
mod iterations;
mod recipe;
mod repeat;
mod rows;
mod schedule;
mod side;
mod trips;
mod written;

pub(crate) use branches::Branches;
pub(crate) use iterations::Iterations;
pub(crate) use recipe::Recipe;
pub(crate) use side::Side;
pub use trips::TripCount;
pub(crate) use trips::counter;
