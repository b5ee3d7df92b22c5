import qrcode from 'qrcode-generator'

export interface QrShape {
  /** Modules along an edge. */
  readonly size: number
  /** The modules that are not part of the three eyes, as one SVG path on a grid of modules. */
  readonly path: string
  /** Upper left corners of the three eyes. */
  readonly eyes: readonly (readonly [number, number])[]
}

const eye = 7

/**
 * The picture of a pairing code. Level M repairs 15 % of it, and the mark in its middle takes `holeShare` of its width, so 4 % of its area.
 */
export function qrShape(text: string, holeShare = 0.2): QrShape {
  const code = qrcode(0, 'M')
  code.addData(text)
  code.make()
  const size = code.getModuleCount()
  const far = size - eye
  const inEye = (x: number, y: number) => (x < eye && (y < eye || y >= far)) || (x >= far && y < eye)
  const half = (size * holeShare) / 2
  const inHole = (x: number, y: number) => Math.abs(x + 0.5 - size / 2) < half && Math.abs(y + 0.5 - size / 2) < half
  let path = ''
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      if (!code.isDark(y, x) || inEye(x, y) || inHole(x, y)) continue
      let width = 1
      while (x + width < size && code.isDark(y, x + width) && !inEye(x + width, y) && !inHole(x + width, y)) width += 1
      path += `M${x} ${y}h${width}v1h-${width}z`
      x += width - 1
    }
  }
  return {
    size,
    path,
    eyes: [
      [0, 0],
      [far, 0],
      [0, far],
    ],
  }
}
