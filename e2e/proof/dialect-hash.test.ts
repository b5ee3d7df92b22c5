import { expect, test } from 'vitest'
import { dialectHash } from '../../electron/sandbox/dialect/dialect-hash.ts'

/**
 * The generator of dialects and its thesaurus. It was written without a look at what the app can read, and the proof stands on that: a change of this
 * hash is a change of what is proven, and its commit says why.
 */
const pinned = '4992207fb021558491c2a3ad0d960f56a96324d4346863ce8960161b0fc8fb51'

test('the dialects that the proof draws are those that it was made with', () => {
  expect(dialectHash()).toBe(pinned)
})
