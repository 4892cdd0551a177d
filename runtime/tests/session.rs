//! Calls whose types are checked at run time.

mod common;

use common::{ADD, compile};
use iree_runtime::{Device, Module, Session};
use ndarray::{Ix1, arr1};

#[test]
fn adds_on_every_device() {
    let module = Module::from_bytes(&compile(ADD)).unwrap();
    let devices = [
        "local-sync",
        "local-task",
        "local-task?workers=1",
        "local-task?workers=3",
    ];
    for name in devices {
        let device = Device::open(name).unwrap();
        let session = Session::new(&device, [&module]).unwrap();
        let add = session.function("add").unwrap();
        let ones = device.upload([1.0f32; 4]).unwrap();
        let sums = add.call(&[&ones, &arr1(&[1.0f32, 2.0, 3.0, 4.0])]).unwrap();
        let sum = sums[0].downcast::<f32, Ix1>().unwrap();
        assert_eq!(sum.to_array().unwrap(), arr1(&[2.0, 3.0, 4.0, 5.0]));
        let again = add.call(&[&sums[0], &sum]).unwrap();
        let again = again[0].downcast::<f32, Ix1>().unwrap();
        assert_eq!(again.to_array().unwrap(), arr1(&[4.0, 6.0, 8.0, 10.0]));
    }
}
