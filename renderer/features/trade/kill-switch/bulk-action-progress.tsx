import { useCallback, useEffect, useRef, useState } from 'react'
import type { Failure } from '../../../../shared/ipc/failure.ts'
import type { KnownBulkAction } from '../../../../shared/ipc/intents/kill-switch.ts'
import type { Intent } from '../../../../shared/ipc/intents/orders.ts'
import { isLiveKey } from '../../../../shared/live-key.ts'
import { pairOf } from '../../../../shared/ticket/actions/check-action.ts'
import { failureOf } from '../../../ipc/call-failure.ts'
import { useIpcCall, useIpcCommand, useIpcQuery } from '../../../ipc/use-ipc.ts'
import { Button } from '../../../kit/button.tsx'
import { cx } from '../../../kit/cx.ts'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Meter } from '../../../kit/layout/meter.tsx'
import { useNavigate } from '../../../kit/layout/navigation.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import panelStyles from '../../../kit/layout/panel.module.css'
import textStyles from '../../../kit/text.module.css'
import { Time } from '../../../kit/time/time.tsx'
import { FailureNote, MissingNote } from '../../../parts/failure-note.tsx'
import { useNaming } from '../../../parts/name-offer.tsx'
import { tradeText } from '../../../text/en/trade.en.tsx'
import { useSummaries } from '../market/feed.tsx'
import { OrderSheet } from '../order-sheet.tsx'
import { type OrderFlow, useOrderFlow } from '../use-order-flow.ts'
import styles from './bulk-action.module.css'
import { BulkActionTable, bulkActionHead, isEnded, leftToSign } from './bulk-action-table.tsx'

/** Progress and result of a bulk action, step by step. */
export function BulkActionProgress({ bulkAction, onAgain }: { readonly bulkAction: KnownBulkAction; readonly onAgain: () => void }) {
  const navigate = useNavigate()
  const order = useOrderFlow()
  const wallet = useBulkActionSteps(order)
  const goOn = useIpcCommand('bulkActions.goOn')
  const end = useIpcCommand('bulkActions.end')
  const save = useIpcCommand('bulkActions.saveReport')
  const naming = useNaming(() => goOn.mutate({}))
  const [saved, setSaved] = useState<string | null>(null)
  const pairId = order.open?.ticket == null ? null : pairOf(order.open.ticket)
  const mark = useSummaries().data?.summaries.find(({ id }) => id === pairId)?.mark ?? null
  const { state, steps, by, running, stopped } = bulkAction
  const answered = steps.filter(isEnded).length
  const done = state === 'done'
  const toSign = leftToSign(bulkAction)
  const failed = steps.filter((step) => step.state === 'failed').length
  const notPrepared = order.outcome?.kind === 'failed' ? order.outcome.failure : null
  const failure = wallet.failure ?? notPrepared ?? ((end.error ?? save.error === null) ? null : failureOf(end.error ?? save.error))
  return (
    <>
      <section className={cx(panelStyles.panel, styles.bulkActionList)} aria-label={tradeText.stepResults}>
        <div className={cx(panelStyles.panelHead, panelStyles.ruled)}>
          <div role="status">
            <h2>{bulkActionHead(bulkAction)}</h2>
          </div>
          <span className={textStyles.muted}>
            <Time ms={bulkAction.endedAtMs ?? bulkAction.startedAtMs} />
          </span>
          <span className={panelStyles.end}>
            <Button size="sm" icon="download" busy={save.isPending} onClick={() => save.mutate({}, { onSuccess: ({ path }) => setSaved(path) })}>
              {tradeText.saveReport}
            </Button>
            {done ? (
              <>
                <Button size="sm" variant="ghost" onClick={onAgain}>
                  {tradeText.chooseAnotherAction}
                </Button>
                <Button size="sm" variant="primary" onClick={() => navigate('trade')}>
                  {tradeText.backToTrading}
                </Button>
              </>
            ) : (
              <Button size="sm" variant="ghost" busy={end.isPending} onClick={() => end.mutate({})}>
                {tradeText.endHere}
              </Button>
            )}
          </span>
        </div>
        {steps.length === 0 ? null : (
          <Meter
            label={tradeText.stepsDone(answered, steps.length)}
            value={answered}
            max={steps.length}
            tone={failed > 0 ? 'danger' : answered === steps.length ? 'ok' : 'warn'}
          />
        )}
        {done ? null : by.way === 'wallet' ? (
          toSign === 0 ? null : (
            <div className={styles.bulkActionNext}>
              <div className={textStyles.grow}>
                <b>{tradeText.stepsToSign(toSign)}</b>
                <p>{tradeText.nextStepOpens}</p>
              </div>
              <Button variant="primary" icon="phone" busy={wallet.busy} onClick={() => void wallet.next()}>
                {answered + failed === 0 ? tradeText.signFirstStep : tradeText.signNextStep}
              </Button>
            </div>
          )
        ) : running || (stopped === null && toSign === 0) ? null : (
          <div className={styles.bulkActionNext}>
            <div className={textStyles.grow}>
              <b>{stopped === null ? tradeText.interruptedWith(toSign) : tradeText.executorStoppedWith(toSign)}</b>
              <p>{tradeText.progressSaved}</p>
            </div>
            <Button variant="danger-fill" icon="play" busy={goOn.isPending} onClick={() => goOn.mutate({})}>
              {tradeText.continue}
            </Button>
          </div>
        )}
        {steps.length === 0 ? null : <BulkActionTable steps={steps} open={!done} />}
        <BulkActionKeys bulkAction={bulkAction} />
      </section>
      {failure === null ? null : <FailureNote failure={failure} />}
      {stopped === null ? null : <FailureNote failure={stopped} naming={naming} />}
      {saved === null ? null : (
        <Note tone="ok" live title={tradeText.saved}>
          <code>{saved}</code>
        </Note>
      )}
      {failed === 0 || done ? null : (
        <Note tone="warn" title={tradeText.stepsFailed(failed)}>
          {bulkAction.revocation === null ? tradeText.retryOrSkipToEnd(failed) : tradeText.retryOrSkipToRevoke(failed)}
        </Note>
      )}
      <OrderSheet order={order} mark={mark} />
    </>
  )
}

