use iree_dsl::prelude::*;

#[program]
pub mod m {
    type Image = Tensor<f32, 1, 8, 8, 3>;
    type Kernel = Tensor<f32, 3, 3, 3, 6>;
    type Result = Tensor<f32, 1, 6, 6, 6>;

    pub struct Model;

    impl Model {
        pub fn features(&self, x: Image, w: Tensor<f32, 3, 3, 4, 6>) -> Result {
            conv!(x, w)
        }

        pub fn letters(&self, x: Image, w: Kernel) -> Result {
            conv!(x, w, layout = "NHWC,HWCO->NHWC")
        }

        pub fn axes(&self, x: Image, w: Kernel) -> Result {
            conv!(x, w, layout = "NWC,WIO->NWC")
        }

        pub fn padding(&self, x: Image, w: Kernel) -> Result {
            conv!(x, w, padding = [1, 1])
        }

        pub fn word(&self, x: Image, w: Kernel) -> Result {
            conv!(x, w, padding = "full")
        }

        pub fn vector(&self, x: Tensor<f32, 8>, w: Tensor<f32, 3>) -> Tensor<f32, 6> {
            conv!(x, w)
        }

        pub fn window(&self, x: Image) -> Tensor<f32, 1, 4, 4, 3> {
            max_pool!(x, strides = [2, 2])
        }

        pub fn large(&self, x: Image) -> Tensor<f32, 1, 1, 1, 3> {
            avg_pool!(x, window = [3, 9])
        }

        pub fn truth(&self, x: Image) -> Tensor<f32, 1, 4, 4, 3> {
            avg_pool!(x, window = 2, count_padding = 0)
        }

        pub fn integers(&self, x: Tensor<i32, 4>) -> Tensor<i32, 4> {
            x.fft()
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
