import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { openPosition, wallet } from '../../../e2e/support/fixtures/typed-data.ts'
import { anIntent } from '../../../e2e/support/journal/an-intent.ts'
import { createMemoryVault } from '../../../e2e/support/main/memory-vault.ts'
import { ok } from '../../../shared/result.ts'
import { day, minute, second } from '../../../shared/time.ts'
import type { IntentRow } from '../../store/journal/journal.ts'
import { openJournal } from '../../store/journal/tables/sqlite-journal.ts'
import { createSignedMethod } from '../methods/signed/signed.ts'
import { lastDeadline } from './finality.ts'
import { createIntentRepository } from './intent-repository.ts'

const madeAtMs = 1_790_000_000_000
const folder = mkdtempSync(join(tmpdir(), 'svc-deadlines-'))
let nowMs = madeAtMs
const clock = { now: () => nowMs, monotonic: () => nowMs, known: () => true }
const journal = openJournal({ file: join(folder, 'journal.sqlite'), clock })
afterAll(() => {
  journal.close()
  rmSync(folder, { recursive: true, force: true })
})
const repository = createIntentRepository({
  profile: { id: 'practice', kind: 'live', hostUrl: 'https://dex.example', practiceWallet: null },
  journal,
  vault: createMemoryVault(),
  emit: () => {},
  wallet: { shown: () => ok(wallet) },
  fillOf: async () => null,
})
const calls = {
  finality: () => Promise.reject(new Error('not part of this')),
  observation: async () => ok({ state: null, txHash: null, whole: true }),
  trace: async () => ok({ by: null, txHash: null, whole: true }),
}
const { lookUp: nowhere } = createSignedMethod({ repository, calls, clock })

/** The forms in which a service may write a message’s deadline. */
const forms = {
  seconds: (atMs: number) => String(Math.floor(atMs / 1_000)),
  milliseconds: (atMs: number) => String(atMs),
  microseconds: (atMs: number) => `${atMs}000`,
  nanoseconds: (atMs: number) => `${atMs}000000`,
} as const

interface Deadlines {
  readonly expiresAtMs: number | null
  readonly executionMs: number | null
  readonly entriesMs: readonly number[]
  readonly message: { readonly name: string; readonly form: keyof typeof forms; readonly atMs: number } | null
}

/** Builds a signed message that differs from practice mode’s: it is nested, and its deadline has another name. Returns null if `message` is null. */
function messageOf(message: Deadlines['message']): string | null {
  if (message === null) return null
  const { domain } = openPosition()
  const end = { name: message.name, type: 'uint256' }
  return JSON.stringify({
    domain,
    types: {
      EIP712Domain: openPosition().types.EIP712Domain,
      Instruction: [
        { name: 'by', type: 'address' },
        { name: 'terms', type: 'Terms' },
      ],
      Terms: [{ name: 'market', type: 'uint16' }, end],
    },
    primaryType: 'Instruction',
    message: { by: wallet, terms: { market: '1', [message.name]: forms[message.form](message.atMs) } },
  })
}

let count = 0
function unknownRow({ expiresAtMs, executionMs, entriesMs, message }: Deadlines): IntentRow {
  count += 1
  nowMs = madeAtMs
  const { ref } = journal.intents.plan(anIntent(`lost-${count}`))
  const prepared = {
    intent_id: `dx_${count}`,
    ...(expiresAtMs === null ? {} : { expires_at_ms: expiresAtMs }),
    execution: {
      ready: true,
      ...(executionMs === null ? {} : { deadline: Math.floor(executionMs / 1_000) }),
      transactions: entriesMs.map((atMs) => ({ kind: 'action', deadline: Math.floor(atMs / 1_000) })),
    },
  }
  return journal.intents.move(ref, 'UNKNOWN', {
    prepared: JSON.stringify(prepared),
    typedData: messageOf(message),
    way: 'signed_intent',
    deadlineMs: madeAtMs + minute,
  })
}

