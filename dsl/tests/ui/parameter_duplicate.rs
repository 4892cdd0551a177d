use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Layer {
        #[param("weight")]
        w: Tensor<f32, 3>,
        #[param("weight")]
        v: Tensor<f32, 3>,
        #[param("")]
        rest: (Tensor<f32>, Tensor<f32>),
    }

    pub struct Model {
        #[global(parameter = "model")]
        layers: [Layer; 1],
        #[global(parameter = "model")]
        #[param("layers.0.1")]
        x: Tensor<f32, 3>,
        #[global(parameter = "other")]
        #[param("layers.0.1")]
        y: Tensor<f32, 3>,
        #[global(parameter = "model")]
        #[param("")]
        z: Tensor<f32, 3>,
    }

    impl Model {
        pub fn run(&self) -> Tensor<f32, 3> {
            self.x + self.y + self.z
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
