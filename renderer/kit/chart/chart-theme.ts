/** Colours of the tokens as the canvas can take them: custom properties hold `light-dark()`, which a canvas does not know. */
export interface ChartTheme {
  readonly surface: string
  readonly grid: string
  readonly border: string
  readonly text: string
  readonly strong: string
  readonly up: string
  readonly down: string
  readonly upSoft: string
  readonly downSoft: string
  readonly crosshair: string
  readonly label: string
  readonly font: string
}

/** `rgb(1, 2, 3)`, as a computed colour is written, at a third of its strength: volume stands behind the candles. */
const faded = (colour: string): string => colour.replace(/^rgb\((.*)\)$/, 'rgba($1, 0.32)')

/** Reads the theme as it holds for `element` now. */
export function readChartTheme(element: HTMLElement): ChartTheme {
  const probe = document.createElement('span')
  probe.style.setProperty('display', 'none')
  element.append(probe)
  const resolve = (value: string): string => {
    probe.style.setProperty('color', value)
    return getComputedStyle(probe).color
  }
  const theme = {
    surface: resolve('var(--surface-1)'),
    grid: resolve('var(--line)'),
    border: resolve('var(--line)'),
    text: resolve('var(--text-muted)'),
    strong: resolve('var(--text)'),
    up: resolve('var(--long)'),
    down: resolve('var(--short)'),
    upSoft: faded(resolve('var(--long)')),
    downSoft: faded(resolve('var(--short)')),
    crosshair: resolve('var(--line-control)'),
    label: resolve('var(--surface-4)'),
    font: getComputedStyle(element).fontFamily,
  }
  probe.remove()
  return theme
}

/** Calls back whenever the theme may have changed: by the app's choice, by the profile or by the system. */
export function onThemeChange(listener: () => void): () => void {
  const observer = new MutationObserver(listener)
  for (const element of [document.documentElement, document.body])
    observer.observe(element, { attributes: true, attributeFilter: ['data-theme', 'data-profile'] })
  const system = matchMedia('(prefers-color-scheme: dark)')
  system.addEventListener('change', listener)
  return () => {
    observer.disconnect()
    system.removeEventListener('change', listener)
  }
}
