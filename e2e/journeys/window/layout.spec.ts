import type { Locator, Page } from '@playwright/test'
import { goTo } from '../../pages/frame.ts'
import { expectKeyStored, openGrant, prepareKey } from '../../pages/new-key.ts'
import { asksToSign } from '../../pages/phone.ts'
import { pair } from '../../pages/ready.ts'
import { expectSignedIn, openSignIn, sendChallenge, signInSheet } from '../../pages/sign-in.ts'
import { sendToWallet } from '../../pages/signing.ts'
import { expect, test } from '../../support/fixtures.ts'

/** The edges of each element, rounded to whole pixels of the window. */
const boxesOf = (parts: Locator) =>
  parts.evaluateAll((elements) =>
    elements.map((element) => {
      const { left, top, right, bottom } = element.getBoundingClientRect()
      return { left: Math.round(left), top: Math.round(top), right: Math.round(right), bottom: Math.round(bottom) }
    }),
  )

const unlike = (values: readonly number[]): number => Math.max(...values) - Math.min(...values)

/** The fields that the phone lays out badly: the name touches the value, or the value is cut off. */
const crowded = (phone: Page): Promise<readonly string[]> =>
  phone
    .getByRole('region', { name: /^Fields, / })
    .locator('dl > div')
    .evaluateAll((rows) =>
      rows.flatMap((row) => {
        const [name, value] = [row.querySelector('dt'), row.querySelector('dd')]
        if (name === null || value === null) return ['a row without a name or a value']
        const range = document.createRange()
        range.selectNodeContents(name)
        const words = range.getBoundingClientRect()
        range.selectNodeContents(value)
        const text = range.getBoundingClientRect()
        const meets = words.right > text.left && words.bottom > text.top && text.bottom > words.top
        const isCut = text.right > row.getBoundingClientRect().right + 1 || value.scrollWidth > value.clientWidth + 1
        return meets || isCut ? [`${name.textContent}: ${value.textContent}`] : []
      }),
    )

test('on all screens from sign-in to the storing of a new key, rows are aligned, and nothing overlaps or wraps', async ({ open }) => {
  const desk = await open()
  const page = desk.main
  await page.setViewportSize({ width: 1440, height: 900 })
  const phone = await pair(desk)

  await test.step('while the phone shows the sign-in request, the sheet’s checks are left-aligned with even gaps', async () => {
    await openSignIn(page)
    await sendChallenge(page)
    await phone.asks(asksToSign)
    const checks = signInSheet(page).getByRole('region', { name: 'What to check on the phone' })
    const titles = await boxesOf(checks.getByRole('listitem').locator('b'))
    expect(titles).toHaveLength(3)
    expect(unlike(titles.map(({ left }) => left))).toBe(0)
    const [region] = await boxesOf(checks)
    // Each title must start near the left edge, because only a number precedes it.
    for (const { left } of titles) expect(left - (region?.left ?? 0)).toBeLessThan(60)
    const rows = await boxesOf(checks.getByRole('listitem'))
    expect(unlike(rows.map(({ top, bottom }) => bottom - top))).toBeLessThan(24)
    await phone.approve(asksToSign)
    await expectSignedIn(page)
  })

  await test.step('on the phone’s screen, no field name touches its value, no value is cut off, and a nonce has no thousands separators', async () => {
    await prepareKey(page, 'tidy')
    await openGrant(page)
    await sendToWallet(page)
    await phone.asks(asksToSign)
    const fields = phone.page.getByRole('region', { name: /^Fields, / })
    await expect(
      fields
        .locator('dl > div')
        .filter({ has: phone.page.getByText('nonce', { exact: true }) })
        .locator('dd'),
    ).toHaveText(/^\d+$/)
    expect(await crowded(phone.page)).toEqual([])
    expect(await fields.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    await phone.approve(asksToSign)
    await expectKeyStored(page, 'tidy')
  })

  await test.step('the buttons below the stored secret are in one row', async () => {
    const buttons = await boxesOf(page.getByRole('region', { name: 'Secret' }).getByRole('button', { name: /^(Trade with|Copy secret|Show key|All keys)/ }))
    expect(buttons).toHaveLength(4)
    expect(unlike(buttons.map(({ top }) => top))).toBeLessThan(4)
  })

  await test.step('on the timeline of expiry dates, each bell is at the end of its period and hides no word', async () => {
    await goTo(page, 'Keys')
    await page.getByRole('main').getByRole('button', { name: 'Expiry dates' }).click()
    const axis = page.getByRole('figure').locator('[aria-hidden=true]').first()
    // The timeline must have four labels: the current time, and the notices 30, 7 and 1 days before the expiry.
    await expect(axis.locator('em')).toHaveCount(4)
    const words = await boxesOf(axis.locator('span', { hasText: /\S/ }))
    const marks = await boxesOf(axis.locator('em'))
    const middles = marks.map(({ left, right }) => Math.round((left + right) / 2)).sort((a, b) => a - b)
    const starts = words.map(({ left }) => left)
    for (const middle of middles) expect(Math.min(...starts.map((start) => Math.abs(start - middle)))).toBeLessThanOrEqual(2)
    const texts = await axis.locator('span', { hasText: /\S/ }).evaluateAll((spans) =>
      spans.map((span) => {
        const range = document.createRange()
        range.selectNodeContents(span)
        const { left, right } = range.getBoundingClientRect()
        return { left, right }
      }),
    )
    for (const mark of marks) expect(texts.filter((text) => text.left < mark.right && mark.left < text.right)).toEqual([])
  })
})

test('in a large window, Settings uses both halves; in a smaller one, its panels are in one column', async ({ open }) => {
  const desk = await open()
  const page = desk.main
  await pair(desk)
  await goTo(page, 'Settings')
  const at = async (name: string) => (await boxesOf(page.getByRole('region', { name, exact: true })))[0]
  await page.setViewportSize({ width: 1920, height: 1080 })
  const [exchanges, appearance] = [await at('Exchanges'), await at('Appearance')]
  expect(appearance?.left).toBeGreaterThan(exchanges?.right ?? Number.POSITIVE_INFINITY)
  expect(appearance?.top).toBe(exchanges?.top)
  await page.setViewportSize({ width: 1440, height: 900 })
  expect((await at('Appearance'))?.left).toBe((await at('Exchanges'))?.left)
})
