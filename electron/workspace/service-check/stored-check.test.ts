import { expect, test } from 'vitest'
import { createMemoryRecords } from '../../../e2e/support/main/memory-vault.ts'
import { createStoredCheck } from './stored-check.ts'

const wallet = '0x7A3fB2c45D81e0926fC3aD4E17b9805f2E6Dc91E'

function stored() {
  const [kept, aside] = [new Map<string, string>(), new Map<string, string>()]
  const store = createStoredCheck({
    profile: { id: 'p1' } as Parameters<typeof createStoredCheck>[0]['profile'],
    records: createMemoryRecords(kept, aside),
  })
  return { kept, aside, store }
}

test('the app stores each wallet’s service check separately, and reads it exactly as it was written', () => {
  const { store } = stored()
  const check = store.begin(wallet, 7, true)
  store.write(wallet, check)
  expect(store.read(wallet.toLowerCase())).toEqual(check)
  expect(store.read('0x1111111111111111111111111111111111111111')).toBeNull()
})

test.each([
  ['damaged', '{"version":1,"steps":'],
  ['no check', '[]'],
  ['of a newer version', '{"version":2,"startedAtMs":1,"endedAtMs":null,"dryRuns":false,"steps":{}}'],
  ['with a step that no version has', '{"version":1,"startedAtMs":1,"endedAtMs":null,"dryRuns":false,"steps":{"markets":{"outcome":"signed"}}}'],
])('the app ignores a stored result of the service check that is %s, and sets it aside unchanged', (_, text) => {
  const { kept, aside, store } = stored()
  store.write(wallet, store.begin(wallet, 1, false))
  const [name] = kept.keys()
  if (name === undefined) throw new Error('Nothing was written')
  kept.set(name, text)
  expect(store.read(wallet)).toBeNull()
  expect([[...kept], [...aside]]).toEqual([[], [[name, text]]])
})

test('the stored service check keeps no response above 256 KB, and then also deletes the earlier response of the same route', () => {
  const { store } = stored()
  store.keepAnswer(wallet, 'markets', '{}')
  expect(store.answer(wallet, 'markets')).toBe('{}')
  store.keepAnswer(wallet, 'markets', 'x'.repeat(262_145))
  expect(store.answer(wallet, 'markets')).toBeNull()
})
