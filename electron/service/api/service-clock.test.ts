import { afterEach, describe, expect, test } from 'vitest'
import { startTrader, type Trader } from '../../../e2e/support/main/trader.ts'
import { startWorkspace, value, type Workspace } from '../../../e2e/support/main/workspace.ts'
import { attentionText } from '../../../renderer/text/attention-text.ts'
import { hour, minute, second } from '../../../shared/time.ts'
import { createServiceClock, judgedByTime } from './vital-signs.ts'

let workspace: Workspace | null = null
afterEach(async () => {
  await workspace?.stop()
  workspace = null
})

const toleranceMs = 3 * second

const near = (moment: number | null | undefined, wanted: number) => {
  expect(moment ?? null).not.toBe(null)
  expect(Math.abs((moment ?? 0) - wanted)).toBeLessThan(toleranceMs)
}

test('the app uses this computer’s time until the service has sent its time, and the service’s time from then on', () => {
  let offset: number | null = null
  const clock = createServiceClock({ now: () => 1_000_000, monotonic: () => 5 }, { clockOffsetMs: () => offset })
  expect([clock.now(), clock.monotonic(), clock.known()]).toEqual([1_000_000, 5, false])
  offset = -400
  expect([clock.now(), clock.monotonic(), clock.known()]).toEqual([999_600, 5, true])
})

describe.each([
  { words: 'ahead of', computerAheadMs: 10 * minute },
  { words: 'behind', computerAheadMs: -10 * minute },
])('the service clock shows the exchange’s time on a computer whose clock is 10 min $words the exchange', ({ words, computerAheadMs }) => {
  const trader = async (): Promise<Trader> => {
    const started = await startTrader({ computerAheadMs })
    workspace = started
    return started
  }

  test('the main process sends the windows all times in the service’s time [ORD-12]', async () => {
    const { handlers, clock, prepare, createKey } = await trader()
    const now = () => clock.now()
    near(value(await handlers()['session.status']({})).expiresAtMs, now() + 4 * hour)
    const draft = value(await handlers()['keys.prepare']({ label: 'second', expiresInDays: 30, ipAllowlist: [] }))
    near(draft.preparedAtMs, now())
    near(draft.expiresAtMs, now() + 30 * minute)
    const { deadlineMs, preparedAtMs, intent } = await prepare()
    near(preparedAtMs, now())
    near(deadlineMs, now() + 5 * minute)
    near(intent.createdAtMs, now())
    const { timeline, requests } = value(await handlers()['intents.get']({ ref: intent.ref }))
    for (const { atMs } of [...timeline, ...requests]) near(atMs, now())
    const { summary, readAtMs } = value(await handlers()['markets.summary']({ pairId: 1 }))
    near(summary.priceAtMs, now())
    near(readAtMs, now())
    near(value(await handlers()['account.summary']({ watch: null })).readAtMs, now())
    await createKey('third')
    const { keys, readAtMs: listedAtMs } = value(await handlers()['keys.list']({}))
    near(listedAtMs, now())
    for (const { createdAtMs } of keys) near(createdAtMs, now())
    for (const { atMs, updatedAtMs } of value(await handlers()['activity.secrets']({ limit: 10 }))) {
      near(atMs, now())
      near(updatedAtMs, now())
    }
  })

  test('the app submits a signature that is still valid by the service’s time, and refuses a signature that has expired by the service’s time [ORD-12]', async () => {
    const started = await trader()
    const { ref, signature } = await started.asked()
    expect(value(await started.handlers()['intents.answered']({ ref, answer: signature })).state).toBe('SUBMITTED')
    const late = await started.asked({ side: 'short' })
    started.clock.advance(5 * minute + second)
    expect(await started.handlers()['intents.answered']({ ref: late.ref, answer: late.signature })).toMatchObject({
      ok: false,
      failure: { kind: 'expired', what: 'signature' },
    })
  })

  test('if this computer’s clock is wrong, the app shows one notice with the exact offset and no other notice', async () => {
    const started = await trader()
    const rows = value(await started.handlers()['app.attention']({}))
    expect(rows.map((row) => attentionText(row).title)).toEqual([`This computer’s clock is 10 min ${words} the exchange`])
    near(value(await started.handlers()['app.clock']({})).offsetMs, -computerAheadMs)
  })

  test('the app corrects the time of the service’s first answer by the clock offset, and makes the windows reread data that depends on time', async () => {
    const started = await startWorkspace({ computerAheadMs })
    workspace = started
    const { readAtMs } = value(await started.handlers()['markets.list']({}))
    near(readAtMs, started.clock.now())
    expect(started.events).toContainEqual({ type: 'invalidate', queries: judgedByTime })
  })
})