const at = fc.integer({ min: madeAtMs / second, max: (madeAtMs + day / 2) / second }).map((seconds) => seconds * second)
const deadlines: fc.Arbitrary<Deadlines> = fc.record({
  expiresAtMs: fc.option(at),
  executionMs: fc.option(at),
  entriesMs: fc.array(at, { maxLength: 3 }),
  message: fc.option(
    fc.record({
      name: fc.constantFrom('deadline', 'validUntil', 'valid_until', 'expiresAt', 'goodTill', 'EndTime', 'zz'),
      form: fc.constantFrom(...(Object.keys(forms) as (keyof typeof forms)[])), // the cast is safe: `forms` is a constant
      atMs: at,
    }),
  ),
})

test('an order with an unknown outcome stays UNKNOWN until all its deadlines have passed, then expires [FLOW-07, ORD-12]', async () => {
  await fc.assert(
    fc.asyncProperty(deadlines, fc.double({ min: 0, max: 1, noNaN: true }), async (given, when) => {
      const row = unknownRow(given)
      const all = [given.expiresAtMs, given.executionMs, ...given.entriesMs, given.message?.atMs ?? null].filter((each) => each !== null)
      const last = Math.max(madeAtMs, ...all)
      nowMs = madeAtMs + Math.floor((last - madeAtMs) * when)
      const open = await nowhere(row)
      expect(open.state).toBe('UNKNOWN')
      nowMs = Math.max(last, madeAtMs + 5 * minute) + minute + second
      expect((await nowhere(open)).state).toBe('EXPIRED')
    }),
    { numRuns: 300 },
  )
})

test('the app lets no order expire until the service’s time has confirmed this computer’s clock [FLOW-07]', async () => {
  const row = unknownRow({ expiresAtMs: madeAtMs + minute, executionMs: null, entriesMs: [], message: null })
  nowMs = madeAtMs + day
  const { lookUp: unsure } = createSignedMethod({ repository, calls, clock: { ...clock, known: () => false } })
  expect((await unsure(row)).state).toBe('UNKNOWN')
})

test.each(['0', '9223372036', '9223372036854774900', (2n ** 256n - 1n).toString()])(
  'the app reads a signed deadline written as %s as no deadline',
  (written) => {
    const typedData = messageOf({ name: 'deadline', form: 'seconds', atMs: madeAtMs })?.replace(forms.seconds(madeAtMs), written) ?? null
    expect(lastDeadline({ prepared: null, typedData, createdAtMs: madeAtMs })).toBe(Number.POSITIVE_INFINITY)
  },
)

test.each(['2999-12-31T23:59:59Z', '31 Dec 2030 10:00:00 GMT'])('the app does not let an order expire before its signed deadline, the text %s', (written) => {
  const typedData = messageOf({ name: 'deadline', form: 'seconds', atMs: madeAtMs })
    ?.replace(`"${forms.seconds(madeAtMs)}"`, JSON.stringify(written))
    .replace('{"name":"deadline","type":"uint256"}', '{"name":"deadline","type":"string"}')
  expect(lastDeadline({ prepared: null, typedData: typedData ?? null, createdAtMs: madeAtMs })).toBe(Date.parse(written))
})

test('if the app cannot read the time of an order’s signed deadline, it lets the order expire only after one day', () => {
  const typedData = messageOf({ name: 'deadline', form: 'seconds', atMs: madeAtMs })?.replace(forms.seconds(madeAtMs), '31000000') ?? null
  expect(lastDeadline({ prepared: null, typedData, createdAtMs: madeAtMs })).toBe(madeAtMs + day)
})

test('for an order without a known deadline, the app assumes the longest lifetime that the API document names', () => {
  expect(lastDeadline({ prepared: null, typedData: null, createdAtMs: madeAtMs })).toBe(madeAtMs + 5 * minute)
})
