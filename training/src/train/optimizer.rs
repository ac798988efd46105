//! AdamW.

use super::network::{LARGEST_WEIGHT, Network};

const BETA_1: f32 = 0.9;
const BETA_2: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/// The moments of the gradient.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct AdamW {
    pub(super) first: Vec<f32>,
    pub(super) second: Vec<f32>,
    /// Steps made.
    pub(super) steps: u64,
}

impl AdamW {
    pub(super) fn new(parameters: usize) -> AdamW {
        AdamW { first: vec![0.0; parameters], second: vec![0.0; parameters], steps: 0 }
    }

    /// Makes a step against a summed gradient, times `scale`.
    pub(super) fn step(
        &mut self,
        network: &mut Network,
        gradient: &[f32],
        scale: f32,
        rate: f32,
        decay: f32,
    ) {
        self.steps += 1;
        let steps = self.steps.min(1 << 24) as i32;
        let correction_1 = 1.0 / (1.0 - BETA_1.powi(steps));
        let correction_2 = 1.0 / (1.0 - BETA_2.powi(steps));
        let moments = self.first.iter_mut().zip(&mut self.second);
        for ((parameter, gradient), (first, second)) in
            network.parameters.iter_mut().zip(gradient).zip(moments)
        {
            let gradient = scale * gradient;
            *first += (1.0 - BETA_1) * (gradient - *first);
            *second += (1.0 - BETA_2) * (gradient * gradient - *second);
            let step = *first * correction_1 / ((*second * correction_2).sqrt() + EPSILON);
            *parameter -= rate * (step + decay * *parameter);
        }
        let bounded = 0..network.shape.output_biases().start;
        for parameter in &mut network.parameters[bounded] {
            *parameter = parameter.clamp(-LARGEST_WEIGHT, LARGEST_WEIGHT);
        }
    }
}
