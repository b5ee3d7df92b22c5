import { useEffect, useRef } from 'react'
import { cx } from '../../kit/cx.ts'
import { Keys } from '../../kit/keys.tsx'
import { lockKeys } from '../../kit/layout/commands.tsx'
import panelStyles from '../../kit/layout/panel.module.css'
import overlayStyles from '../../kit/overlay/overlay.module.css'
import { Sheet } from '../../kit/overlay/sheet.tsx'
import textStyles from '../../kit/text.module.css'
import { appText } from '../../text/en/app.en.tsx'
import styles from '../frame.module.css'
import type { Shell } from '../shell-store.ts'

export function ShortcutsSheet({ onClose }: { readonly onClose: () => void }) {
  return (
    <Sheet title={appText.keyboardShortcuts} lead={appText.shortcutsLead} icon="terminal" onClose={onClose} closeOnScrim className={styles.shortcuts}>
      <div className={overlayStyles.sheetBody}>
        {shortcuts.map(({ group, entries }) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl className={cx(panelStyles.rows, panelStyles.ruled)}>
              {entries.map(({ keys, words }) => (
                <div key={words}>
                  <dt>{words}</dt>
                  <dd>
                    <span className={textStyles.screenReaderOnly}>{keys.join(' ')}</span>
                    <Keys keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Sheet>
  )
}

interface Shortcut {
  readonly keys: readonly string[]
  readonly words: string
}

/** What `?` lists. The ticket's own keys are listed by the ticket. */
const shortcuts: readonly { readonly group: string; readonly entries: readonly Shortcut[] }[] = [
  {
    group: appText.everywhere,
    entries: [
      { keys: [appText.ctrl, 'K'], words: appText.search },
      { keys: ['?'], words: appText.theseShortcuts },
      { keys: [appText.esc], words: appText.closeDialog },
      { keys: [appText.ctrl, ','], words: appText.settings },
      { keys: [appText.ctrl, 'B'], words: appText.toggleSidebar },
      { keys: lockKeys, words: appText.lockNow },
    ],
  },
  {
    group: appText.goTo,
    entries: [
      { keys: ['G', 'O'], words: appText.overview },
      { keys: ['G', 'T'], words: appText.trade },
      { keys: ['G', 'C'], words: appText.account },
      { keys: ['G', 'M'], words: appText.markets },
      { keys: ['G', 'K'], words: appText.keys },
      { keys: ['G', 'W'], words: appText.webhooks },
      { keys: ['G', 'A'], words: appText.activity },
      { keys: ['G', 'S'], words: appText.settings },
    ],
  },
  {
    group: appText.actions,
    entries: [
      { keys: ['N'], words: appText.newKey },
      { keys: ['S'], words: appText.signIn },
    ],
  },
]

const gone: Readonly<Record<string, string>> = { o: 'overview', t: 'trade', c: 'account', m: 'markets', k: 'keys', w: 'webhooks', a: 'activity', s: 'settings' }

/** Whether the key press goes into a text field. */
function typing(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.closest('input:not([type=checkbox], [type=range]), textarea, select') !== null)
}

interface ShortcutEffects {
  readonly shell: Pick<Shell, 'navigate' | 'show'>
  readonly toggleRail: () => void
  /** Locks, or leads to where the lock is set. */
  readonly lock: () => void
}

/** The window's shortcuts. Single-letter ones work only when no text field has focus and no overlay is open. */
export function useShortcuts(effects: ShortcutEffects): void {
  const latest = useRef(effects)
  latest.current = effects
  useEffect(() => {
    let afterG = false
    const onKey = (event: KeyboardEvent) => {
      const { shell, toggleRail, lock } = latest.current
      if (event.defaultPrevented) return
      const key = event.key.toLowerCase()
      const act = (run: () => void) => {
        event.preventDefault()
        run()
      }
      if ((event.ctrlKey || event.metaKey) && !event.altKey) {
        if (key === 'k') act(() => shell.show('palette'))
        else if (key === ',') act(() => shell.navigate('settings'))
        else if (key === 'b') act(toggleRail)
        else if (key === 'l' && event.shiftKey) act(lock)
        return
      }
      if (event.altKey || typing(event.target) || document.querySelector('dialog[open]') !== null) return
      const goTo = gone[key]
      if (afterG && goTo !== undefined) act(() => shell.navigate(goTo))
      else if (key === '?') act(() => shell.show('shortcuts'))
      else if (key === 'n') act(() => shell.navigate('keys/new'))
      else if (key === 's') act(() => shell.show('sign-in'))
      afterG = key === 'g'
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