interface BulkActionSteps {
  readonly busy: boolean
  readonly failure: Failure | null
  readonly next: () => Promise<void>
}

/** The states in which a step's request has been sent. The next step may start, while the page still shows the outcome of this step. */
const onItsWay: ReadonlySet<Intent['state']> = new Set(['SENT', 'SUBMITTED', 'CONFIRMING', 'FINAL', 'UNKNOWN'])

/** Guides the wallet through a bulk action's steps: opens one signing sheet after another. */
function useBulkActionSteps(order: OrderFlow): BulkActionSteps {
  const call = useIpcCall()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const asked = useRef<{ readonly stepId: string; ref: string } | null>(null)
  const { open, show } = order
  const { leave } = order.signing

  const next = useCallback(async () => {
    setBusy(true)
    setFailure(null)
    const answer = await call('bulkActions.next', {})
    setBusy(false)
    if (!answer.ok) {
      setFailure(answer.failure)
      return
    }
    const { order: given } = answer.value
    if (given === null) return
    asked.current = { stepId: given.stepId, ref: given.prepared.intent.ref }
    show(given.prepared, given.ticket)
  }, [call, show])

  const ref = open?.prepared.intent.ref ?? null
  useEffect(() => {
    // If `ref` changed, the signing sheet prepared the order again at another price, as another intent. Continue this step with the new intent.
    if (ref === null || asked.current === null || asked.current.ref === ref) return
    asked.current.ref = ref
    void call('bulkActions.took', { stepId: asked.current.stepId, ref })
  }, [call, ref])

  const followed = open?.flow.phase.kind === 'followed' && onItsWay.has(open.flow.phase.intent.state)
  useEffect(() => {
    if (!followed) return
    leave()
    void next()
  }, [followed, leave, next])

  return { busy, failure, next }
}

/** The last step of the kill switch, which revokes the keys. The user can start it at any time. */
function BulkActionKeys({ bulkAction }: { readonly bulkAction: KnownBulkAction }) {
  const navigate = useNavigate()
  const list = useIpcQuery('keys.list', {})
  const revoke = useIpcCommand('bulkActions.revoke')
  const { revocation, state } = bulkAction
  if (revocation === null) return null
  const keys = list.data?.keys.filter(isLiveKey).map(({ id }) => id) ?? []
  const failure = revoke.error !== null ? failureOf(revoke.error) : revocation.failure
  const toShow = revocation.state !== 'waiting' && revocation.total > 0
  return (
    <div className={styles.bulkActionKeys}>
      <Icon name={revocation.state === 'done' ? 'check' : 'nokey'} />
      <div className={textStyles.grow}>
        <b>{headOf(revocation, keys.length)}</b>
        <p>{wordsOf(revocation)}</p>
        <MissingNote missing={list.data?.missing} of="key" />
        {failure === null ? null : <FailureNote failure={failure} />}
      </div>
      {toShow ? (
        <Button size="sm" onClick={() => navigate('keys/revoke-all')}>
          {tradeText.showEachKey}
        </Button>
      ) : null}
      {state === 'done' || revocation.state === 'running' || revocation.state === 'done' ? null : list.data === undefined ? (
        <Button size="sm" icon="user" onClick={() => navigate('sign-in')}>
          {tradeText.signIn}
        </Button>
      ) : revocation.state === 'stopped' ? null : (
        <Button
          size="sm"
          variant="danger-fill"
          icon="trash"
          disabled={keys.length === 0}
          busy={revoke.isPending}
          onClick={() => revoke.mutate({ keyIds: keys })}
        >
          {tradeText.revokeNow}
        </Button>
      )}
    </div>
  )
}

type Revocation = NonNullable<KnownBulkAction['revocation']>

function headOf({ state, total, left, revoked }: Revocation, active: number): string {
  switch (state) {
    case 'waiting':
      return total === 0 ? tradeText.keysStillActive(active) : tradeText.keysToRevoke(total)
    case 'running':
      return tradeText.revokingKeys(total - left, total)
    case 'stopped':
      return tradeText.revokingStopped(left, total)
    case 'done':
      return total === 0 ? tradeText.noKeysToRevoke : tradeText.keysRevoked(revoked, total)
  }
}

function wordsOf({ state }: Revocation): string {
  switch (state) {
    case 'waiting':
      return tradeText.revokedAfterSteps
    case 'running':
      return tradeText.revokingContinues
    case 'stopped':
      return tradeText.continueRevoking
    case 'done':
      return tradeText.botsStopped
  }
}
