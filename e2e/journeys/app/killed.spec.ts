import type { Page } from '@playwright/test'
import { happened, intentDetail, needsYou, takeUp } from '../../pages/activity.ts'
import { goTo } from '../../pages/frame.ts'
import { keyIdOf, keyRow } from '../../pages/keys.ts'
import { openGrant, prepareKey } from '../../pages/new-key.ts'
import { createUnanswered, openPhone, signedIn } from '../../pages/ready.ts'
import { expectSignedIn } from '../../pages/sign-in.ts'
import { sendToWallet, signingSheet } from '../../pages/signing.ts'
import { reviewOrder } from '../../pages/ticket.ts'
import { acts, sees } from '../../support/coverage.ts'
import { expect, testWithKey as test, testSignedIn } from '../../support/fixtures.ts'
import { keptSecrets } from '../../support/keyring.ts'
import type { Practice } from '../../support/practice.ts'
import { death, diesBefore } from '../../support/sudden-death.ts'

const relay = 'POST /api/dex/actions/relay'
const createKey = 'POST /api/dex/developer/keys'
const byClientId = 'GET /api/dex/v1/orders/by-client-id'
const transactions = 'GET /api/dex/v1/transactions'

async function sendOrder(page: Page, value: string): Promise<void> {
  await goTo(page, 'Trade')
  await reviewOrder(page, { value })
  await sendToWallet(page)
}

async function becomesFinal(page: Page, practice: Practice): Promise<void> {
  await expect.poll(async () => (await practice.effects()).relayed.length).toBe(1)
  await practice.chain({ mine: 8 })
  await expect(intentDetail(page).getByRole('status').filter({ hasText: '8 of 8 confirmations' })).toContainText('Final')
}

test('if the app is killed after the wallet signed an order, the signature waits until the user discards it or sends it once [FLOW-01, FLOW-07]', async ({
  open,
  practice,
}) => {
  let desk = await open()
  await signedIn(desk)
  await openPhone(desk)
  const dieSigned = async (value: string) => {
    await practice.wallet({ hold: true, autoApprove: true })
    await sendOrder(desk.main, value)
    await expect.poll(async () => (await practice.phone()).requests.length).toBe(1)
    await diesBefore(desk, 'SENT')
    await practice.wallet({ hold: false })
    await death(desk)
    desk = await open()
  }

  await dieSigned('310')
  await takeUp(desk.main, 'Long 310.00 USDC at market: signed, not sent', 'Decide')
  await expect(intentDetail(desk.main)).toContainText('You signed this order, but the app did not send it.')
  await intentDetail(desk.main).getByRole('button', { name: 'Discard signature' }).click()
  await expect(intentDetail(desk.main)).toContainText('You discarded the signature, and it is erased.')
  expect(await practice.callsTo(relay)).toEqual([])

  await dieSigned('320')
  expect((await practice.effects()).relayed).toEqual([])
  await takeUp(desk.main, 'Long 320.00 USDC at market: signed, not sent', 'Decide')
  await intentDetail(desk.main).getByRole('button', { name: 'Send now' }).click()
  await becomesFinal(desk.main, practice)
  await acts('open_position', async () => {
    const { positions, relayed } = await practice.effects()
    expect(relayed).toHaveLength(1)
    expect(positions).toHaveLength(1)
    expect(await practice.callsTo(relay)).toHaveLength(1)
  })
})

