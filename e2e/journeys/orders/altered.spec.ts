import type { Locator, Page } from '@playwright/test'
import type { Faults } from '../../../electron/practice/base/faults.ts'
import { goTo } from '../../pages/frame.ts'
import { askForGrant, refusedGrant, signGrant } from '../../pages/new-key.ts'
import { asksToSign } from '../../pages/phone.ts'
import { openPaired, openPhone, openSignedIn, signedIn } from '../../pages/ready.ts'
import { expectSignedIn, openSignIn, sendChallenge } from '../../pages/sign-in.ts'
import { comparisonLine, sendToWallet, signingSheet } from '../../pages/signing.ts'
import { reviewOrder } from '../../pages/ticket.ts'
import { sees } from '../../support/coverage.ts'
import { expect, testPaired as test, testSignedIn, testWithKey } from '../../support/fixtures.ts'
import type { Practice } from '../../support/practice.ts'
import { withoutContracts } from '../../support/unnamed-contracts.ts'

type Sentence = string | RegExp
type Altered<K extends 'challenge' | 'grant' | 'typedData'> = readonly (readonly [NonNullable<Faults[K]>, Sentence])[]

const stranger = '0x000000000000000000000000000000000000dEaD'

const untouched = async (practice: Practice) => expect((await practice.phone()).requests).toEqual([])

/** Expects that the signing sheet shows the reason `why`, and that the request cannot be sent to the wallet. */
async function expectRefused(page: Page, why: Sentence): Promise<void> {
  const sheet = signingSheet(page)
  await expect(sheet.getByRole('heading', { name: 'Not sent to your wallet' })).toBeVisible()
  await expect(sheet).toContainText(why)
  await expect(sheet.getByRole('button', { name: 'Send to wallet' })).toBeHidden()
}

/** Expects that the signing sheet names unknown fields and requires a typed phrase. */
async function expectHeld(page: Page, ...names: Sentence[]): Promise<void> {
  const question = signingSheet(page).getByRole('region', { name: /^A (signing format|field) to confirm$/ })
  for (const name of names) await expect(question).toContainText(name)
  await expect(signingSheet(page).getByRole('button', { name: 'Send to wallet' })).toBeDisabled()
}

async function leaveSheet(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await expect(signingSheet(page)).toBeHidden()
}

test('the app blocks an altered sign-in message and names what was altered; it accepts a correct message in a new format [AUTH-06]', async ({
  open,
  practice,
}) => {
  const { page, phone } = await openPaired(open)
  const altered: Altered<'challenge'> = [
    ['host', 'The message is from the host svc-dex.example.org.'],
    ['wallet', `The message names the wallet ${stranger}. Yours is ${practice.descriptor.walletAddress}.`],
    ['nonce', 'The message contains the nonce 0000000000000000.'],
    ['expiry', /The message is valid for 24 h.* A sign-in message is valid for 5 min\./],
    ['hidden_characters', 'The message contains a hidden character, U+200B.'],
  ]
  for (const [challenge, sentence] of altered)
    await test.step(challenge, async () => {
      await practice.faults({ challenge })
      const sheet = await openSignIn(page)
      await expect(sheet).toContainText(sentence)
      await expect(sheet).toContainText('Svc Desk did not send the message to the wallet.')
      await expect(sheet.getByRole('button', { name: 'Send to wallet' })).toBeHidden()
      await leaveSheet(page)
      await untouched(practice)
    })
  await practice.faults({ challenge: 'new_layout' })
  await expect(await openSignIn(page)).toContainText('6 of 6 checks pass.')
  await sendChallenge(page)
  await phone.approve(asksToSign)
  await expectSignedIn(page)
})

