import { expect, test } from 'vitest'
import { dialectHash } from '../../electron/practice/dialect/dialect-hash.ts'

/**
 * Hash of the dialect generator and its thesaurus. They were written without looking at what the app can read, and the proof depends on that.
 * Changing this hash changes what is proven, so its commit must explain why.
 */
const pinned = '0842f946cadf0543c71383b2037a3f6a32b6eb77c53db0e51d8541f675249819'

test('the dialect generator is unchanged since the proof was made', () => {
  expect(dialectHash()).toBe(pinned)
})
