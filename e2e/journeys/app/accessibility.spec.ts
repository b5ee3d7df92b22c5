import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type * as Axe from 'axe-core'
import { addressesOf, goTo, openAddress, reviewByLook } from '../../pages/frame.ts'
import { keyIdOf } from '../../pages/keys.ts'
import { join } from '../../pages/ready.ts'
import { fillOrder } from '../../pages/ticket.ts'
import { expect, test } from '../../support/fixtures.ts'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds at the page as it is now: rule, impact and the first elements, for every impact above “minor”. */
async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axeSource)
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof Axe } // set by the script above
    const { violations: found } = await axe.run(document, {
      resultTypes: ['violations'],
      rules: { 'label-content-name-mismatch': { enabled: true } },
    })
    return found.flatMap(({ id, impact, nodes }) =>
      impact === 'minor'
        ? []
        : [
            `${impact} ${id} (${nodes.length}): ${nodes
              .slice(0, 3)
              .map(({ html }) => html.slice(0, 160))
              .join(' ¦ ')}`,
          ],
    )
  })
}

test('axe finds nothing serious or moderate on any page or sheet, in both themes', async ({ open, practice }) => {
  test.setTimeout(420_000)
  const desk = await open()
  const page = desk.main
  await join(desk, 'W-1')
  const keyId = await keyIdOf(page, 'W-1')
  await practice.past({ trades: 10 })
  const found: Record<string, readonly string[]> = {}
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    for (const address of addressesOf(keyId)) {
      await openAddress(page, address)
      const here = await violations(page)
      if (here.length > 0) found[`${theme} ${address}`] = here
    }
    await goTo(page, 'Trade')
    await fillOrder(page, { value: '250' })
    await reviewByLook(page).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    const signing = await violations(page)
    if (signing.length > 0) found[`${theme} signing`] = signing
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  expect(found).toEqual({})
})