test('if the app is killed while the service relays an order, it follows the order to its end and never sends it again [FLOW-06, FLOW-07, ORD-16]', async ({
  open,
  practice,
}) => {
  let desk = await open()
  await signedIn(desk)
  await openPhone(desk)
  await practice.faults({ delay: [{ route: relay, ms: null }] })
  await practice.wallet({ autoApprove: true })
  await sendOrder(desk.main, '330')
  await expect.poll(async () => (await practice.effects()).relayed.length).toBe(1)
  await desk.kill()
  // The service does not know the order by its client order id, and its order list does not respond yet.
  await practice.faults({
    delay: [],
    answer: [
      { route: byClientId, status: 404, code: 'NOT_FOUND', times: 1_000 },
      { route: transactions, status: 503, code: 'UNAVAILABLE', times: 1_000 },
    ],
  })

  desk = await open()
  await takeUp(desk.main, 'Long 330.00 USDC at market: outcome unknown', 'Show')
  await expect(intentDetail(desk.main)).toContainText('The response was lost.')
  await expect(intentDetail(desk.main)).toContainText('The service did not answer the status check.')
  await practice.faults({ answer: [{ route: byClientId, status: 404, code: 'NOT_FOUND', times: 1_000 }] })
  await intentDetail(desk.main).getByRole('button', { name: 'Check again' }).click()
  await sees(practice, transactions, async () => {
    const [taken] = (await practice.effects()).relayed
    await expect(happened(desk.main).getByTitle(taken?.tx_hash ?? 'none')).toBeVisible()
  })
  await becomesFinal(desk.main, practice)

  // For comparison: if the same response is lost while the app keeps running, the order ends the same way.
  await practice.faults({ answer: [], dropAnswer: [{ route: relay, times: 1 }] })
  await sendOrder(desk.main, '340')
  await expect.poll(async () => (await practice.effects()).relayed.length).toBe(2)
  await practice.chain({ mine: 8 })
  await sees(practice, byClientId, async () => {
    await expect(signingSheet(desk.main).getByRole('heading', { name: /^(Done and final on Base|Order (filled|traded))$/ })).toBeVisible()
  })
  expect((await practice.callsTo(relay)).length).toBeLessThanOrEqual(2)
  expect((await practice.effects()).prepared).toBe(2)
})

testSignedIn(
  'if the app is killed during key creation, it finds the key without its secret, and offers to rotate or revoke it [KEY-05, KEY-16, AUTH-08]',
  async ({ open, practice }) => {
    let desk = await open()
    await signedIn(desk)
    await openPhone(desk)
    await createUnanswered(desk.main, practice, 'orphan')
    await desk.kill()
    await practice.faults({ delay: [] })
    const [born] = (await practice.effects()).keys
    const keyId = born?.key_id ?? 'none'

    desk = await open()
    await expectSignedIn(desk.main)
    await takeUp(desk.main, 'orphan: a key may exist without its secret', 'Resolve')
    const note = desk.main.locator('[data-part=note]').filter({ hasText: 'The response to creating orphan was lost.' })
    await expect(note).toContainText(`The key exists as ${keyId}, but its secret was never received.`)
    expect(keptSecrets(keyId)).toEqual([])
    await sees(practice, 'POST /api/dex/developer/keys/{key_id}/rotate', async () => {
      await note.getByRole('button', { name: 'Rotate' }).click()
      await expect(note).toBeHidden()
      await expect(keyRow(desk.main, 'orphan')).toContainText('Keychain')
      expect(keptSecrets(keyId)).toEqual([expect.stringMatching(/^SVC/)])
    })
    expect(await keyIdOf(desk.main, 'orphan')).toBe(keyId)

    await practice.faults({ dropAnswer: [{ route: createKey, times: 1 }] })
    await prepareKey(desk.main, 'second')
    await openGrant(desk.main)
    await sendToWallet(desk.main)
    await expect.poll(async () => (await practice.effects()).keys.length).toBe(2)
    await desk.main.keyboard.press('Escape')
    await takeUp(desk.main, 'second: a key may exist without its secret', 'Resolve')
    const other = desk.main.locator('[data-part=note]').filter({ hasText: 'The response to creating second was lost.' })
    await sees(practice, 'DELETE /api/dex/developer/keys/{key_id}', async () => {
      await other.getByRole('button', { name: 'Revoke' }).click()
      await expect(other).toBeHidden()
      await expect(keyRow(desk.main, 'second')).toContainText('Revoked')
    })
    expect((await practice.effects()).keys.map(({ status }) => status)).toEqual(['active', 'revoked'])
    await goTo(desk.main, 'Overview')
    await expect(needsYou(desk.main)).not.toContainText('a key may exist without its secret')
  },
)
