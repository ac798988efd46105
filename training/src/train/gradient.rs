//! Loss and gradient of a share of a batch, on one thread.

use super::config::Config;
use super::network::{BLOCK, Network};
use crate::features::Features;
use crate::packed::Packed;

/// What a position should be predicted as.
#[derive(Clone, Copy, Debug)]
pub(super) struct Goal {
    /// Share of the score; the rest is the result.
    pub(super) lambda: f32,
    /// Centipawns of a score that count as one output.
    pub(super) score_scale: f32,
    /// Power of the difference.
    pub(super) power: f32,
}

fn sigmoid(value: f32) -> f32 {
    1.0 / (1.0 + (-value).exp())
}

impl Goal {
    pub(super) fn new(config: &Config, lambda: f32) -> Goal {
        Goal { lambda, score_scale: config.score_scale, power: config.loss_power }
    }

    fn target(&self, packed: &Packed) -> f32 {
        let score = sigmoid(packed.score() as f32 / self.score_scale);
        self.lambda * score + (1.0 - self.lambda) * packed.result()
    }

    /// The loss of an output and its derivative.
    fn loss(&self, output: f32, packed: &Packed) -> (f32, f32) {
        let prediction = sigmoid(output);
        let difference = prediction - self.target(packed);
        // Powers are slow and squares are common.
        let slope = if self.power == 2.0 {
            2.0 * difference
        } else {
            (self.power * difference.abs().powf(self.power - 1.0)).copysign(difference)
        };
        (slope * difference / self.power, slope * prediction * (1.0 - prediction))
    }
}

/// One thread's memory.
#[derive(Debug)]
pub(super) struct Worker {
    /// The gradient of all positions since the last [`clear`](Worker::clear), summed up.
    pub(super) gradient: Vec<f32>,
    /// Hidden units of mover and other before activation; then their derivatives.
    units: Vec<f32>,
}

impl Worker {
    pub(super) fn new(network: &Network) -> Worker {
        let shape = network.shape;
        Worker { gradient: vec![0.0; shape.len()], units: vec![0.0; 2 * shape.hidden] }
    }

    pub(super) fn clear(&mut self) {
        self.gradient.fill(0.0);
    }

    /// The output for a position; leaves the hidden units in `units`.
    fn forward(&mut self, network: &Network, features: &Features) -> f32 {
        for (side, units) in self.units.chunks_exact_mut(network.shape.hidden).enumerate() {
            network.accumulate(features.inputs(side), units);
        }
        network.output(features.bucket(), &self.units)
    }

    /// The summed loss of positions.
    pub(super) fn loss(&mut self, network: &Network, goal: Goal, positions: &[Packed]) -> f64 {
        let loss = |packed: &Packed| {
            let output = self.forward(network, &Features::new(packed));
            f64::from(goal.loss(output, packed).0)
        };
        positions.iter().map(loss).sum()
    }

    /// Adds the positions' gradient and returns their summed loss.
    pub(super) fn learn(&mut self, network: &Network, goal: Goal, positions: &[Packed]) -> f64 {
        let mut sum = 0.0;
        for packed in positions {
            let features = Features::new(packed);
            let output = self.forward(network, &features);
            let (loss, slope) = goal.loss(output, packed);
            sum += f64::from(loss);
            self.backward_output(network, features.bucket(), slope);
            for side in 0..2 {
                self.backward_hidden(network, side, features.inputs(side));
            }
        }
        sum
    }

    /// Output weights and bias; turns `units` into the derivatives by the hidden units.
    fn backward_output(&mut self, network: &Network, bucket: usize, slope: f32) {
        let shape = network.shape;
        let width = 2 * shape.hidden;
        let weights = &network.parameters[shape.output_weights()][bucket * width..][..width];
        let gradient = &mut self.gradient[shape.output_weights()][bucket * width..][..width];
        let blocks = self.units.as_chunks_mut::<BLOCK>().0.iter_mut();
        let weights = weights.as_chunks::<BLOCK>().0;
        for ((units, weights), gradient) in blocks.zip(weights).zip(gradient.as_chunks_mut::<BLOCK>().0) {
            for ((unit, weight), gradient) in units.iter_mut().zip(weights).zip(gradient) {
                let active = unit.clamp(0.0, 1.0);
                *gradient += slope * active * active;
                // The derivative at 0 is 0 anyway; at 1 and beyond the unit is clamped.
                let passes = if *unit < 1.0 { 2.0 * slope } else { 0.0 };
                *unit = passes * active * weight;
            }
        }
        self.gradient[shape.output_biases()][bucket] += slope;
    }

    /// Input weights and biases of one side, from the derivatives in `units`.
    fn backward_hidden(&mut self, network: &Network, side: usize, inputs: &[u16]) {
        let shape = network.shape;
        let hidden = shape.hidden;
        let (units, _) = self.units[side * hidden..][..hidden].as_chunks::<BLOCK>();
        let (weights, rest) = self.gradient.split_at_mut(shape.feature_weights().end);
        let (biases, _) = rest[..hidden].as_chunks_mut::<BLOCK>();
        for (number, (units, biases)) in units.iter().zip(biases).enumerate() {
            let units = *units;
            for (bias, unit) in biases.iter_mut().zip(&units) {
                *bias += unit;
            }
            for &input in inputs {
                let start = usize::from(input) * hidden + number * BLOCK;
                let Some(row) = weights[start..].first_chunk_mut::<BLOCK>() else { continue };
                for (weight, unit) in row.iter_mut().zip(&units) {
                    *weight += unit;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use makara_engine::{Position, PromotionRule};

    use super::*;
    use crate::format::GameResult;

    #[test]
    fn gradient_is_the_slope_of_the_loss() {
        let fen = "r1bqkb1r/2n3n1/p1pppppp/1p6/5P2/PPPPP1PP/4N2K/RNBQ1B1R b - - 0 9";
        let position = Position::from_fen(fen, PromotionRule::Any).expect(fen);
        let packed = [Packed::new(&position, 150, GameResult::WhiteWon, 20)];
        for power in [2.0, 2.5] {
            let goal = Goal { lambda: 0.7, score_scale: 400.0, power };
            let mut network = Network::random(64, 3);
            let mut worker = Worker::new(&network);
            worker.learn(&network, goal, &packed);
            let shape = network.shape;
            let features = Features::new(&packed[0]);
            let input = usize::from(features.inputs(1)[3]);
            let bucket = features.bucket();
            let width = 2 * shape.hidden;
            for place in (input * 64..input * 64 + 20)
                .chain(shape.feature_biases().step_by(7))
                .chain(shape.output_weights().skip(bucket * width).take(width).step_by(5))
                .chain([shape.output_biases().start + bucket])
            {
                let here = network.parameters[place];
                let mut loss_at = |value| {
                    network.parameters[place] = value;
                    worker.loss(&network, goal, &packed)
                };
                let slope = (loss_at(here + 0.01) - loss_at(here - 0.01)) / 0.02;
                network.parameters[place] = here;
                let found = f64::from(worker.gradient[place]);
                assert!((slope - found).abs() < 0.0005 + 0.05 * slope.abs(), "{place}: {slope} {found}");
            }
        }
    }
}
