import { randomInt } from 'node:crypto'
import type { Page } from '@playwright/test'
import { type Arbitrary, constant, constantFrom, nat, oneof, record, sample } from 'fast-check'
import { add, multiply, normalise, subtract } from '../../../shared/decimal.ts'
import type { Intent } from '../../../shared/ipc/intents/orders.ts'
import { openCollateral, reviewCollateral } from '../../pages/collateral.ts'
import { goTo } from '../../pages/frame.ts'
import { createCustomKey } from '../../pages/keys.ts'
import { expectKeyStored } from '../../pages/new-key.ts'
import { join } from '../../pages/ready.ts'
import { sendToWallet, signingSheet } from '../../pages/signing.ts'
import { reviewOrder } from '../../pages/ticket.ts'
import { appValue, callApp } from '../../support/bridge.ts'
import type { Desk } from '../../support/desk.ts'
import { expect, test } from '../../support/fixtures.ts'
import { holdingsOf } from '../../support/holdings.ts'
import { death, diesAtWrite } from '../../support/sudden-death.ts'

/** The number of kills of this run. `npm run prove -- kills` runs 20 for each of ten seeds. */
const kills = Number(process.env.SVC_DESK_KILLS ?? 8)
/** Time between an action of the exchange and its response, in ms. */
const answerMs = 300
const relay = 'POST /api/dex/actions/relay'
const prepare = 'POST /api/dex/v1/orders/prepare'
const anyKill = record({
  what: constantFrom('Long', 'Short', 'withdraw'),
  /** When the app is killed. `atWrite`: before this journal write, counted from 0. `afterMs`: this time after the button press. */
  moment: oneof({ weight: 2, arbitrary: record({ atWrite: nat(36) }) }, { weight: 1, arbitrary: record({ afterMs: nat(2_000) }) }),
  phone: oneof({ weight: 4, arbitrary: constant('approves') }, { weight: 1, arbitrary: constant('is silent') }),
})
type Kill = typeof anyKill extends Arbitrary<infer Value> ? Value : never

/**
 * Two rounds in which the app is killed only after it sent the order or the withdrawal. Without them, the totals compared at the end could be zero.
 */
const onItsWay: readonly (Omit<Kill, 'moment'> & { readonly moment: null })[] = (['Long', 'withdraw'] as const).map((what) => ({
  what,
  moment: null,
  phone: 'approves',
}))

const passed = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Goes from the form to the phone’s approval. The app may be killed at any time meanwhile. */
async function press(page: Page, what: Kill['what'], amount: string): Promise<void> {
  if (what === 'withdraw') {
    await openCollateral(page, 'Withdraw')
    await reviewCollateral(page, { amount })
  } else {
    await goTo(page, 'Trade')
    await reviewOrder(page, { side: what, value: amount })
  }
  await sendToWallet(page)
  await expect(signingSheet(page).getByRole('status').filter({ hasText: 'confirmations' })).toBeVisible()
}

const over: ReadonlySet<Intent['state']> = new Set(['FINAL', 'REFUSED', 'EXPIRED', 'REVERTED', 'CANCELLED'])
/** States of an intent without a signature. A killed app cannot get the signature later, so such an intent ends only at its deadline. */
const unsigned: ReadonlySet<Intent['state']> = new Set(['PLANNED', 'PREPARED', 'ASKED'])
const intents = async (page: Page): Promise<Intent[]> => (await appValue(page, 'intents.list', { beforeMs: null, limit: 200 })).intents
const sum = (values: readonly string[]): string => normalise(values.reduce(add, '0'))

interface Filled {
  readonly pair_id: number
  readonly side: 'long' | 'short'
  readonly size: string
  readonly tx_hash?: string | null
}
const signed = ({ side, size }: Filled): string => (side === 'long' ? size : multiply(size, '-1'))

