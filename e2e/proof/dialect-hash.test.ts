import { expect, test } from 'vitest'
import { dialectHash } from '../../electron/sandbox/dialect/dialect-hash.ts'

/**
 * The generator of dialects and its thesaurus. It was written without a look at what the app can read, and the proof stands on that: a change of this
 * hash is a change of what is proven, and its commit says why.
 */
const pinned = '98c3a03e946413bd87d869ad5cfbd580d8251beb7f8bf05aaa9ee702af074592'

test('the dialects that the proof draws are those that it was made with', () => {
  expect(dialectHash()).toBe(pinned)
})
