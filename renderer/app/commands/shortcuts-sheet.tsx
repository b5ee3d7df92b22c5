import { cx } from '../../kit/cx.ts'
import { Keys } from '../../kit/keys.tsx'
import panelStyles from '../../kit/layout/panel.module.css'
import overlayStyles from '../../kit/overlay/overlay.module.css'
import { Sheet } from '../../kit/overlay/sheet.tsx'
import textStyles from '../../kit/text.module.css'
import styles from '../frame.module.css'
import { shortcuts } from './shortcuts.ts'

export function ShortcutsSheet({ onClose }: { readonly onClose: () => void }) {
  return (
    <Sheet
      title="Keyboard shortcuts"
      lead="Those of one letter work where nothing is being typed."
      icon="terminal"
      onClose={onClose}
      closeOnScrim
      className={styles.shortcuts}
    >
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
