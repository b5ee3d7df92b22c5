import type { Page } from '@playwright/test'
import { addressesOf, openAddress } from '../../pages/frame.ts'
import { keyIdOf } from '../../pages/keys.ts'
import { join } from '../../pages/ready.ts'
import { expect, test } from '../../support/fixtures.ts'

interface Control {
  readonly name: string
  /** The area in which the control is visible, in window pixels. */
  readonly box: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number }
}

/** The visible controls. Ignores clickable words in rows, underlined words, and controls that the browser itself draws. */
const controlsOf = (page: Page): Promise<readonly Control[]> =>
  page.evaluate(() => {
    const isClear = (element: Element) => Number(getComputedStyle(element).opacity) === 0
    /**
     * The element that draws a control. For an invisible native input: its next sibling. For a text input without border: its parent. Otherwise the
     * control.
     */
    const drawnBy = (element: Element): Element | null => {
      if (isClear(element)) return element.nextElementSibling
      const { borderTopWidth, outlineStyle } = getComputedStyle(element)
      return element.tagName === 'INPUT' && borderTopWidth === '0px' && outlineStyle === 'none' ? element.parentElement : element
    }
    const isInSight = (element: Element): boolean => {
      const { left, top, right, bottom } = element.getBoundingClientRect()
      return [left + 2, (left + right) / 2, right - 2].every((x) =>
        [top + 2, bottom - 2].every((y) => {
          const on = document.elementFromPoint(x, y)
          return on !== null && (on === element || element.contains(on) || on.contains(element))
        }),
      )
    }
    const found: { name: string; box: { left: number; top: number; right: number; bottom: number } }[] = []
    for (const element of document.querySelectorAll<HTMLElement>('button, input, select, textarea, [role=switch], [role=checkbox], [role=radio], [role=tab]')) {
      if (!element.checkVisibility({ visibilityProperty: true }) || element.matches(':disabled')) continue
      if (element.closest('[class*=screenReaderOnly], [role^=menuitem]') !== null) continue
      // Ignores controls that are invisible until they get the focus, such as the link that skips to the content.
      if (isClear(element) && getComputedStyle(element).pointerEvents === 'none') continue
      const isNative = element.matches('input:is([type=checkbox], [type=radio], [type=range], [type=file])') && !isClear(element)
      const isWords = element.closest('td, th') !== null || getComputedStyle(element).textDecorationLine.includes('underline')
      const drawn = drawnBy(element)
      if (isNative || isWords || drawn === null) continue
      const { left, top, right, bottom, width, height } = drawn.getBoundingClientRect()
      if (width < 8 || height < 8 || !isInSight(drawn)) continue
      const name = `${element.tagName.toLowerCase()}.${element.className}: ${(element.getAttribute('aria-label') ?? element.innerText).slice(0, 40)}`
      found.push({ name, box: { left, top, right, bottom } })
    }
    return found
  })

/** A screenshot of the window with the visible controls. Repeats the screenshot if a control moved meanwhile. */
async function pictureOf(page: Page): Promise<{ readonly controls: readonly Control[]; readonly picture: string }> {
  const controls = await controlsOf(page)
  const picture = (await page.screenshot({ animations: 'disabled', scale: 'css' })).toString('base64')
  return JSON.stringify(await controlsOf(page)) === JSON.stringify(controls) ? { controls, picture } : pictureOf(page)
}

/**
 * Measures the edges of controls in a screenshot. A side has an edge if the pixels across it have a contrast of at least 3:1 (WCAG 1.4.11). Returns
 * the number of measured controls and the names of those that lack an edge.
 */
