import type { Page } from '@playwright/test'
import { addressesOf, openAddress } from '../../pages/frame.ts'
import { keyIdOf } from '../../pages/keys.ts'
import { join } from '../../pages/ready.ts'
import { expect, test } from '../../support/fixtures.ts'

/** Controls that show no edge under forced colours. Leaves out words of a row, underlined words and controls that the browser draws. */
const withoutEdge = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const isVisible = (colour: string) => !/^transparent$|^rgba\(.*, 0\)$|\/ 0\)$/.test(colour)
    /** The first visible background of an element and of the elements around it. */
    const groundOf = (element: Element | null): string => {
      for (let at = element; at !== null; at = at.parentElement) {
        const { backgroundColor } = getComputedStyle(at)
        if (isVisible(backgroundColor)) return backgroundColor
      }
      return 'none'
    }
    const shows = (width: string, style: string, colour: string, ground: string) =>
      Number.parseFloat(width) >= 1 && style !== 'none' && style !== 'hidden' && isVisible(colour) && colour !== ground
    const hasEdge = (element: Element): boolean => {
      const style = getComputedStyle(element)
      const outside = Number.parseFloat(style.outlineOffset) >= 0
      if (shows(style.outlineWidth, style.outlineStyle, style.outlineColor, groundOf(outside ? element.parentElement : element))) return true
      const ground = groundOf(element)
      return ['top', 'right', 'bottom', 'left'].every((side) => {
        const [width = '', line = '', colour = ''] = ['width', 'style', 'color'].map((part) => style.getPropertyValue(`border-${side}-${part}`))
        return shows(width, line, colour, ground)
      })
    }
    const isClear = (element: Element) => Number(getComputedStyle(element).opacity) === 0
    /** What draws a control: its next sibling for an invisible native input, the field around a text input, else the control. */
    const drawnBy = (element: Element): readonly (Element | null)[] =>
      isClear(element) ? [element.nextElementSibling] : element.tagName === 'INPUT' ? [element, element.parentElement] : [element]
    const found = new Set<string>()
    for (const element of document.querySelectorAll<HTMLElement>('button, input, select, textarea, [role=switch], [role=checkbox], [role=radio], [role=tab]')) {
      const box = element.getBoundingClientRect()
      if (!element.checkVisibility({ visibilityProperty: true }) || box.width < 4 || box.height < 4 || element.matches(':disabled')) continue
      if (element.closest('[class*=screenReaderOnly], [role^=menuitem]') !== null) continue
      // Hidden until it has the focus, like the link that skips to the content.
      if (isClear(element) && getComputedStyle(element).pointerEvents === 'none') continue
      const isNative = element.matches('input:is([type=checkbox], [type=radio], [type=range], [type=file])') && !isClear(element)
      const isWords = element.closest('td, th') !== null || getComputedStyle(element).textDecorationLine.includes('underline')
      if (isNative || isWords || drawnBy(element).some((one) => one !== null && hasEdge(one))) continue
      found.add(`${element.tagName.toLowerCase()}.${element.className}: ${(element.getAttribute('aria-label') ?? element.innerText).slice(0, 40)}`)
    }
    return [...found]
  })

/** The focused element and whether it, or what draws it, has a visible outline of at least 2 px; null if the focus is on nothing. */
const focused = (page: Page): Promise<{ readonly name: string; readonly ring: boolean } | null> =>
  page.evaluate(() => {
    const element = document.activeElement
    if (element === null || element === document.body) return null
    const isClear = Number(getComputedStyle(element).opacity) === 0
    const { outlineWidth, outlineStyle, outlineColor, backgroundColor } = getComputedStyle((isClear ? element.nextElementSibling : null) ?? element)
    return {
      name: `${element.tagName.toLowerCase()}.${element.className}: ${element.textContent?.slice(0, 40)}`,
      ring: Number.parseFloat(outlineWidth) >= 2 && outlineStyle !== 'none' && outlineColor !== backgroundColor,
    }
  })

const mostTabs = 25

test('under forced colours, each control has a visible edge, and the focus is an outline', async ({ open, practice }) => {
  test.setTimeout(240_000)
  const desk = await open()
  const page = desk.main
  await join(desk, 'contrast')
  const keyId = await keyIdOf(page, 'contrast')
  await practice.past({ trades: 10 })
  await page.emulateMedia({ forcedColors: 'active' })
  expect(await page.evaluate(() => matchMedia('(forced-colors: active)').matches)).toBe(true)

  await test.step('edges of the controls on each page and sheet', async () => {
    const found: Record<string, readonly string[]> = {}
    for (const address of addressesOf(keyId)) {
      await openAddress(page, address)
      const controls = await withoutEdge(page)
      if (controls.length > 0) found[address] = controls
    }
    expect(found).toEqual({})
  })

  for (const { address, from } of [
    { address: 'settings', from: 'body' },
    { address: 'trade', from: 'main' },
  ])
    await test.step(`the focus on ${address}`, async () => {
      await openAddress(page, address)
      await page.locator(from).evaluate((start: HTMLElement) => {
        start.tabIndex = -1
        start.focus()
      })
      const seen: string[] = []
      for (let tabs = 0; tabs < mostTabs; tabs += 1) {
        await page.keyboard.press('Tab')
        const at = await focused(page)
        if (at === null) break
        seen.push(at.name)
        expect(at.ring, `${at.name} shows that it has the focus`).toBe(true)
      }
      expect(seen.length).toBeGreaterThan(10)
    })

  await test.step('the chosen part of a row of choices has the system’s colours for it', async () => {
    await openAddress(page, 'settings')
    const colours = await page
      .getByRole('radio', { checked: true })
      .first()
      .evaluate((chosen) => {
        const probe = document.createElement('i')
        probe.style.setProperty('background-color', 'Highlight')
        probe.style.setProperty('color', 'HighlightText')
        document.body.append(probe)
        const of = (element: Element) => [getComputedStyle(element).backgroundColor, getComputedStyle(element).color]
        const both = { chosen: of(chosen), system: of(probe) }
        probe.remove()
        return both
      })
    expect(colours.chosen).toEqual(colours.system)
  })
})
