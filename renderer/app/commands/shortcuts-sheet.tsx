import { Keys } from '../../kit/keys.tsx'
import { Sheet } from '../../kit/overlay/sheet.tsx'
import { shortcuts } from './shortcuts.ts'

export function ShortcutsSheet({ onClose }: { readonly onClose: () => void }) {
  return (
    <Sheet
      title="Keyboard shortcuts"
      lead="Those of one letter work where nothing is being typed."
      icon="terminal"
      onClose={onClose}
      closeOnScrim
      className="shortcuts"
    >
      <div className="sheet-body">
        {shortcuts.map(({ group, entries }) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl className="rows ruled">
              {entries.map(({ keys, words }) => (
                <div key={words}>
                  <dt>{words}</dt>
                  <dd>
                    <span className="sr">{keys.join(' ')}</span>
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
