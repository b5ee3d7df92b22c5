import { expect, test } from 'vitest'
import type { KeySummary } from '../../../shared/ipc/keys/keys.ts'
import { fail, ok } from '../../../shared/result.ts'
import { Secret } from '../../kernel/secret.ts'
import type { KeyParts } from '../calls/key-list.ts'
import { unlisted } from '../issuance/custom-key.ts'
import { createKeyOwner } from './key-import.ts'

const session = { kind: 'session', bearer: new Secret('svcds1.x') } as const
const key = (id: string, lastUsedAtMs: number): KeySummary => ({
  ...unlisted(id, { label: id, ipAllowlist: [] }, null),
  secret: 'elsewhere',
  inUse: false,
  lastUsedAtMs,
})

async function owner(...lists: readonly Readonly<Record<string, number>>[]) {
  const [before = [], ...after] = lists.map((uses) => Object.entries(uses).map(([id, at]) => key(id, at)))
  let trials = 0
  const parts = {
    credentials: { secretOf: async () => ok(null) },
    calls: { audit: async () => fail({ failure: { kind: 'not_found', what: 'audit' }, sent: 'answered' }) },
    list: { read: async () => ok({ keys: after.shift() ?? [], active: 0, limit: 10, readAtMs: 0, sentLabels: new Map() }) },
  } as unknown as KeyParts
  const run = async () => {
    trials += 1
    return { verdict: 'cannot_tell' as const, wallet: null, requestIds: ['r'] }
  }
  const { evidence, candidates } = await createKeyOwner(parts, { run })(new Secret('SVC0'), session, '0x1', before)
  return { evidence, ids: candidates.map(({ id }) => id), trials }
}

test('the import attributes a secret to a key if only that key’s last-used time changed after each of two test calls', async () => {
  expect(await owner({ a: 1, b: 1 }, { a: 1, b: 2 }, { a: 1, b: 3 })).toEqual({ evidence: 'last_used', ids: ['b'], trials: 2 })
})

test.each([
  [
    'moved once, as another tool’s would',
    [
      { a: 1, b: 1 },
      { a: 1, b: 2 },
      { a: 1, b: 2 },
    ],
    ['a', 'b'],
  ],
  [
    'is another one the second time',
    [
      { a: 1, b: 1 },
      { a: 1, b: 2 },
      { a: 2, b: 2 },
    ],
    ['a', 'b'],
  ],
  [
    'is one of two the second time',
    [
      { a: 1, b: 1 },
      { a: 1, b: 2 },
      { a: 2, b: 3 },
    ],
    ['a', 'b'],
  ],
  [
    'did not move',
    [
      { a: 1, b: 1 },
      { a: 1, b: 1 },
    ],
    ['a', 'b'],
  ],
] as const)('the import does not attribute the secret to a key that %s', async (_how, lists, ids) => {
  expect(await owner(...lists)).toMatchObject({ evidence: 'none', ids })
})

test('if the last-used times of several keys changed after a test call, the import lists all of these keys as candidates', async () => {
  expect(await owner({ a: 1, b: 1, c: 1 }, { a: 2, b: 2, c: 1 })).toMatchObject({ evidence: 'none', ids: ['a', 'b'], trials: 1 })
})
