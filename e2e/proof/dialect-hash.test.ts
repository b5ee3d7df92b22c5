import { expect, test } from 'vitest'
import { dialectHash } from '../../electron/practice/dialect/dialect-hash.ts'

/**
 * The generator of dialects and its thesaurus. It was written without a look at what the app can read, and the proof stands on that: a change of this
 * hash is a change of what is proven, and its commit says why.
 */
const pinned = 'dca9ff072b7e92e5396aae0a822a6f4390705148f0b5682fb644e10cc08d3884'

test('the dialects that the proof draws are those that it was made with', () => {
  expect(dialectHash()).toBe(pinned)
})
