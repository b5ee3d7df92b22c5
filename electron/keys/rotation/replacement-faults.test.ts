import { array, assert, asyncProperty, constantFrom, nat, record } from 'fast-check'
import { expect, test } from 'vitest'
import { anyTrouble, type Reached, startTroubledUser, type TroubledUser } from '../../../e2e/support/main/troubled-user.ts'
import { value, type Workspace } from '../../../e2e/support/main/workspace.ts'
import type { Replacement } from '../../../shared/ipc/keys/replacements.ts'
import { second } from '../../../shared/time.ts'

type Step = Parameters<ReturnType<Workspace['handlers']>['replacements.advance']>[0]['step']

const only = async ({ replacements }: TroubledUser): Promise<Replacement> => {
  const [first] = await replacements()
  if (first === undefined) throw new Error('No replacement')
  return first
}

async function press(user: TroubledUser, pick: number): Promise<void> {
  const { id, next, oldKey } = await only(user)
  const step = pick === 31 ? next.at(-1) : next[pick % Math.max(1, next.length - 1)]
  if (step === 'sign_grant') return user.signDraft()
  if (step === 'abandon') return void (await user.workspace.handlers()['replacements.abandon']({ id, newKey: pick % 2 === 0 ? 'keep' : 'revoke' }))
  if (step !== undefined && step !== 'sign_agent')
    await user.workspace.handlers()['replacements.advance']({ id, step, confirmLabel: step === 'revoke' ? oldKey.label : null })
}

async function finish(user: TroubledUser): Promise<Replacement> {
  const advance = async (id: string, step: Step, confirmLabel: string | null = null) =>
    user.workspace.handlers()['replacements.advance']({ id, step, confirmLabel })
  for (let round = 0; round < 30; round += 1) {
    user.workspace.clock.advance(second)
    const one = await only(user)
    const { id, now, newKey } = one
    switch (now.state) {
      case 'done':
      case 'abandoned':
        return one
      case 'planned':
        value(await advance(id, 'begin'))
        break
      case 'granting':
        await user.signDraft()
        break
      case 'created':
        value(await advance(id, 'probe'))
        break
      case 'probed':
        value(await advance(id, 'handed_over'))
        break
      case 'handed_over':
      case 'revoking':
        value(await advance(id, 'revoke', one.oldKey.label))
        break
      case 'stuck':
        user.workspace.clock.advance(16 * second)
        if (now.reason === 'old_key_gone') value(await user.workspace.handlers()['replacements.abandon']({ id, newKey: 'keep' }))
        else if (now.reason === 'secret_lost')
          value(await user.workspace.handlers()['keys.rotate']({ keyId: newKey?.id ?? '', confirmLabel: newKey?.label ?? '' }))
        else value(await advance(id, 'retry'))
    }
  }
  throw new Error(`No end: ${JSON.stringify(await only(user))}`)
}

const states = ['planned', 'granting', 'created', 'probed', 'handed_over', 'revoking', 'done', 'abandoned', 'stuck']

test('the app continues a key replacement to its end after any fault or crash, and never makes two new keys [KEY-05, KEY-09, KEY-16]', async () => {
  const reached: Reached = { operations: new Set(), replacements: new Set() }
  await assert(
    asyncProperty(
      constantFrom('custom', 'bot_ready'),
      array(record({ pick: nat(31), ...anyTrouble }), { minLength: 2, maxLength: 12 }),
      nat(1),
      async (kind, moves, turn) => {
        const user = await startTroubledUser(reached)
        const { handlers } = user.workspace
        try {
          const scopes = ['market:read', 'account:read'] as const
          const keyId =
            kind === 'bot_ready'
              ? await user.workspace.createKey('bot')
              : value(await handlers()['keys.createCustom']({ label: 'bot', scopes: [...scopes], expiresInDays: 30, ipAllowlist: [], quotas: [] })).id
          value(await handlers()['replacements.start']({ keyId, label: null, expiresInDays: null, notBeforeMs: null }))
          for (const move of moves) {
            await user.meet(move, () => press(user, move.pick))
            expect(await user.unexplained(), JSON.stringify(move)).toEqual([])
            const { now } = await only(user)
            const old = (await user.listed()).find(({ id }) => id === keyId)
            if (!['revoking', 'done'].includes(now.state)) expect(old?.status).toBe('active')
          }
          await user.settle(turn)
          const { now, plan } = await finish(user)
          reached.replacements.add(now.state)
          const active = (await user.listed()).filter(({ status }) => status === 'active').map(({ label }) => label)
          expect(active.filter((label) => label === plan.label).length).toBeLessThanOrEqual(1)
          if (now.state === 'done') expect(active).toEqual([plan.label])
          expect(await user.unusable()).toEqual([])
        } finally {
          await user.workspace.stop()
        }
      },
    ),
    { numRuns: 30, seed: 7 },
  )
  expect(states.filter((state) => !reached.replacements.has(state))).toEqual([])
}, 120_000)
