import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type * as Axe from 'axe-core'
import { addressesOf, goTo, openAddress, reviewByLook, submitForm } from '../../pages/frame.ts'
import { keyIdOf } from '../../pages/keys.ts'
import { join } from '../../pages/ready.ts'
import { openPositionAndOrder, showTab } from '../../pages/rows.ts'
import { fillOrder } from '../../pages/ticket.ts'
import { sets } from '../../shots/shots.ts'
import { narrow, type ShotOptions, wide, zoomed } from '../../shots/shots-studio.ts'
import { expect, test } from '../../support/fixtures.ts'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The rules of axe whose result depends on colours. A theme changes nothing else. */
const colourRules = ['color-contrast', 'link-in-text-block']

/**
 * Runs axe, the accessibility checker, on the current page: all rules, or only those given. Returns each violation above “minor”: rule, impact and
 * first elements.
 */
async function violations(page: Page, only: readonly string[] | null): Promise<readonly string[]> {
  // Parsing axe takes longer than most scans, so each page loads it once.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource)
  return page.evaluate(async (rules) => {
    const { axe } = globalThis as unknown as { axe: typeof Axe } // safe cast: the script above set `axe`
    const { violations: found } = await axe.run(document, {
      resultTypes: ['violations'],
      ...(rules === null ? { rules: { 'label-content-name-mismatch': { enabled: true } } } : { runOnly: { type: 'rule', values: [...rules] } }),
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
  }, only)
}

/**
 * Controls that are too small: below 24 px, and so near another control that 24 px circles around both centres overlap (WCAG 2.5.8). Ignores links in
 * sentences.
 */
const smallTargets = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    interface Target {
      readonly element: Element
      readonly box: DOMRect
    }
    const least = 24
    const open = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body
    const roles = ['button', 'link', 'radio', 'tab', 'switch', 'checkbox', 'menuitem', 'option', 'slider'].map((role) => `[role=${role}]`)
    const control = ['a[href]', 'button', 'input', 'textarea', 'select', 'summary', ...roles].join(', ')
    /**
     * The clickable area of an element. A covering pseudo-element enlarges the area to the element’s positioned ancestor; a label belongs to its
     * control.
     */
    const boxOf = (element: Element): DOMRect => {
      const over = getComputedStyle(element, '::after')
      const covers = over.content !== 'none' && over.position === 'absolute' && over.top === '0px' && over.bottom === '0px'
      const whole =
        covers && getComputedStyle(element).position === 'static' && element instanceof HTMLElement ? element.offsetParent : element.closest('label')
      return (whole ?? element).getBoundingClientRect()
    }
    const inSentence = (element: Element): boolean =>
      getComputedStyle(element).display === 'inline' &&
      [...(element.parentElement?.childNodes ?? [])].some((node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim() !== '')
    const targets = [...open.querySelectorAll(control)].flatMap((element): Target[] => {
      const box = boxOf(element)
      const shown = element.checkVisibility({ visibilityProperty: true }) && box.width > 0 && box.height > 0 && element.closest('[inert]') === null
      return shown && !element.matches(':disabled') && !inSentence(element) ? [{ element, box }] : []
    })
    const isSmall = ({ box }: Target): boolean => box.width < least - 0.5 || box.height < least - 0.5
    const middle = ({ left, right, top, bottom }: DOMRect) => ({ x: (left + right) / 2, y: (top + bottom) / 2 })
    const meets = (small: Target, other: Target): boolean => {
      if (other.element.contains(small.element) || small.element.contains(other.element) || other.box === small.box) return false
      const { x, y } = middle(small.box)
      const { x: otherX, y: otherY } = middle(other.box)
      if (isSmall(other)) return Math.hypot(x - otherX, y - otherY) < least - 0.5
      const nearX = Math.max(other.box.left, Math.min(x, other.box.right))
      const nearY = Math.max(other.box.top, Math.min(y, other.box.bottom))
      return Math.hypot(x - nearX, y - nearY) < least / 2 - 0.5
    }
    return targets
      .filter((small) => isSmall(small) && targets.some((other) => other !== small && meets(small, other)))
      .map(({ element, box }) => `${Math.round(box.width)}×${Math.round(box.height)} ${element.outerHTML.slice(0, 140)}`)
  })

test('on every page and sheet of the app, each button or field is at least 24 px large or far enough from others', async ({ open, practice }) => {
  test.setTimeout(300_000)
  await practice.past({ trades: 10 })
  const desk = await open()
  const page = desk.main
  const phone = await join(desk, 'W-2')
  await openPositionAndOrder(page, phone, practice)
  const found: Record<string, readonly string[]> = {}
  const look = async (name: string) => {
    const here = [...new Set(await smallTargets(page))]
    if (here.length > 0) found[name] = here.slice(0, 5)
  }
  for (const address of addressesOf(await keyIdOf(page, 'W-2'))) {
    await openAddress(page, address)
    await look(address)
  }
  await goTo(page, 'Trade')
  await showTab(page, 'Orders')
  await look('trade orders')
  await fillOrder(page, { value: '250' })
  await submitForm(reviewByLook(page))
  await expect(page.getByRole('dialog')).toBeVisible()
  await look('signing')
  expect(found).toEqual({})
  // Checks the measurement itself: two small buttons side by side are too near each other, one alone is acceptable.
  const small = (count: number) =>
    page.evaluate((buttons) => {
      document
        .querySelector('dialog[open]')
        ?.replaceChildren(
          ...Array.from({ length: buttons }, () => Object.assign(document.createElement('button'), { textContent: 'x', style: 'width: 16px; height: 16px' })),
        )
    }, count)
  await small(2)
  expect(await smallTargets(page)).toHaveLength(2)
  await small(1)
  expect(await smallTargets(page)).toEqual([])
})

/** Scans states of the app with axe and collects the violations by state. */
function createScans(main: Page) {
  const found: Record<string, readonly string[]> = {}
  const scanned: string[] = []
  const look = async (of: Page, name: string, colorScheme: 'dark' | 'light') => {
    await of.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const here = await violations(of, colorScheme === 'dark' ? colourRules : null)
    if (here.length > 0) found[name] = here
  }
  /** Scans the current state in both themes. `narrow`: also in the smallest window and at 200 % zoom. */
  const scan = async (name: string, options: ShotOptions = {}) => {
    const of = options.of ?? main
    scanned.push(name)
    await look(of, `${name}, light`, 'light')
    if (options.narrow) {
      for (const [size, what] of [
        [narrow, 'smallest window'],
        [zoomed, '200 %'],
      ] as const) {
        await of.setViewportSize(size)
        if (typeof options.narrow === 'function') await options.narrow()
        await look(of, `${name}, ${what}`, 'light')
      }
      await of.setViewportSize(wide)
    }
    await look(of, `${name}, dark`, 'dark')
  }
  return { scan, found, scanned }
}

test('the tool axe finds no serious or moderate accessibility problem on any page or sheet, in both themes, small window and 200 % zoom', async ({
  open,
  practice,
}) => {
  test.setTimeout(600_000)
  await practice.past({ trades: 10 })
  const desk = await open()
  const page = desk.main
  await join(desk, 'W-1')
  const keyId = await keyIdOf(page, 'W-1')
  const { scan, found, scanned } = createScans(page)
  for (const address of addressesOf(keyId)) {
    await openAddress(page, address)
    await scan(address, { narrow: true })
  }
  await goTo(page, 'Overview')
  expect(found).toEqual({})
  expect(scanned.length).toBe(addressesOf(keyId).length)
})

/** The sets of pictures that each test run scans, and the minimum number of states in each set. `npm run prove -- axe` scans all sets. */
const states: Readonly<Record<string, number>> = {
  main: 50,
  unsigned: 12,
  stop: 10,
  collateral: 10,
}

for (const { name, take } of sets.filter((set) => states[set.name] !== undefined || set.name === process.env.SVC_DESK_STATES))
  test(`the tool axe finds no serious or moderate accessibility problem in the screenshot set “${name}”, in both themes and every window size`, async ({
    open,
    practice,
    profileDir,
  }) => {
    test.setTimeout(900_000)
    const desk = await open()
    const page = desk.main
    await page.setViewportSize(wide)
    const { scan, found, scanned } = createScans(page)
    await take({ desk, page, practice, profileDir, shoot: scan, zoom: (on) => page.setViewportSize(on ? zoomed : wide) })
    test.info().annotations.push({ type: 'states', description: String(scanned.length) })
    expect(found).toEqual({})
    expect(scanned.length).toBeGreaterThanOrEqual(states[name] ?? 1)
  })
