import type { ExecutionItem } from '../../shared/ipc/intents/execution.ts'
import { explainReason } from '../../shared/signing/prepared-action.ts'
import { State } from '../kit/layout/state.tsx'
import { VisibleText } from '../kit/visible-text.tsx'

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
    <ol className="exec-items" aria-label="Results">
      {items.map((item) => (
        <li key={item.index}>
          <span className="exec-n">{item.index + 1}</span>
          <div className="grow">
            <p>{item.title}</p>
            {item.reason === null ? null : (
              <p className="danger-t" title={item.reason}>
                <VisibleText text={explainReason(item.reason).text} />
              </p>
            )}
            {item.orderId === null ? null : (
              <p className="muted">
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
