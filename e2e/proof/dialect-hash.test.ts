import { expect, test } from 'vitest'
import { dialectHash } from '../../electron/sandbox/dialect/dialect-hash.ts'

/**
 * The generator of dialects and its thesaurus. It was written without a look at what the app can read, and the proof stands on that: a change of this
 * hash is a change of what is proven, and its commit says why.
 */
const pinned = '73de51abcc8c3e56507aa2cc1c1111261a15a5de960129d9dbd0fce3fe6d8a97'

test('the dialects that the proof draws are those that it was made with', () => {
  expect(dialectHash()).toBe(pinned)
})
