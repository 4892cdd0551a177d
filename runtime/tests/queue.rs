//! Calls that return when their work is queued.

mod common;

use common::{DEVICES, assert_live, compile, compile_with};
use iree_runtime::{Device, DeviceArray, Error, Module, Ready, Session, Wait};
use ndarray::{Array2, Ix2};
use std::{
    pin::pin,
    sync::Arc,
    task::{Context, Poll, Wake, Waker},
    thread::{self, Thread},
    time::Duration,
};

/// A long computation, and a short one.
const WORK: &str = "module @work {
  func.func @square(%x: tensor<512x512xf32>) -> tensor<512x512xf32> {
    %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0]
      : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    return %0 : tensor<512x512xf32>
  }
  func.func @both(%x: tensor<512x512xf32>, %y: tensor<512x512xf32>)
      -> (tensor<512x512xf32>, tensor<512x512xf32>) {
    %0 = stablehlo.add %x, %y : tensor<512x512xf32>
    %1 = stablehlo.subtract %x, %y : tensor<512x512xf32>
    return %0, %1 : tensor<512x512xf32>, tensor<512x512xf32>
  }
}";

type Matrix = DeviceArray<f32, Ix2>;

fn queued() -> Module {
    Module::from_bytes(&compile_with(
        WORK,
        &["--iree-execution-model=async-external"],
    ))
    .unwrap()
}

fn call(session: &Session, name: &str, arguments: &[&Matrix]) -> Vec<Matrix> {
    let arguments: Vec<&dyn iree_runtime::Input> =
        arguments.iter().map(|array| *array as _).collect();
    let results = session.function(name).unwrap().call(&arguments).unwrap();
    let results = results.iter().map(|array| array.downcast().unwrap());
    results.collect()
}

fn square(session: &Session, x: &Matrix) -> Matrix {
    call(session, "square", &[x]).remove(0)
}

/// The matrix whose square is 512 / 1024 times itself.
fn halving(device: &Device) -> Matrix {
    device
        .upload(&Array2::from_elem((512, 512), 1.0 / 1024.0))
        .unwrap()
}

#[track_caller]
fn assert_all(x: &Matrix, value: f32) {
    let view = x.view().unwrap();
    assert!(view.iter().all(|found| *found == value), "{view:?}");
}

/// The smallest executor.
fn block_on<F: Future>(future: F) -> F::Output {
    struct Unpark(Thread);

    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }

    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(output) => return output,
            Poll::Pending => thread::park(),
        }
    }
}

const fn assert_send<T: Send>() {}

const _: () = assert_send::<Ready<Matrix>>();

#[test]
fn results_of_queued_calls_are_arguments_of_others() {
    let (module, waiting) = (queued(), Module::from_bytes(&compile(WORK)).unwrap());
    for name in DEVICES {
        let device = Device::open(name).unwrap();
        let session = Session::new(&device, [&module]).unwrap();
        let other = Session::new(&device, [&module]).unwrap();
        let waiting = Session::new(&device, [&waiting]).unwrap();
        let x = halving(&device);
        // In the same session, in another one, in one that waits for its calls, and from two at once.
        let y = square(&session, &square(&session, &x));
        assert_all(&y, 2.0f32.powi(-13));
        let y = square(&other, &square(&session, &x));
        assert_all(&y, 2.0f32.powi(-13));
        let y = square(&waiting, &square(&session, &x));
        assert_all(&y, 2.0f32.powi(-13));
        let two = call(
            &session,
            "both",
            &[&square(&session, &x), &square(&other, &x)],
        );
        assert_all(&two[0], 2.0f32.powi(-10));
        assert_all(&two[1], 0.0);
    }
}

#[test]
fn a_call_returns_before_its_work_is_done() {
    let module = queued();
    let device = Device::open("local-task?workers=1").unwrap();
    let session = Session::new(&device, [&module]).unwrap();
    let mut y = halving(&device);
    for _ in 0..32 {
        y = square(&session, &y);
    }
    assert!(
        !y.wait_for(Duration::ZERO).unwrap(),
        "32 products took no time"
    );
    assert!(y.wait_for(Duration::from_secs(600)).unwrap());
    y.wait().unwrap();
    assert_all(&y, 0.0);
}

#[test]
fn futures_return_the_arrays_when_they_are_there() {
    let module = queued();
    for name in DEVICES {
        let device = Device::open(name).unwrap();
        let session = Session::new(&device, [&module]).unwrap();
        let x = halving(&device);
        let y = block_on(async {
            let y = square(&session, &x).ready().await?;
            let pair = [square(&session, &y), y];
            let [z, y] = pair.ready().await?;
            Result::<_, Error>::Ok([y, z])
        });
        let [y, z] = y.unwrap();
        assert_all(&y, 2.0f32.powi(-11));
        assert_all(&z, 2.0f32.powi(-13));
        // One that has nothing to wait for.
        assert_all(&block_on(x.ready()).unwrap(), 2.0f32.powi(-10));
    }
}

#[test]
fn futures_and_sessions_are_dropped_at_any_time() {
    let module = queued();
    let device = Device::open("local-task?workers=2").unwrap();
    let x = halving(&device);
    let live = device.memory().live;
    let mut context = Context::from_waker(Waker::noop());
    for round in 0..60 {
        let session = Session::new(&device, [&module]).unwrap();
        let mut future = square(&session, &x).ready();
        let other = square(&session, &x);
        match round % 6 {
            0 => drop(future),
            1 => drop((pin!(future).poll(&mut context), session)),
            2 => {
                let _ = pin!(&mut future).poll(&mut context);
                let _ = pin!(&mut future).poll(&mut context);
                drop(session);
                assert_all(&block_on(future).unwrap(), 2.0f32.powi(-11));
            }
            3 => drop((session, other)),
            4 => thread::scope(|scope| {
                scope.spawn(|| assert_all(&block_on(future).unwrap(), 2.0f32.powi(-11)));
            }),
            _ => assert_all(&other, 2.0f32.powi(-11)),
        }
    }
    assert_live(&device, live);
    assert_all(&x, 2.0f32.powi(-10));
}

#[test]
fn many_calls_wait_in_the_queue_and_no_more() {
    let module = queued();
    let device = Device::open("local-task?workers=2").unwrap();
    let session = Session::new(&device, [&module]).unwrap();
    let x = halving(&device);
    let results: Vec<_> = (0..200)
        .map(|_| call(&session, "both", &[&x, &x]))
        .collect();
    for result in results {
        assert_all(&result[0], 2.0f32.powi(-9));
    }
}
