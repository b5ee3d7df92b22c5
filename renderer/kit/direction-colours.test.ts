import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8')

type Theme = 'light' | 'dark'
type Rgb = readonly [number, number, number]

/** Reads the colour of a token in the CSS rule of `selector`. The value must be `light-dark(#light, #dark)`. */
function colourOf(selector: string, token: string, theme: Theme): string {
  const rule = css.slice(css.indexOf(`\n${selector} {`)).split('\n}')[0] ?? ''
  const [, light, dark] = new RegExp(`^ +${token}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\);`, 'm').exec(rule) ?? []
  const colour = theme === 'light' ? light : dark
  if (colour === undefined) throw new Error(`${selector} has no ${token}`)
  return colour
}

const bytesOf = (hex: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255) as [number, number, number]
const linear = (hex: string): Rgb => bytesOf(hex).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)) as [number, number, number]
const times = (rows: readonly Rgb[], [r, g, b]: Rgb): Rgb => rows.map(([x, y, z]) => x * r + y * g + z * b) as [number, number, number]

const seenByDeuteranope = (colour: Rgb): Rgb =>
  times(
    [
      [0.367322, 0.860646, -0.227968],
      [0.280085, 0.672501, 0.047413],
      [-0.01182, 0.04294, 0.968881],
    ],
    colour,
  ).map((part) => Math.min(1, Math.max(0, part))) as [number, number, number]

/** Converts a colour to CIE Lab under the D65 illuminant. */
function labOf(colour: Rgb): Rgb {
  const xyz = times(
    [
      [0.4124564, 0.3575761, 0.1804375],
      [0.2126729, 0.7151522, 0.072175],
      [0.0193339, 0.119192, 0.9503041],
    ],
    colour,
  )
  const white = [0.95047, 1, 1.08883] as const
  const [x, y, z] = xyz.map((part, index) => {
    const share = part / (white[index] ?? 1)
    return share > 216 / 24_389 ? Math.cbrt(share) : ((24_389 / 27) * share + 16) / 116
  }) as [number, number, number]
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

function difference(one: string, other: string): number {
  const [a, b] = [one, other].map((hex) => labOf(seenByDeuteranope(linear(hex))))
  return Math.hypot(...(a ?? []).map((part, index) => part - (b?.[index] ?? 0)))
}

function contrast(one: string, other: string): number {
  const [a = 0, b = 0] = [one, other].map((hex) => times([[0.2126, 0.7152, 0.0722]], linear(hex))[0])
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

const blueOrange = "[data-direction='blue_orange']"
const themes = ['light', 'dark'] as const

test.each(themes.flatMap((theme) => ['', '-fill'].map((kind) => ({ theme, kind }))))(
  'a user who confuses green and red can tell blue from orange: --long$kind and --short$kind in the $theme theme',
  ({ theme, kind }) => {
    expect(difference(colourOf(blueOrange, `--long${kind}`, theme), colourOf(blueOrange, `--short${kind}`, theme))).toBeGreaterThanOrEqual(20)
  },
)

test.each(themes)('the colour test finds green and red too similar for users without green cones, in the %s theme', (theme) => {
  expect(difference(colourOf(':root', '--long', theme), colourOf(':root', '--short', theme))).toBeLessThan(20)
})

test.each(themes)('the blue and orange for long and short have enough contrast, as text on a panel and as buttons with text, in the %s theme', (theme) => {
  const panel = colourOf(':root', '--surface-1', theme)
  for (const side of ['long', 'short']) {
    expect(contrast(colourOf(blueOrange, `--${side}`, theme), panel)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(colourOf(blueOrange, `--${side}-fill`, theme), '#ffffff')).toBeGreaterThanOrEqual(4.5)
  }
})

test('if the user chooses blue and orange, they replace every colour of long and short', () => {
  const tokensOf = (selector: string) =>
    (css.slice(css.indexOf(`\n${selector} {`)).split('\n}')[0] ?? '').match(/^ +--(?:long|short)[a-z-]*(?=:)/gm)?.map((token) => token.trim())
  expect(tokensOf(blueOrange)).toEqual(tokensOf(':root'))
})
