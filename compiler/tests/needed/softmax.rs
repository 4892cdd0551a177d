// Likelihoods, and what else is made of the scores.
// without: refused
pub fn softmax(&self, x: Tensor<f32, 17, 33>) -> (Tensor<f32, 17, 33>, Tensor<f32, 17, 33>) {
    let scores = x + x;
    (scores.softmax(1), scores * x)
}