async function edges(page: Page): Promise<{ readonly measured: number; readonly without: readonly string[] }> {
  const { controls, picture } = await pictureOf(page)
  const without = await page.evaluate(
    async ([png, measured]) => {
      const image = await createImageBitmap(new Blob([Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0))], { type: 'image/png' }))
      const context = new OffscreenCanvas(image.width, image.height).getContext('2d')
      if (context === null) throw new Error('no canvas')
      context.drawImage(image, 0, 0)
      const { data } = context.getImageData(0, 0, image.width, image.height)
      const light = (value: number) => (value <= 10 ? value / 3294 : ((value / 255 + 0.055) / 1.055) ** 2.4)
      const luminance = (x: number, y: number) => {
        const at = 4 * (Math.round(y) * image.width + Math.round(x))
        const [red = 0, green = 0, blue = 0] = [data[at], data[at + 1], data[at + 2]]
        return 0.2126 * light(red) + 0.7152 * light(green) + 0.0722 * light(blue)
      }
      const across = [-4, -3, -2, -1, 0, 1, 2, 3]
      /** Whether a short line across a control’s side contains two pixels with enough contrast. */
      const contrasts = (x: number, y: number, dx: number, dy: number) => {
        const values = across.map((step) => luminance(x + step * dx, y + step * dy))
        return (Math.max(...values) + 0.05) / (Math.min(...values) + 0.05) >= 3
      }
      const along = [0.4, 0.5, 0.6]
      return measured.flatMap(({ name, box: { left, top, right, bottom } }) => {
        const x = (share: number) => left + (right - left) * share
        const y = (share: number) => top + (bottom - top) * share
        const sides = {
          top: along.map((share) => contrasts(x(share), top, 0, 1)),
          right: along.map((share) => contrasts(right - 1, y(share), -1, 0)),
          bottom: along.map((share) => contrasts(x(share), bottom - 1, 0, -1)),
          left: along.map((share) => contrasts(left, y(share), 1, 0)),
        }
        const weak = Object.entries(sides).flatMap(([side, points]) => (points.filter(Boolean).length < 2 ? [side] : []))
        return weak.length === 0 ? [] : [`${name} (${weak.join(', ')})`]
      })
    },
    [picture, controls] as const,
  )
  return { measured: controls.length, without: [...new Set(without)] }
}

/**
 * The focused element, and whether it has a visible focus ring: an outline of at least 2 px with a contrast of 3:1. null if nothing has the focus.
 */
const focused = (page: Page): Promise<{ readonly name: string; readonly ring: boolean } | null> =>
  page.evaluate(() => {
    const element = document.activeElement
    if (element === null || element === document.body) return null
    const isClear = Number(getComputedStyle(element).opacity) === 0
    const drawn = (isClear ? element.nextElementSibling : null) ?? element
    const { outlineWidth, outlineStyle, outlineColor } = getComputedStyle(drawn)
    const parts = (colour: string) => (colour.match(/[\d.]+/g) ?? []).map(Number)
    const luminance = (colour: string) =>
      parts(colour)
        .slice(0, 3)
        .map((value) => (value <= 10 ? value / 3294 : ((value / 255 + 0.055) / 1.055) ** 2.4))
        .reduce((sum, value, index) => sum + value * ([0.2126, 0.7152, 0.0722][index] ?? 0), 0)
    /** The nearest opaque background behind the element. */
    let ground = 'rgb(255, 255, 255)'
    for (let at: Element | null = drawn; at !== null; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at)
      if (parts(backgroundColor)[3] !== 0 && backgroundColor !== 'transparent') {
        ground = backgroundColor
        break
      }
    }
    const [one, other] = [luminance(outlineColor), luminance(ground)]
    const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
    return {
      name: `${element.tagName.toLowerCase()}.${element.className}: ${element.textContent?.slice(0, 40)}`,
      ring: Number.parseFloat(outlineWidth) >= 2 && outlineStyle !== 'none' && contrast >= 3,
    }
  })

const mostTabs = 25

test('under forced colours, the edge of each button and field and the focus outline have a contrast of at least 3:1', async ({ open, practice }) => {
  test.setTimeout(240_000)
  const desk = await open()
  const page = desk.main
  await join(desk, 'contrast')
  const keyId = await keyIdOf(page, 'contrast')
  await practice.past({ trades: 10 })
  await page.emulateMedia({ forcedColors: 'active' })
  expect(await page.evaluate(() => matchMedia('(forced-colors: active)').matches)).toBe(true)

  await test.step('measures the edges of controls on each page and sheet', async () => {
    // Makes the window so high that nearly all controls are visible.
    await page.setViewportSize({ width: 1_440, height: 2_400 })
    const found: Record<string, readonly string[]> = {}
    let count = 0
    for (const address of addressesOf(keyId)) {
      await openAddress(page, address)
      const { measured, without } = await edges(page)
      count += measured
      if (without.length > 0) found[address] = without
    }
    expect(found).toEqual({})
    expect(count).toBeGreaterThan(400)
    await page.setViewportSize({ width: 1_440, height: 900 })
  })

  for (const { address, from } of [
    { address: 'settings', from: 'body' },
    { address: 'trade', from: 'main' },
  ])
    await test.step(`measures the focus outline on ${address}`, async () => {
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

  await test.step('the chosen option in a row of options uses the system’s highlight colours', async () => {
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
