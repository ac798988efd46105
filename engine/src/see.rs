//! Static exchange evaluation: what a capture wins when both sides go on capturing on one square.

use crate::attacks::rook_attacks;
use crate::bitboard::Bitboard;
use crate::moves::Move;
use crate::position::Position;
use crate::role::Role;

/// The worth of each [`Role`] by its index, in the caller's units. The king's is not read; the others must
/// be positive and not fall from pawn to rook, since the exchange goes by the order of the roles.
pub type RoleValues = [i32; 6];

impl Position {
    /// True when a legal move, followed by the best exchanges on its target square, wins at least
    /// `threshold` by these values.
    ///
    /// Each side captures with its least valuable man, or stops. The move's own promotion counts, those of
    /// later captures do not. A king captures last, and only what is not defended. Pins are not looked at.
    pub fn see_at_least(&self, mv: Move, threshold: i32, values: &RoleValues) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let Some(moving) = self.role_at(from) else { return threshold <= 0 };
        let worth = |role: Role| if role == Role::King { 0 } else { values[role.index()] };

        // What the move wins at once, less the threshold: negative means that it fails even unanswered.
        let mut balance = self.role_at(to).map_or(0, worth) - threshold;
        let next_victim = mv.promoted().unwrap_or(moving);
        balance += worth(next_victim) - worth(moving);
        if balance < 0 {
            return false;
        }
        // And if the mover is then lost for nothing it still is enough.
        balance -= worth(next_victim);
        if balance >= 0 {
            return true;
        }

        let mut occupied = self.occupied().without(from).with(to);
        let mut attackers = self.attackers_to(to, occupied) & occupied;
        let mut side = !self.turn();
        loop {
            let own = attackers & self.by_color(side);
            let Some((role, square)) = self.least_valuable(own) else { break };
            // A king may not capture a defended man. No rook defends it through the king: the king would
            // have stood in check all along.
            if role == Role::King && (attackers & self.by_color(!side)).any() {
                break;
            }
            side = !side;
            balance = -balance - 1 - worth(role);
            if balance >= 0 {
                break;
            }
            occupied = occupied.without(square);
            // Whoever captured, a rook behind may see the square now.
            attackers |= rook_attacks(to, occupied) & self.by_role(Role::Rook);
            attackers &= occupied;
        }
        side != self.turn()
    }

    fn least_valuable(&self, among: Bitboard) -> Option<(Role, crate::Square)> {
        Role::ALL.into_iter().find_map(|role| Some((role, (among & self.by_role(role)).first()?)))
    }
}
