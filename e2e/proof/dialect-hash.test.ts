import { expect, test } from 'vitest'
import { dialectHash } from '../../electron/practice/dialect/dialect-hash.ts'

/**
 * Hash of the dialect generator and its thesaurus. They were written without looking at what the app can read, and the proof depends on that.
 * Changing this hash changes what is proven, so its commit must explain why.
 */
const pinned = 'dca9ff072b7e92e5396aae0a822a6f4390705148f0b5682fb644e10cc08d3884'

test('the dialect generator is unchanged since the proof was made', () => {
  expect(dialectHash()).toBe(pinned)
})
