import { word } from '../reader/kinds.ts'

/** Long or short, as services write them. A bare number says nothing: 0 and 1 are both. */
export const side = word<'long' | 'short'>(['long', 'short'], {
  buy: 'long',
  sell: 'short',
  bid: 'long',
  ask: 'short',
  b: 'long',
  a: 'short',
  s: 'short',
  l: 'long',
  bull: 'long',
  bear: 'short',
})
