import { useState } from 'react'
import type { KnownSweep } from '../../../../shared/ipc/intents/sweeps.ts'
import { pairOf } from '../../../../shared/ticket/actions/check-action.ts'
import { failureOf } from '../../../ipc/desk-failure.ts'
import { useDeskCommand, useDeskQuery } from '../../../ipc/use-desk.ts'
import { Button } from '../../../kit/button.tsx'
import { Meter } from '../../../kit/layout/meter.tsx'
import { useNavigate } from '../../../kit/layout/navigation.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import { Time } from '../../../kit/time/time.tsx'
import { FailureNote } from '../../../parts/failure-note.tsx'
import { useNaming } from '../../../parts/use-naming.ts'
import { useSummaries } from '../market/use-market-data.ts'
import { OrderSheet } from '../order-sheet.tsx'
import { useOrderFlow } from '../use-order-flow.ts'
import { SweepKeys } from './sweep-keys.tsx'
import { SweepTable } from './sweep-table.tsx'
import { isEnded, kindTitle, leftToSign, many, sweepHead } from './sweep-words.ts'
import { useSweepSteps } from './use-sweep-steps.ts'

/** How it goes, step by step, while it runs and after. */
export function SweepProgress({ sweep, onAgain }: { readonly sweep: KnownSweep; readonly onAgain: () => void }) {
  const navigate = useNavigate()
  const order = useOrderFlow()
  const wallet = useSweepSteps(order)
  const goOn = useDeskCommand('sweeps.goOn')
  const end = useDeskCommand('sweeps.end')
  const save = useDeskCommand('sweeps.saveReport')
  const profiles = useDeskQuery('profiles.list', {})
  const naming = useNaming(() => goOn.mutate({}))
  const [saved, setSaved] = useState<string | null>(null)
  const practice = profiles.data?.profiles.find((profile) => profile.id === profiles.data.activeId)?.kind === 'practice'
  const pairId = order.open?.ticket == null ? null : pairOf(order.open.ticket)
  const mark = useSummaries().data?.summaries.find(({ id }) => id === pairId)?.mark ?? null
  const { state, steps, by, running, stopped } = sweep
  const answered = steps.filter(isEnded).length
  const done = state === 'done'
  const toSign = leftToSign(sweep)
  const failed = steps.filter((step) => step.state === 'failed').length
  const notPrepared = order.outcome?.kind === 'failed' ? order.outcome.failure : null
  const failure = wallet.failure ?? notPrepared ?? ((end.error ?? save.error === null) ? null : failureOf(end.error ?? save.error))
  return (
    <>
      <section className="panel swp-list" aria-label="What became of each step">
        <div className="panel-head ruled">
          <h2 role="status">{sweepHead(sweep)}</h2>
          <span className="muted">
            <Time ms={sweep.endedAtMs ?? sweep.startedAtMs} />
          </span>
          <span className="end">
            <Button size="sm" icon="download" busy={save.isPending} onClick={() => save.mutate({}, { onSuccess: ({ path }) => setSaved(path) })}>
              Save the report
            </Button>
            {done ? (
              <>
                <Button size="sm" variant="ghost" onClick={onAgain}>
                  Stop something else
                </Button>
                <Button size="sm" variant="primary" onClick={() => navigate('trade')}>
                  Back to trading
                </Button>
              </>
            ) : (
              <Button size="sm" variant="ghost" busy={end.isPending} onClick={() => end.mutate({})}>
                End it here
              </Button>
            )}
          </span>
        </div>
        {steps.length === 0 ? null : (
          <Meter
            label={`${answered} of ${steps.length} steps done`}
            value={answered}
            max={steps.length}
            tone={failed > 0 ? 'danger' : answered === steps.length ? 'ok' : 'warn'}
          />
        )}
        {done ? null : by.way === 'wallet' ? (
          toSign === 0 ? null : (
            <div className="swp-next">
              <div className="grow">
                <b>{many(toSign, 'step')} for your wallet</b>
                <p>One after the other; the next sheet opens as soon as a step is on its way.</p>
              </div>
              <Button variant="primary" icon="phone" busy={wallet.busy} onClick={() => void wallet.next()}>
                {answered === 0 ? 'Sign the first' : 'Sign the next'}
              </Button>
            </div>
          )
        ) : running || (stopped === null && toSign === 0) ? null : (
          <div className="swp-next">
            <div className="grow">
              <b>{stopped === null ? `It was interrupted. ${many(toSign, 'step')} left.` : `The executor stopped. ${many(toSign, 'step')} left.`}</b>
              <p>What was answered for is written down; only the rest is asked for.</p>
            </div>
            <Button variant="danger-fill" icon="play" busy={goOn.isPending} onClick={() => goOn.mutate({})}>
              Go on
            </Button>
          </div>
        )}
        {steps.length === 0 ? null : <SweepTable steps={steps} open={!done} />}
        <SweepKeys sweep={sweep} />
      </section>
      {failure === null ? null : <FailureNote failure={failure} />}
      {stopped === null ? null : <FailureNote failure={stopped} naming={naming} />}
      {saved === null ? null : (
        <Note tone="ok" live title="Saved.">
          <code>{saved}</code>
        </Note>
      )}
      {failed === 0 || done ? null : (
        <Note tone="warn" title={`${many(failed, 'step')} failed.`}>
          Try {failed === 1 ? 'it' : 'them'} again, or skip {failed === 1 ? 'it' : 'them'}.{' '}
          {sweep.revocation === null ? `${kindTitle[sweep.kind]} ends then.` : 'The keys are revoked then, or now by your word.'}
        </Note>
      )}
      <OrderSheet order={order} mark={mark} practice={practice} />
    </>
  )
}
