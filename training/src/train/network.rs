//! The network in floating point: all parameters in one row of numbers.

use std::ops::Range;

use crate::features::{BUCKETS, Features, INPUTS};
use crate::quantised::{QA, QB, Quantised};
use crate::random::Random;

/// No weight goes beyond, so that the whole-number network fits 16 bits.
pub const LARGEST_WEIGHT: f32 = 1.98;
/// Hidden units that are computed together.
pub(crate) const BLOCK: usize = 64;

/// Where the parameters are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Hidden units of a perspective, a multiple of 64.
    pub hidden: usize,
}

impl Shape {
    /// Weights of the inputs, `[768][hidden]`.
    pub const fn feature_weights(self) -> Range<usize> {
        0..INPUTS * self.hidden
    }

    /// Biases of the hidden units.
    pub const fn feature_biases(self) -> Range<usize> {
        let start = self.feature_weights().end;
        start..start + self.hidden
    }

    /// Weights of the output, `[8][2 * hidden]`, the mover's first.
    pub const fn output_weights(self) -> Range<usize> {
        let start = self.feature_biases().end;
        start..start + BUCKETS * 2 * self.hidden
    }

    /// Biases of the output.
    pub const fn output_biases(self) -> Range<usize> {
        let start = self.output_weights().end;
        start..start + BUCKETS
    }

    /// The number of parameters.
    pub const fn len(self) -> usize {
        self.output_biases().end
    }

    /// True for no hidden units.
    pub const fn is_empty(self) -> bool {
        self.hidden == 0
    }
}

/// A network.
#[derive(Clone, PartialEq, Debug)]
pub struct Network {
    /// Where the parameters are.
    pub shape: Shape,
    /// The parameters.
    pub parameters: Vec<f32>,
}

impl Network {
    /// A network with random weights.
    pub fn random(hidden: usize, seed: u64) -> Network {
        let shape = Shape { hidden };
        let mut random = Random::new(seed);
        let mut parameters = vec![0.0; shape.len()];
        let mut fill = |range: Range<usize>, size: f32| {
            parameters[range].iter_mut().for_each(|weight| *weight = size * random.signed_unit());
        };
        // With some 24 active inputs the hidden units start about the middle of their range.
        fill(shape.feature_weights(), 0.1);
        fill(shape.output_weights(), 1.0 / (2.0 * hidden as f32).sqrt());
        parameters[shape.feature_biases()].fill(0.25);
        Network { shape, parameters }
    }

    /// Computes the hidden units, before activation, of the mover (0) or the other (1).
    pub(crate) fn accumulate(&self, inputs: &[u16], accumulator: &mut [f32]) {
        let hidden = self.shape.hidden;
        let (biases, _) = self.parameters[self.shape.feature_biases()].as_chunks::<BLOCK>();
        let weights = &self.parameters[self.shape.feature_weights()];
        let (blocks, _) = accumulator.as_chunks_mut::<BLOCK>();
        for (number, (block, bias)) in blocks.iter_mut().zip(biases).enumerate() {
            let mut sums = *bias;
            for &input in inputs {
                let start = usize::from(input) * hidden + number * BLOCK;
                let Some(row) = weights[start..].first_chunk::<BLOCK>() else { continue };
                for (sum, weight) in sums.iter_mut().zip(row) {
                    *sum += weight;
                }
            }
            *block = sums;
        }
    }

    /// The output from the hidden units of both sides; a centipawn is 1/400.
    pub(crate) fn output(&self, bucket: usize, accumulators: &[f32]) -> f32 {
        let width = 2 * self.shape.hidden;
        let weights = &self.parameters[self.shape.output_weights()][bucket * width..][..width];
        let mut sums = [0.0; BLOCK];
        let (units, _) = accumulators.as_chunks::<BLOCK>();
        for (units, weights) in units.iter().zip(weights.as_chunks::<BLOCK>().0) {
            for ((sum, unit), weight) in sums.iter_mut().zip(units).zip(weights) {
                let active = unit.clamp(0.0, 1.0);
                *sum += active * active * weight;
            }
        }
        sums.iter().sum::<f32>() + self.parameters[self.shape.output_biases()][bucket]
    }

    /// The output for a position; a centipawn is 1/400.
    pub fn evaluate(&self, features: &Features) -> f32 {
        let hidden = self.shape.hidden;
        let mut accumulators = vec![0.0; 2 * hidden];
        for (side, accumulator) in accumulators.chunks_exact_mut(hidden).enumerate() {
            self.accumulate(features.inputs(side), accumulator);
        }
        self.output(features.bucket(), &accumulators)
    }

    /// The network in whole numbers.
    pub fn quantised(&self) -> Quantised {
        let words = |range: Range<usize>, one: i32| -> Vec<i16> {
            self.parameters[range].iter().map(|weight| (weight * one as f32).round() as i16).collect()
        };
        let bias = |bias: &f32| (bias * (QA * QB) as f32).round() as i32;
        Quantised {
            hidden: self.shape.hidden,
            feature_weights: words(self.shape.feature_weights(), QA),
            feature_biases: words(self.shape.feature_biases(), QA),
            output_weights: words(self.shape.output_weights(), QB),
            output_biases: self.parameters[self.shape.output_biases()].iter().map(bias).collect(),
        }
    }
}
