import { useState } from 'react'
import type { AmountFormat } from '../../../shared/decimal.ts'
import type { Intent, OrderEvidence } from '../../../shared/ipc/intents/orders.ts'
import { second } from '../../../shared/time.ts'
import { failureOf } from '../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../ipc/use-ipc.ts'
import { Button } from '../../kit/button.tsx'
import { Note } from '../../kit/layout/note.tsx'
import { useAmountText } from '../../kit/number.tsx'
import textStyles from '../../kit/text.module.css'
import { exactTime, useNow } from '../../kit/time/time.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import { activityText } from '../../text/en/activity.en.tsx'

/** Shows the evidence about an order whose outcome is UNKNOWN, and lets the user resolve the order if the app cannot. */
export function ResolveUnknown({ intent }: { readonly intent: Intent }) {
  const { ref } = intent
  const now = useNow(second)
  const amount = useAmountText()
  const [asked, setAsked] = useState<'carried_out' | 'not_carried_out' | null>(null)
  const known = useIpcQuery('intents.unknown', { ref }, { every: 15 * second })
  const resolve = useIpcCommand('intents.resolve')
  if (known.data === undefined) return known.error === null ? null : <FailureNote failure={failureOf(known.error)} onRetry={() => void known.refetch()} />
  const { resolvableFromMs, passed } = known.data
  const open = now >= resolvableFromMs
  const say = (outcome: 'carried_out' | 'not_carried_out' | 'pass') => resolve.mutate({ ref, outcome }, { onSettled: () => setAsked(null) })
  return (
    <>
      <Note tone="neutral" icon="search" title={activityText.knownFacts}>
        <ul aria-label={activityText.knownFacts}>
          {evidenceLines(known.data, intent, now, amount).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        {open ? (
          asked === null ? (
            <span className={textStyles.actions}>
              <Button size="sm" onClick={() => setAsked('carried_out')}>
                {activityText.wasExecuted}
              </Button>
              <Button size="sm" onClick={() => setAsked('not_carried_out')}>
                {activityText.wasNotExecuted}
              </Button>
              {passed ? null : (
                <Button size="sm" variant="ghost" busy={resolve.isPending} onClick={() => say('pass')}>
                  {activityText.allowNewOrders}
                </Button>
              )}
            </span>
          ) : (
            <>
              <p>{asked === 'carried_out' ? activityText.executedEffect : activityText.notExecutedEffect}</p>
              <span className={textStyles.actions}>
                <Button size="sm" variant="danger" busy={resolve.isPending} onClick={() => say(asked)}>
                  {asked === 'carried_out' ? activityText.yesExecuted : activityText.yesNotExecuted}
                </Button>
                <Button size="sm" onClick={() => setAsked(null)}>
                  {activityText.keepLooking}
                </Button>
              </span>
            </>
          )
        ) : (
          <p>{activityText.resolveFrom(exactTime(resolvableFromMs))}</p>
        )}
      </Note>
      {resolve.error === null ? null : <FailureNote failure={failureOf(resolve.error)} />}
    </>
  )
}

const listedText = (listed: OrderEvidence['listed']): string =>
  listed === null
    ? activityText.noServiceId
    : !listed.read
      ? activityText.notInReadableList
      : listed.state === null
        ? activityText.notListed
        : activityText.listedAs(listed.state)

const shownText: Readonly<Record<OrderEvidence['shownAs'], string>> = {
  trade: activityText.inTrades,
  order: activityText.inOrders,
  nothing: activityText.inNeither,
  unread: activityText.notInReadableRows,
}

function positionLines(positions: OrderEvidence['positions'], { symbol, side }: Pick<Intent, 'symbol' | 'side'>, amount: AmountFormat): readonly string[] {
  const market = symbol ?? activityText.thisMarket
  if (positions === null) return []
  if (positions.length === 0)
    return [side === null ? activityText.noPosition(market) : side === 'long' ? activityText.noLong(market) : activityText.noShort(market)]
  return positions.map((one) => {
    if (one.size === null) return one.side === 'long' ? activityText.longOfUnknownSize(market) : activityText.shortOfUnknownSize(market)
    const size = amount(one.size)
    return one.side === 'long' ? activityText.long(size, market) : activityText.short(size, market)
  })
}

/** The facts about an order whose outcome is UNKNOWN, one per line. */
function evidenceLines(evidence: OrderEvidence, intent: Pick<Intent, 'symbol' | 'side'>, nowMs: number, amount: AmountFormat): readonly string[] {
  const { usableUntilMs } = evidence
  return [
    listedText(evidence.listed),
    shownText[evidence.shownAs],
    ...positionLines(evidence.positions, intent, amount),
    usableUntilMs === null
      ? activityText.neverExpires
      : usableUntilMs > nowMs
        ? activityText.executableUntil(exactTime(usableUntilMs))
        : activityText.wasExecutableUntil(exactTime(usableUntilMs)),
    evidence.passed ? activityText.newOrdersAllowed : activityText.newOrdersHeldBack,
  ]
}
