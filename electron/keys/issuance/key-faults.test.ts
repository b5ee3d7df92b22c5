import { array, assert, asyncProperty, constantFrom, nat, record } from 'fast-check'
import { expect, test } from 'vitest'
import { anyTrouble, type Reached, startTroubledUser, type Trouble, type TroubledUser } from '../../../e2e/support/main/troubled-user.ts'
import { value } from '../../../e2e/support/main/workspace.ts'

const actions = ['custom', 'bot_ready', 'rotate', 'revoke'] as const
/** A random user action, together with the faults that happen during the action. `pick`: which of the listed keys the action changes. */
const anyMove = record({ action: constantFrom(...actions), pick: nat(7), ...anyTrouble })
type Move = Trouble & { readonly action: (typeof actions)[number]; readonly pick: number }

async function pressed({ workspace, listed, signDraft }: TroubledUser, { action, pick }: Move, label: string): Promise<() => Promise<unknown>> {
  const keys = (await listed()).filter(({ status }) => status === 'active')
  const key = keys[pick % Math.max(1, keys.length)]
  switch (action) {
    case 'custom':
      return async () =>
        workspace.handlers()['keys.createCustom']({ label, scopes: ['market:read', 'account:read'], expiresInDays: 30, ipAllowlist: [], quotas: [] })
    case 'bot_ready':
      value(await workspace.handlers()['keys.prepare']({ label, expiresInDays: 30, ipAllowlist: [] }))
      return signDraft
    case 'rotate':
      return async () => key && workspace.handlers()['keys.rotate']({ keyId: key.id, confirmLabel: key.label })
    case 'revoke':
      return async () => key && workspace.handlers()['keys.revoke']({ keyId: key.id, confirmLabel: key.label })
  }
}

const transitions = [
  'create: PLANNED → FAILED',
  'create: PLANNED → SENT',
  'create: SENT → FAILED',
  'create: SENT → STORED',
  'create: SENT → UNKNOWN',
  'create: STORED → VERIFIED',
  'create: UNKNOWN → SETTLED',
  'create: UNKNOWN → VERIFIED',
  'revoke: PLANNED → FAILED',
  'revoke: PLANNED → SENT',
  'revoke: SENT → FAILED',
  'revoke: SENT → SETTLED',
  'revoke: SENT → UNKNOWN',
  'revoke: UNKNOWN → FAILED',
  'revoke: UNKNOWN → SETTLED',
  'rotate: PLANNED → FAILED',
  'rotate: PLANNED → SENT',
  'rotate: SENT → FAILED',
  'rotate: SENT → STORED',
  'rotate: SENT → UNKNOWN',
  'rotate: STORED → VERIFIED',
  'rotate: UNKNOWN → SETTLED',
  'rotate: UNKNOWN → STORED',
]

const calm = (action: Move['action']): Move => ({ action, pick: 0, trouble: 'none', dies: null })
const died = (action: Move['action']): Move[] => [calm('custom'), ...[0, 1, 2, 3, 4, 5, 6, 7].map((dies) => ({ ...calm(action), dies }))]

test('after random faults and crashes during key actions, the app knows every key, loses no valid secret, and resolves every unknown outcome [KEY-05, KEY-07, KEY-16]', async () => {
  const reached: Reached = { operations: new Set(), replacements: new Set() }
  await assert(
    asyncProperty(array(anyMove, { minLength: 3, maxLength: 8 }), nat(1), async (moves, turn) => {
      const user = await startTroubledUser(reached)
      try {
        for (const [index, move] of moves.entries()) {
          await user.meet(move, await pressed(user, move, `k${index}`))
          expect(await user.unexplained(), JSON.stringify(move)).toEqual([])
        }
        await user.settle(turn)
        expect(value(await user.workspace.handlers()['keys.unmatched']({}))).toEqual([])
        for (const operation of user.workspace.journal().secretOperations.list('practice', 500))
          expect(['VERIFIED', 'FAILED', 'SETTLED'], JSON.stringify(operation)).toContain(operation.state)
        expect(await user.unusable()).toEqual([])
        const labels = user.workspace.exchange.effects().keys.map(({ label }) => String(label).replace(/ #[0-9a-f]{6}$/, ''))
        expect(labels.length).toBe(new Set(labels).size)
      } finally {
        await user.workspace.stop()
      }
    }),
    {
      numRuns: 30,
      seed: 7,
      examples: [
        [died('custom'), 0],
        [died('rotate'), 0],
        [died('revoke'), 1],
        [[calm('custom'), { ...calm('revoke'), trouble: 'request lost' }], 0],
      ],
    },
  )
  expect(transitions.filter((one) => !reached.operations.has(one))).toEqual([])
}, 120_000)
