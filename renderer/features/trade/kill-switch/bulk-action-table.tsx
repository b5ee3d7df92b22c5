import type { BulkActionKind, BulkActionStep, KnownBulkAction } from '../../../../shared/ipc/intents/kill-switch.ts'
import { bulkDetailText, stepTitle } from '../../../../shared/text/kill-switch-text.ts'
import { failureOf } from '../../../ipc/call-failure.ts'
import { useIpcCommand } from '../../../ipc/use-ipc.ts'
import { Button } from '../../../kit/button.tsx'
import { cx } from '../../../kit/cx.ts'
import type { IconName } from '../../../kit/icons/icon.tsx'
import { Link } from '../../../kit/layout/navigation.tsx'
import { State, type StateTone } from '../../../kit/layout/state.tsx'
import tableStyles from '../../../kit/layout/table.module.css'
import { HeadCell, Table } from '../../../kit/layout/table.tsx'
import { useAmountText } from '../../../kit/number.tsx'
import textStyles from '../../../kit/text.module.css'
import { Time } from '../../../kit/time/time.tsx'
import { FailureNote } from '../../../parts/failure-note.tsx'
import { NameOffer, type Offer, useNaming } from '../../../parts/name-offer.tsx'
import { kitText } from '../../../text/en/kit.en.tsx'
import { tradeText } from '../../../text/en/trade.en.tsx'
import styles from './bulk-action.module.css'

/** Each order and position with its outcome and possible actions. */
export function BulkActionTable({ steps, open }: { readonly steps: readonly BulkActionStep[]; readonly open: boolean }) {
  const amount = useAmountText()
  const again = useIpcCommand('bulkActions.again')
  const skip = useIpcCommand('bulkActions.skip')
  const failed = again.error ?? skip.error
  return (
    <>
      {failed === null ? null : <FailureNote failure={failureOf(failed)} />}
      <Table label={tradeText.steps}>
        <thead>
          <tr>
            <HeadCell>{tradeText.step}</HeadCell>
            <HeadCell>{tradeText.outcome}</HeadCell>
            <HeadCell>{kitText.details}</HeadCell>
            <HeadCell numeric>{tradeText.time}</HeadCell>
            <HeadCell>
              <span className={textStyles.screenReaderOnly}>{tradeText.actions}</span>
            </HeadCell>
          </tr>
        </thead>
        <tbody>
          {steps.map((step) => {
            const { tone, icon, word } = stepLooks[step.state]
            const title = stepTitle(step, amount)
            return (
              <tr key={step.id}>
                <td>
                  <b>{title}</b>
                  <code className={tableStyles.sub}>{step.subject}</code>
                </td>
                <td>
                  <State tone={tone} icon={icon}>
                    {word}
                  </State>
                </td>
                <td className={styles.bulkActionWords}>
                  {bulkDetailText(step.detail)}{' '}
                  {step.ref === null ? null : (
                    <Link className={textStyles.link} to={`activity/${step.ref}`}>
                      {tradeText.openInActivity}
                    </Link>
                  )}
                  {open && step.state === 'failed' && step.offer !== undefined ? (
                    <StepOffer offer={step.offer} onAgain={() => again.mutate({ stepId: step.id })} />
                  ) : null}
                </td>
                <td className={cx(textStyles.right, textStyles.muted)}>
                  <Time ms={step.atMs} form="clock" />
                </td>
                <td className={textStyles.right}>
                  <span className={textStyles.actions}>
                    {open && step.state === 'failed' ? (
                      <Button size="xs" icon="refresh" aria-label={tradeText.retryStep(title)} onClick={() => again.mutate({ stepId: step.id })}>
                        {tradeText.tryAgain}
                      </Button>
                    ) : null}
                    {open && (step.state === 'failed' || step.state === 'waiting' || step.state === 'asking') ? (
                      <Button size="xs" variant="ghost" aria-label={tradeText.skipStep(title)} onClick={() => skip.mutate({ stepId: step.id })}>
                        {tradeText.skip}
                      </Button>
                    ) : null}
                  </span>
                </td>
              </tr>
            )
          })}
        </tbody>
      </Table>
    </>
  )
}

function StepOffer({ offer, onAgain }: { readonly offer: Offer; readonly onAgain: () => void }) {
  return <NameOffer offer={offer} naming={useNaming(onAgain)} />
}

export const kindTitle: Readonly<Record<BulkActionKind, string>> = {
  cancel_all: tradeText.cancelAllOrders,
  close_all: tradeText.closeAllPositions,
  kill: tradeText.killSwitch,
}

export const kindVerb: Readonly<Record<BulkActionKind, string>> = {
  cancel_all: tradeText.cancelAllOrders,
  close_all: tradeText.closeAllPositions,
  kill: tradeText.stopEverything,
}

export const stepLooks: Readonly<Record<BulkActionStep['state'], { readonly tone: StateTone; readonly icon: IconName; readonly word: string }>> = {
  waiting: { tone: 'off', icon: 'hourglass', word: tradeText.waiting },
  asking: { tone: 'warn', icon: 'phone', word: tradeText.waitingForSignature },
  sent: { tone: 'warn', icon: 'send', word: tradeText.sent },
  unknown: { tone: 'warn', icon: 'unknown', word: tradeText.unknown },
  done: { tone: 'ok', icon: 'check', word: tradeText.done },
  gone: { tone: 'ok', icon: 'check', word: tradeText.alreadyGone },
  failed: { tone: 'danger', icon: 'x', word: tradeText.stepFailed },
  skipped: { tone: 'off', icon: 'arrow-right', word: tradeText.skipped },
}

const ended: ReadonlySet<BulkActionStep['state']> = new Set(['done', 'gone', 'skipped'])
export const isEnded = ({ state }: BulkActionStep): boolean => ended.has(state)

/** How many steps still need a wallet signature or a retry. */
export const leftToSign = ({ steps }: KnownBulkAction): number => steps.filter(({ state }) => state === 'waiting' || state === 'asking').length

export function bulkActionHead(bulkAction: KnownBulkAction): string {
  const { kind, state, steps, revocation } = bulkAction
  const answered = steps.filter(isEnded).length
  const skipped = steps.filter((step) => step.state === 'skipped').length
  if (state === 'done') return skipped === 0 ? tradeText.bulkActionDone(kindTitle[kind]) : tradeText.bulkActionSkipped(kindTitle[kind], skipped)
  if (answered < steps.length) return tradeText.bulkActionProgress(kindTitle[kind], answered, steps.length)
  if (revocation === null) return tradeText.bulkActionFinishing(kindTitle[kind])
  return revocation.state === 'running' ? tradeText.revokingKeys(revocation.total - revocation.left, revocation.total) : tradeText.closedKeysWork
}
