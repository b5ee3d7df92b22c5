/** A value for a point of a lattice, in [-1, 1). */
export type Lattice = (channel: number, cell: number) => number

/** Integer mixing only, so that every machine agrees. */
export const createLattice =
  (seed: number): Lattice =>
  (channel, cell) => {
    let h = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(channel + 1, 0xc2b2ae35)
    h = Math.imul(h ^ (cell | 0), 0x27d4eb2f) ^ Math.imul(Math.floor(cell / 4_294_967_296) + 1, 0x165667b1)
    h ^= h >>> 15
    h = Math.imul(h, 0x2c1b3c6d)
    h ^= h >>> 12
    h = Math.imul(h, 0x297a2d39)
    h ^= h >>> 15
    return (h >>> 0) / 2_147_483_648 - 1
  }

/** Smooth noise in [-1, 1] through the points of the lattice; never steeper than 3 a cell. */
export const smooth = (lattice: Lattice, channel: number, at: number): number => {
  const cell = Math.floor(at)
  const part = at - cell
  const eased = part * part * (3 - 2 * part)
  const left = lattice(channel, cell)
  return left + (lattice(channel, cell + 1) - left) * eased
}