testSignedIn('the app blocks an altered grant and names what was altered, before a key is created [KEY-10, KEY-15]', async ({ open, practice, profileDir }) => {
  const desk = await open({ descriptorFile: withoutContracts(practice, profileDir) })
  const page = desk.main
  const rpcHost = new URL(practice.descriptor.rpcUrl).host
  await signedIn(desk)
  await openPhone(desk)
  const refuses = async (grant: NonNullable<Faults['grant']>, wayOn: Locator, check: () => Promise<void>) =>
    test.step(grant, async () => {
      await practice.faults({ grant })
      await askForGrant(page, `bot-${grant}`)
      await wayOn.click()
      await check()
      await leaveSheet(page)
      await untouched(practice)
      await page.getByRole('button', { name: 'Leave without creating' }).click()
      await expect(page.getByRole('heading', { level: 1, name: 'Keys' })).toBeVisible()
    })
  const altered: Altered<'grant'> = [
    ['agent', `The grant is for the agent ${stranger}.`],
    ['wallet', `The grant is for the wallet ${stranger}. Yours is ${practice.descriptor.walletAddress}.`],
    ['chain', 'The grant is for another chain: Chain 1. It must be Base (8453).'],
    ['expired', 'The grant has already expired:'],
    ['endless', 'The grant would never expire.'],
  ]
  for (const [grant, sentence] of altered) await refuses(grant, refusedGrant(page), () => expectRefused(page, sentence))
  // No contract is trusted yet, so the app can compare the grant only with the contracts that the service publishes.
  await refuses('router', refusedGrant(page), () =>
    sees(practice, 'GET /api/dex/config', async () => {
      await expectRefused(page, `The grant is for the contract ${stranger}.`)
      await expect(signingSheet(page)).toContainText(practice.descriptor.router)
      const found = signingSheet(page).getByRole('region', { name: 'What the app found about the contract' })
      await expect(found).toContainText('No router is trusted in this profile yet')
      await expect(found).toContainText(`The service publishes another contract in its configuration${practice.descriptor.router}`)
      await expect(found).toContainText(`${rpcHost} finds no contract at this address`)
    }),
  )
  await refuses('extra_field', signGrant(page), async () => {
    await expectHeld(page, 'withdrawTo')
    await expect(comparisonLine(page, 'contract')).toContainText(/Published by the service.*Not trusted yet/)
    const question = signingSheet(page).getByRole('region', { name: 'A router to confirm' })
    for (const found of [
      'The service publishes this contract in its configuration',
      'The app could not read /meta',
      `${rpcHost} finds a contract at this address`,
    ])
      await expect(question).toContainText(found)
    await expect(question.getByRole('checkbox', { name: 'I compared this address with the exchange’s documentation.' })).not.toBeChecked()
  })
  expect((await practice.effects()).keys).toEqual([])
})

testWithKey(
  'the app blocks an altered order and names what was altered; an unaltered order is signed [FLOW-02, ORD-17, ORD-11]',
  async ({ open, practice }) => {
    const { page, phone } = await openSignedIn(open)
    await goTo(page, 'Trade')
    // The first order is unaltered, so that the app trusts its router and its signing format afterwards.
    await reviewOrder(page, { value: '250' })
    await sendToWallet(page)
    await phone.approve(asksToSign)
    await expect.poll(async () => (await practice.effects()).relayed.length).toBe(1)
    await expect(signingSheet(page).getByRole('heading', { name: /^(Sent\. |Done and |Order (filled|traded))/ })).toBeVisible()
    await leaveSheet(page)

    const review = (name: string, fault: Partial<Faults>, check: () => Promise<void>) =>
      test.step(name, async () => {
        await practice.faults(fault)
        // Retries, because many reviews in a row may exceed the key’s rate limit.
        await expect(async () => {
          await reviewOrder(page, { value: '250' })
          const limited = page.getByRole('alert').filter({ hasText: 'Too many requests' })
          await expect(signingSheet(page).or(limited).first()).toBeVisible()
          expect(await limited.isVisible()).toBe(false)
        }).toPass()
        await check()
        await leaveSheet(page)
        await untouched(practice)
      })
    const altered: Altered<'typedData'> = [
      ['amount', 'The prepared message has another order value: 2,500.00 USDC. You asked for 250.00 USDC.'],
      ['router', `The prepared message is for the contract ${stranger}. The router you trust is ${practice.descriptor.router}.`],
      ['chain', 'The prepared message is for another chain: Chain 1. It must be Base (8453).'],
      ['wallet', `The prepared message is for the wallet ${stranger}. Yours is ${practice.descriptor.walletAddress}.`],
      ['side', 'The prepared message has another side: Short. You asked for Long.'],
      ['leverage', 'The prepared message has another leverage: 11×. You asked for 10×.'],
      ['deadline', /The prepared message is valid until .*, for 365 days\. The limit is: At most 5 min\./],
      ['slippage', 'The prepared message has another max slippage: At most 50.00 %. You asked for At most 0.50 %.'],
      ['two_scales', 'The prepared message has another order value: 25,000.00 USDC. You asked for 250.00 USDC.'],
    ]
    for (const [typedData, sentence] of altered) await review(typedData, { typedData }, () => expectRefused(page, sentence))
    await review('extra_field', { typedData: 'extra_field' }, () => expectHeld(page, 'referrer', 'sign with unknown field referrer'))
    await review('new_layout', { typedData: 'new_layout' }, () => expectRefused(page, /has the .* in another field .* than the agreed signing format\./))
    await review('payload', { typedData: null, prepared: 'payload_differs' }, () =>
      expectRefused(page, 'The service prepared your order with another leverage: 11. You asked for 10.'),
    )
    expect((await practice.effects()).relayed).toHaveLength(1)
  },
)