test(`after ${kills} random kills of the app, each press acted at most once, each unknown outcome is resolved, and final actions had their effects [FLOW-03, FLOW-06, FLOW-07]`, async ({
  open,
  practice,
}) => {
  test.setTimeout(480_000)
  const seed = Number(process.env.SVC_DESK_SEED ?? randomInt(2 ** 31))
  process.stdout.write(`order kills: SVC_DESK_SEED=${seed}\n`)
  let desk: Desk = await open()
  await join(desk, 'survivor')
  await createCustomKey(desk.main, { label: 'treasury', preset: 'Treasury' })
  await expectKeyStored(desk.main, 'treasury')
  await practice.faults({ delay: [relay, prepare].map((route) => ({ route, ms: answerMs })) })
  const before = await holdingsOf(practice, 'USDC')
  const of = async <Row>(what: 'trades' | 'positions'): Promise<Row[]> => {
    const answer = await fetch(
      `${practice.descriptor.hostUrl}/api/dex/${what}?wallet=${practice.descriptor.walletAddress}${what === 'trades' ? '&limit=200' : ''}`,
    )
    const told = (await answer.json()) as Record<string, { readonly items: Row[] } | Row[]> // safe cast: the practice exchange sends this shape
    const rows = told[what]
    return rows === undefined ? [] : Array.isArray(rows) ? rows : rows.items
  }

  let lost = 0
  for (const [index, kill] of [...onItsWay, ...sample(anyKill, { seed, numRuns: kills - onItsWay.length })].entries()) {
    const earlier = (await practice.effects()).relayed.length
    await practice.wallet({ autoApprove: kill.phone === 'approves' })
    const { moment } = kill
    if (moment !== null && 'atWrite' in moment) await diesAtWrite(desk, moment.atWrite)
    const pressed = press(desk.main, kill.what, kill.what === 'withdraw' ? `1.${10 + index}` : String(300 + index))
    if (moment === null) await pressed
    // The button presses fail if the kill closes the window, so their failure is ignored.
    else await Promise.race([pressed.catch(() => undefined), 'afterMs' in moment ? passed(500 + moment.afterMs) : death(desk)])
    await desk.kill()
    desk = await open()
    await expect(async () => void (await intents(desk.main))).toPass({ timeout: 30_000 })
    lost += (await intents(desk.main)).filter(({ state }) => state === 'UNKNOWN').length

    await practice.chain({ mine: 9 })
    for (let round = 0; round < 4; round += 1) {
      const left = (await intents(desk.main)).filter(({ state }) => !over.has(state))
      if (left.length === 0) break
      for (const { ref, unsentSignature } of left) if (unsentSignature) await callApp(desk.main, 'intents.resume', { ref, action: 'relay' })
      await practice.chain({ mine: 9 })
      if (round > 0 || left.every(({ state }) => unsigned.has(state))) await practice.advance(7 * 60_000)
      await expect
        .poll(async () => (await intents(desk.main)).every(({ state }) => over.has(state)), { timeout: 6_000 })
        .toBe(true)
        .catch(() => undefined)
    }
    expect(
      (await intents(desk.main)).filter(({ state }) => !over.has(state)),
      JSON.stringify(kill),
    ).toEqual([])
    expect((await practice.effects()).relayed.length - earlier, JSON.stringify(kill)).toBeLessThanOrEqual(1)
  }

  const final = (await intents(desk.main)).filter(({ state }) => state === 'FINAL')
  expect(final.map(({ action }) => action)).toEqual(expect.arrayContaining(['open_position', 'withdraw_collateral']))
  const trades = await of<Filled>('trades')
  for (const trade of trades) expect(final.map(({ txHash }) => txHash)).toContain(trade.tx_hash)
  const positions = await of<Filled>('positions')
  for (const pairId of new Set([...trades, ...positions].map(({ pair_id }) => pair_id)))
    expect(sum(positions.filter(({ pair_id }) => pair_id === pairId).map(signed))).toBe(sum(trades.filter(({ pair_id }) => pair_id === pairId).map(signed)))
  // The balance that left the exchange must equal the sum of the final withdrawals exactly.
  const withdrawn = final.filter(({ action }) => action === 'withdraw_collateral').map(({ title }) => (title.code === 'withdraw' ? title.amount : '0'))
  const after = await holdingsOf(practice, 'USDC')
  expect(subtract(String(after.wallet), String(before.wallet))).toBe(normalise(multiply(sum(withdrawn), '1000000')))
  process.stdout.write(`order kills: ${final.length} final, ${lost} unknown on the way\n`)
})
