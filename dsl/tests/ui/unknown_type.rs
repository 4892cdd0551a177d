use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensr<f32, 3>) -> Tensor<f32, 3> {
            x
        }
    }
}

fn main() -> iree_dsl::Result<()> {
    let device = Device::open("local-sync")?;
    let model = m::Model::load(&device)?;
    println!("{}", model.run(&[1.0; 3])?.to_array()?);
    Ok(())
}
