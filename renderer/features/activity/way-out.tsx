import { useState } from 'react'
import type { Intent } from '../../../shared/ipc/intents/orders.ts'
import { second } from '../../../shared/time.ts'
import { failureOf } from '../../ipc/desk-failure.ts'
import { useDeskCommand, useDeskQuery } from '../../ipc/use-desk.ts'
import { Button } from '../../kit/button.tsx'
import { Note } from '../../kit/layout/note.tsx'
import { useNow } from '../../kit/time/now.tsx'
import { exactTime } from '../../kit/time/time-text.ts'
import { FailureNote } from '../../parts/failure-note.tsx'
import { evidenceLines } from './way-out-text.ts'

/** What is known of an UNKNOWN order, and how the user ends it once nothing else can. */
export function WayOut({ intent }: { readonly intent: Intent }) {
  const { ref } = intent
  const now = useNow(second)
  const [asked, setAsked] = useState<'carried_out' | 'not_carried_out' | null>(null)
  const known = useDeskQuery('orders.unknown', { ref }, { every: 15 * second })
  const settle = useDeskCommand('orders.settle')
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
            <span className="acts-r">
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
              <span className="acts-r">
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
