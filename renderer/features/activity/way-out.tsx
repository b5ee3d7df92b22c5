import { useState } from 'react'
import { formatDecimal } from '../../../shared/decimal.ts'
import type { Intent, OrderEvidence } from '../../../shared/ipc/intents/orders.ts'
import { second } from '../../../shared/time.ts'
import { failureOf } from '../../ipc/desk-failure.ts'
import { useDeskCommand, useDeskQuery } from '../../ipc/use-desk.ts'
import { Button } from '../../kit/button.tsx'
import { Note } from '../../kit/layout/note.tsx'
import textStyles from '../../kit/text.module.css'
import { exactTime, useNow } from '../../kit/time/time.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'

/** What is known of an UNKNOWN order, and how the user ends it once nothing else can. */
export function WayOut({ intent }: { readonly intent: Intent }) {
  const { ref } = intent
  const now = useNow(second)
  const [asked, setAsked] = useState<'carried_out' | 'not_carried_out' | null>(null)
  const known = useDeskQuery('intents.unknown', { ref }, { every: 15 * second })
  const settle = useDeskCommand('intents.settle')
  if (known.data === undefined) return known.error === null ? null : <FailureNote failure={failureOf(known.error)} onRetry={() => void known.refetch()} />
  const { settleFromMs, passed } = known.data
  const open = now >= settleFromMs
  const say = (outcome: 'carried_out' | 'not_carried_out' | 'pass') => settle.mutate({ ref, outcome }, { onSettled: () => setAsked(null) })
  return (
    <>
      <Note tone="neutral" icon="search" title="What is known">
        <ul aria-label="What is known">
          {evidenceLines(known.data, intent, now).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        {open ? (
          asked === null ? (
            <span className={textStyles.actions}>
              <Button size="sm" onClick={() => setAsked('carried_out')}>
                It was carried out
              </Button>
              <Button size="sm" onClick={() => setAsked('not_carried_out')}>
                It was not
              </Button>
              {passed ? null : (
                <Button size="sm" variant="ghost" busy={settle.isPending} onClick={() => say('pass')}>
                  Allow new orders
                </Button>
              )}
            </span>
          ) : (
            <>
              <p>
                {asked === 'carried_out'
                  ? 'The app stops looking it up and marks it final. Check your position first.'
                  : 'The app looks once more, then stops and marks it expired. Check your position first.'}
              </p>
              <span className={textStyles.actions}>
                <Button size="sm" variant="danger" busy={settle.isPending} onClick={() => say(asked)}>
                  {asked === 'carried_out' ? 'Yes, it was carried out' : 'Yes, it was not carried out'}
                </Button>
                <Button size="sm" onClick={() => setAsked(null)}>
                  Keep looking
                </Button>
              </span>
            </>
          )
        ) : (
          <p>If it stays unknown, you can settle it yourself from {exactTime(settleFromMs)}.</p>
        )}
      </Note>
      {settle.error === null ? null : <FailureNote failure={failureOf(settle.error)} />}
    </>
  )
}

const listedText = (listed: OrderEvidence['listed']): string =>
  listed === null
    ? 'The service gave it no id.'
    : !listed.read
      ? 'It was not found among what the app could read of the service’s list.'
      : listed.state === null
        ? 'The service does not list it.'
        : `The service lists it as “${listed.state}”.`

const shownText: Readonly<Record<OrderEvidence['shownAs'], string>> = {
  trade: 'Your trades show it.',
  order: 'Your orders show it.',
  nothing: 'Neither your trades nor your orders show it.',
  unread: 'It was not found among what the app could read of your trades and orders.',
}

function positionsText(positions: OrderEvidence['positions'], { symbol, side }: Pick<Intent, 'symbol' | 'side'>): string | null {
  const market = `${symbol ?? 'this market'}${side === null ? '' : `, ${side}`}`
  if (positions === null) return null
  if (positions.length === 0) return `You hold no position in ${market}.`
  return `You hold ${positions.map((one) => `${one.side} ${one.size === null ? 'of unknown size' : formatDecimal(one.size)}`).join(' and ')} in ${symbol ?? 'this market'}.`
}

/** What is known of an UNKNOWN order, one fact a line. */
function evidenceLines(evidence: OrderEvidence, intent: Pick<Intent, 'symbol' | 'side'>, nowMs: number): readonly string[] {
  const { usableUntilMs } = evidence
  const positions = positionsText(evidence.positions, intent)
  return [
    listedText(evidence.listed),
    shownText[evidence.shownAs],
    ...(positions === null ? [] : [positions]),
    usableUntilMs === null
      ? 'What you signed has no end: it may still be executed.'
      : usableUntilMs > nowMs
        ? `It may still be executed until ${exactTime(usableUntilMs)}.`
        : `It could be executed until ${exactTime(usableUntilMs)}.`,
    evidence.passed ? 'New orders may pass it.' : 'It holds back new orders of the same kind. Cancelling, closing and TP/SL are never held back.',
  ]
}
