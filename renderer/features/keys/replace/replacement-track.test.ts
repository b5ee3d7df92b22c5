import { expect, test } from 'vitest'
import type { Replacement } from '../../../../shared/ipc/keys/replacements.ts'
import { currentStep, replacementOf, trackOf, wantsUser } from './replacement-track.ts'

const replacement = (change: Partial<Replacement>): Replacement => ({
  id: 'r1',
  oldKey: { id: 'key_old', label: 'bot' },
  newKey: null,
  plan: { label: 'bot 2', scopes: ['market:read'], expiresInDays: 30, ipAllowlist: [], quotas: [], executor: null, agent: 'none' },
  now: { state: 'planned' },
  next: ['begin', 'abandon'],
  notBeforeMs: null,
  due: true,
  createdAtMs: 1,
  updatedAtMs: 1,
  steps: [{ state: 'planned', atMs: 1, note: null }],
  ...change,
})
const fresh = { id: 'key_new', label: 'bot 2', kept: 'keychain' } as const
const states = (one: Replacement) => trackOf(one).map(({ id, state }) => `${id} ${state}`)

test('the progress of a key’s replacement shows exactly one active step, and earlier steps as done with their times', () => {
  const one = replacement({
    newKey: fresh,
    now: { state: 'probed', verdict: 'works' },
    steps: [
      { state: 'planned', atMs: 1, note: null },
      { state: 'created', atMs: 2, note: null },
      { state: 'probed', atMs: 3, note: null },
    ],
  })
  expect(states(one)).toEqual(['plan done', 'key done', 'probe done', 'handover now', 'revoke next'])
  expect(trackOf(one).map(({ atMs }) => atMs)).toEqual([1, 2, 3, null, null])
})

test('the progress of a key’s replacement shows the agent’s grant as a separate step if the grant follows the key’s creation', () => {
  const plan = { ...replacement({}).plan, agent: 'after_key' } as const
  const waiting = replacement({ plan, newKey: fresh, now: { state: 'granting', by: 'agent', draftId: null } })
  expect(states(waiting)).toEqual(['plan done', 'key done', 'agent now', 'probe next', 'handover next', 'revoke next'])
  // The response to the key's creation was lost, so the new key may not exist. The active step is therefore still `key`.
  expect(currentStep(replacement({ plan, now: { state: 'stuck', at: 'granting', reason: 'creation_unknown' } }))).toBe('key')
})

test('the progress of a stuck replacement marks the step where the replacement is stuck, and shows no later step as done', () => {
  expect(states(replacement({ now: { state: 'stuck', at: 'planned', reason: 'no_room' } }))).toEqual([
    'plan done',
    'key stuck',
    'probe next',
    'handover next',
    'revoke next',
  ])
})

test('the progress of a finished or abandoned key replacement shows which steps were done', () => {
  expect(states(replacement({ now: { state: 'done' } })).every((text) => text.endsWith('done'))).toBe(true)
  const left = replacement({
    newKey: fresh,
    now: { state: 'abandoned', newKey: 'kept' },
    steps: [
      { state: 'planned', atMs: 1, note: null },
      { state: 'created', atMs: 2, note: null },
      { state: 'stuck', atMs: 3, note: null },
      { state: 'abandoned', atMs: 4, note: null },
    ],
  })
  expect(states(left)).toEqual(['plan done', 'key done', 'probe left', 'handover left', 'revoke left'])
})

test('the keys page shows a running replacement rather than an ended one, for the old key and for the new key', () => {
  const done = replacement({ id: 'r0', now: { state: 'done' } })
  const open = replacement({ id: 'r2', newKey: fresh, now: { state: 'created' } })
  expect(replacementOf([done, open], 'key_old')?.id).toBe('r2')
  expect(replacementOf([done, open], 'key_new')?.id).toBe('r2')
  expect(replacementOf([done], 'key_old')?.id).toBe('r0')
  expect(replacementOf([replacement({ now: { state: 'abandoned', newKey: 'none' } })], 'key_old')).toBeNull()
})

test('the app asks for the user’s attention only when a scheduled replacement’s day has come, or when a replacement is stuck', () => {
  expect(wantsUser(replacement({ due: false, notBeforeMs: 9 }))).toBe(false)
  expect(wantsUser(replacement({ due: true, notBeforeMs: 9 }))).toBe(true)
  expect(wantsUser(replacement({ now: { state: 'stuck', at: 'planned', reason: 'no_room' }, due: false }))).toBe(true)
  expect(wantsUser(replacement({ now: { state: 'done' } }))).toBe(false)
})
