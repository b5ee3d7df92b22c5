import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Executing, startExecuting } from '../../../../e2e/support/main/executing.ts'
import { createMemoryVault } from '../../../../e2e/support/main/memory-vault.ts'
import { value } from '../../../../e2e/support/main/workspace.ts'
import { DelegatedStatus } from '../../../../shared/api/schemas/intents.ts'
import { ok } from '../../../../shared/result.ts'
import type { Journal } from '../../../store/journal/journal.ts'
import type { IntentCalls } from '../../engine/intent-calls.ts'
import { createIntentRepository } from '../../engine/intent-repository.ts'
import { createExecutorMethod } from './execution.ts'

let workspace: Executing
let journal: Journal
beforeEach(async () => {
  workspace = await startExecuting()
  journal = workspace.journal()
})
afterEach(() => workspace.stop())

/**
 * Starts an execution while the chain is unreachable, and lets the app read the status `execution` from the service. Returns the intent after that.
 */
async function told(execution: Record<string, unknown>) {
  workspace.chain.setAway(true)
  const order = { ...(await workspace.ticket()), orderType: 'market' as const }
  const { ref } = value(await workspace.execute({ action: 'open_market', order }))
  const repository = createIntentRepository({
    profile: { id: 'practice', kind: 'live', hostUrl: workspace.hostUrl, practiceWallet: null },
    journal,
    vault: createMemoryVault(),
    emit: () => {},
    wallet: { shown: () => ok(journal.intents.get(ref)?.wallet ?? null) },
    fillOf: async () => null,
  })
  const receivedAtMs = 1_700_000_000_000
  const status = DelegatedStatus.parse({ success: true, execution })
  const unused = () => Promise.reject(new Error('not part of this'))
  const polled: Pick<IntentCalls, 'commandStatus' | 'listsOrder' | 'finality'> = {
    ...{ listsOrder: unused, finality: unused },
    commandStatus: async () => ok({ value: status, status: 200, raw: '', requestId: null, receivedAtMs }),
  }
  const clock = { now: () => receivedAtMs, monotonic: () => 0, known: () => true }
  const method = createExecutorMethod({ journal, repository, calls: { execute: unused }, polled, credentials: { forKey: unused }, clock, sleep: unused })
  const row = journal.intents.get(ref)
  if (row === null) throw new Error('no intent')
  return {
    row: await method.lookUp(row),
    execution: await workspace.execution(ref),
    again: async (later = row) => method.lookUp(journal.intents.get(later.ref) ?? later),
  }
}

test('an executor order that fails without a transaction is marked as REFUSED, because it never reached the chain [ORD-13]', async () => {
  const { row, again } = await told({ command_id: 'cmd_1', state: 'FAILED', reason: 'network_unavailable' })
  expect(row).toMatchObject({ state: 'REFUSED', reason: { code: 'nothing_executed', raw: 'network_unavailable' } })
  expect((await again()).state).toBe('REFUSED')
})

test('if an executor command has an unknown state and unknown fields, the app shows them as received and keeps the order’s state [ORD-13]', async () => {
  const { row, execution } = await told({
    ...{ id: 7, status: 'Waiting_For_Committee', committee: { size: 3 } },
    items: [{ outcome: 'x', state: 'Deferred', order_id: 12 }],
  })
  expect(row.state).toBe('SUBMITTED')
  expect(execution).toMatchObject({
    state: 'Waiting_For_Committee',
    items: [{ index: 0, state: 'Deferred', orderId: '12', reason: null }],
    readAtMs: 1_700_000_000_000,
  })
  expect(JSON.parse(execution.unknownFields ?? '{}')).toMatchObject({ committee: { size: 3 }, 'results.0.outcome': 'x' })
})

test('the app does not write an unchanged executor command to the journal again, because it reads the command every second', async () => {
  const { row, again } = await told({ command_id: 'cmd_1', state: 'queued', results: [{ index: 0, state: 'pending' }] })
  const { updatedAtMs } = await again()
  workspace.clock.advance(5_000)
  expect((await again(row)).updatedAtMs).toBe(updatedAtMs)
})
