import type { ExecutionItem } from '../../shared/ipc/intents/execution.ts'
import { explainReason } from '../../shared/signing/prepared-action.ts'
import { State } from '../kit/layout/state.tsx'
import textStyles from '../kit/text.module.css'
import { VisibleText } from '../kit/visible-text.tsx'
import styles from './parts.module.css'

const looks = {
  executed: { tone: 'ok', icon: 'check', word: 'Done' },
  failed: { tone: 'danger', icon: 'x', word: 'Failed' },
  pending: { tone: 'busy', icon: 'hourglass', word: 'Waiting' },
} as const

const isKnown = (state: string): state is keyof typeof looks => Object.hasOwn(looks, state)

function ItemState({ state }: { readonly state: string | null }) {
  if (state === null)
    return (
      <State tone="off" icon="clock">
        Not told yet
      </State>
    )
  const word = state.toLowerCase()
  if (isKnown(word))
    return (
      <State tone={looks[word].tone} icon={looks[word].icon}>
        {looks[word].word}
      </State>
    )
  return (
    <State tone="off" icon="unknown">
      <VisibleText text={state} />
    </State>
  )
}

/** What became of each action of a delegated execution, in its order. */
export function ExecutionItems({ items }: { readonly items: readonly ExecutionItem[] }) {
  return (
    <ol className={styles.executionItems} aria-label="Results">
      {items.map((item) => (
        <li key={item.index}>
          <span className={styles.position}>{item.index + 1}</span>
          <div className={textStyles.grow}>
            <p>{item.title}</p>
            {item.reason === null ? null : (
              <p className={textStyles.danger} title={item.reason}>
                <VisibleText text={explainReason(item.reason).text} />
              </p>
            )}
            {item.orderId === null ? null : (
              <p className={textStyles.muted}>
                Order <code>{item.orderId}</code>
              </p>
            )}
          </div>
          <ItemState state={item.state} />
        </li>
      ))}
    </ol>
  )
}
