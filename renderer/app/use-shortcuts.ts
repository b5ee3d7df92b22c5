import { useEffect, useRef } from 'react'
import { isPrefix, isTyping, pressed } from '../kit/key-bindings.ts'
import type { PageName, Shell } from './shell-store.ts'

const pageKeys = {
  goOverview: 'overview',
  goTrade: 'trade',
  goAccount: 'account',
  goMarkets: 'markets',
  goKeys: 'keys',
  goWebhooks: 'webhooks',
  goActivity: 'activity',
  goSettings: 'settings',
  goHelp: 'help',
  goNotices: 'notices',
} as const satisfies Readonly<Record<string, PageName | 'notices'>>
const goIds = Object.keys(pageKeys) as (keyof typeof pageKeys)[] // its own keys

interface ShortcutEffects {
  readonly shell: Pick<Shell, 'navigate' | 'show'>
  readonly toggleRail: () => void
  readonly toggleAmounts: () => void
  readonly help: () => void
  readonly lock: () => void
}

/** The window's shortcuts. Single-letter ones work only when no text field has focus and no overlay is open. */
export function useShortcuts(effects: ShortcutEffects): void {
  const latest = useRef(effects)
  latest.current = effects
  useEffect(() => {
    let afterG = false
    const onKey = (event: KeyboardEvent) => {
      const { shell, toggleRail, toggleAmounts, help, lock } = latest.current
      if (event.defaultPrevented) return
      const act = (run: () => void) => {
        event.preventDefault()
        run()
      }
      const always = pressed(event, 'palette', 'settings', 'rail', 'lock', 'hideAmounts')
      if (always !== null) {
        act({ palette: () => shell.show('palette'), settings: () => shell.navigate('settings'), rail: toggleRail, lock, hideAmounts: toggleAmounts }[always])
        return
      }
      if (document.querySelector('dialog[open]') !== null) return
      if (pressed(event, 'help') !== null) act(help)
      if (isTyping(event)) return
      const page = afterG ? pressed(event, ...goIds) : null
      const single = pressed(event, 'shortcuts', 'newKey', 'signIn')
      if (page !== null) act(() => shell.navigate(pageKeys[page]))
      else if (single !== null)
        act({ shortcuts: () => shell.show('shortcuts'), newKey: () => shell.navigate('keys/new'), signIn: () => shell.show('sign-in') }[single])
      afterG = isPrefix(event)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
