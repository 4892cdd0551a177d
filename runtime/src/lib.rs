//! Loads IREE modules and runs them on the IREE HAL.
