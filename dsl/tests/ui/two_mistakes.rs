use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Params {
        pub x: Tensor<f32, 3, 4>,
    }

    pub struct Model {
        #[global]
        params: Params,
    }

    impl Model {
        pub fn first(&self, y: Tensor<f32, 5, 2>) -> Tensor<f32, 3, 2> {
            let product = self.params.x.matmul(y);
            product.exp() + product
        }

        pub fn second(&self, x: Tensor<f64, 3, 4>) -> Params {
            Params { x: self.params.x + x }
        }
    }
}

fn main() -> iree_dsl::Result<()> {
    let device = Device::open("local-sync")?;
    let model = m::Model::load(&device)?;
    println!("{}", model.first(&ndarray::Array2::zeros((5, 2)))?.to_array()?);
    println!("{}", model.second(&ndarray::Array2::zeros((3, 4)))?.x.to_array()?);
    Ok(())
}
