use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, 3, 4>) -> Tensor<f64, 4, 3> {
            let a = np::where_(x.lt(0.0), 0.0, x);
            let b = torch.relu(x);
            let c = x.unsqueeze(0).expand(2, 3, 4);
            let d = einsum("ij,kj->ik", x, x);
            let e = softmx(x, -1);
            x.transpose(0, 1).astype::<f64>()
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
