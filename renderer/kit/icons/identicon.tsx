import { cx } from '../cx.ts'
import styles from './icon.module.css'

interface IdenticonProps {
  readonly address: string
  readonly size?: 18 | 24 | 32
}

/**
 * The cells of a mirrored 5 × 5 picture: 0 is the background, 1 and 2 are the two colours.
 * The same address always produces the same picture, regardless of its letter case.
 */
export function identiconCells(address: string): { readonly hue: number; readonly cells: readonly (0 | 1 | 2)[] } {
  // FNV-1a gives similar addresses very different hashes. The picture needs no other property of a hash.
  let hash = 0x811c9dc5
  for (const letter of address.toLowerCase()) {
    hash ^= letter.codePointAt(0) ?? 0
    hash = Math.imul(hash, 0x01000193) >>> 0
  }
  const next = () => {
    hash ^= hash << 13
    hash ^= hash >>> 17
    hash = (hash ^ (hash << 5)) >>> 0
    return hash
  }
  const hue = next() % 360
  const cells: (0 | 1 | 2)[] = Array.from({ length: 25 }, () => 0)
  for (let row = 0; row < 5; row += 1) {
    for (let column = 0; column < 3; column += 1) {
      const kind = (['0', '1', '1', '2'] as const)[next() % 4] ?? '0'
      const value = kind === '0' ? 0 : kind === '1' ? 1 : 2
      cells[row * 5 + column] = value
      cells[row * 5 + 4 - column] = value
    }
  }
  return { hue, cells }
}

/** A picture that helps tell addresses apart at a glance. It proves nothing, so the address is always shown beside it. */
export function Identicon({ address, size = 18 }: IdenticonProps) {
  const { hue, cells } = identiconCells(address)
  const path = (kind: 1 | 2) => cells.flatMap((cell, index) => (cell === kind ? [`M${index % 5} ${Math.floor(index / 5)}h1v1h-1z`] : [])).join('')
  return (
    <svg className={size === 18 ? styles.identicon : cx(styles.identicon, styles[`s${size}`])} viewBox="0 0 5 5" shapeRendering="crispEdges" aria-hidden="true">
      <rect width="5" height="5" fill={`oklch(0.38 0.06 ${hue})`} />
      <path d={path(1)} fill={`oklch(0.62 0.14 ${(hue + 300) % 360})`} />
      <path d={path(2)} fill={`oklch(0.78 0.11 ${(hue + 40) % 360})`} />
    </svg>
  )
}
