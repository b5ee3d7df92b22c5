import { useState } from 'react'
import { isOver } from '../../../../shared/fleet-report.ts'
import type { FleetChoice, FleetItem, FleetPlan, FleetReason, FleetState } from '../../../../shared/ipc/keys/fleet.ts'
import { second } from '../../../../shared/time.ts'
import { failureOf } from '../../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../../ipc/use-ipc.ts'
import { Button } from '../../../kit/button.tsx'
import { cx } from '../../../kit/cx.ts'
import { Icon, type IconName } from '../../../kit/icons/icon.tsx'
import { Link, useNavigate } from '../../../kit/layout/navigation.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import panelStyles from '../../../kit/layout/panel.module.css'
import { Panel } from '../../../kit/layout/panel.tsx'
import { Empty, Loading, Skeleton } from '../../../kit/layout/placeholders.tsx'
import { State, type StateTone } from '../../../kit/layout/state.tsx'
import tableStyles from '../../../kit/layout/table.module.css'
import { HeadCell, Table } from '../../../kit/layout/table.tsx'
import { shorten } from '../../../kit/number.tsx'
import overlayStyles from '../../../kit/overlay/overlay.module.css'
import { Sheet, SheetFoot } from '../../../kit/overlay/sheet.tsx'
import textStyles from '../../../kit/text.module.css'
import { Time } from '../../../kit/time/time.tsx'
import { VisibleText } from '../../../kit/visible-text.tsx'
import { FailureNote, FailurePanel } from '../../../parts/failure-note.tsx'
import { keysText } from '../../../text/en/keys.en.tsx'
import { statesText } from '../../../text/en/states.en.tsx'
import styles from './fleet.module.css'
import { PlanSheet } from './fleet-form.tsx'

/** How often the page reads the plans, in ms. Reading costs the main process little: it skips finished keys. */
const everyMs = 2 * second

/** Fleet plans: a panel for each plan with a row for each key. `at`: `new` shows the form over the page. */
export function FleetPage({ at }: { readonly at: string | null }) {
  const navigate = useNavigate()
  const list = useIpcQuery('fleet.list', {}, { every: everyMs })
  return (
    <div className={cx(panelStyles.page, styles.fleetPage)}>
      <div className={panelStyles.pageHead}>
        <span className={panelStyles.crumb}>
          <Link to="keys">{keysText.keys}</Link>
          <Icon name="chevron-right" />
          <h1>{keysText.fleetPlans}</h1>
        </span>
        <div className={panelStyles.end}>
          <Button variant="primary" icon="plus" onClick={() => navigate('keys/fleet/new')}>
            {keysText.newPlan}
          </Button>
        </div>
      </div>
      {list.data !== undefined ? (
        list.data.length === 0 ? (
          <Panel>
            <Empty icon="key" title={keysText.noPlans} level={2}>
              {keysText.noPlansDetail}
            </Empty>
          </Panel>
        ) : (
          list.data.map((plan) => <PlanPanel key={plan.id} plan={plan} />)
        )
      ) : list.error !== null ? (
        <Panel>
          <FailurePanel failure={failureOf(list.error)} onRetry={() => void list.refetch()} retrying={list.isFetching} />
        </Panel>
      ) : (
        <Loading label={keysText.readingPlans}>
          <Panel padded>
            <Skeleton width="100%" height={160} />
          </Panel>
        </Loading>
      )}
      {at === 'new' ? <PlanSheet onClose={() => navigate('keys/fleet')} /> : null}
    </div>
  )
}

function PlanPanel({ plan }: { readonly plan: FleetPlan }) {
  const set = useIpcCommand('fleet.set')
  const look = useIpcCommand('fleet.look')
  const save = useIpcCommand('fleet.save')
  const choose = useIpcCommand('fleet.choose')
  const remove = useIpcCommand('fleet.remove')
  const [isRemoving, setRemoving] = useState(false)
  const { id, name, state, isDue, dueAtMs, items } = plan
  const failed = set.error ?? look.error ?? save.error ?? choose.error ?? remove.error
  const done = items.filter((item) => item.state === 'done').length
  const to = (next: 'pause' | 'resume' | 'end') => set.mutate({ id, to: next })
  return (
    <Panel
      title={<VisibleText text={name} />}
      end={
        <span className={styles.planEnd}>
          <span className={textStyles.muted}>{keysText.planKeysDone(done, items.length)}</span>
          {state === 'paused' && !isDue && dueAtMs !== null ? <span className={textStyles.muted}>{keysText.planReminderOn(<Time ms={dueAtMs} />)}</span> : null}
          {state === 'running' ? (
            <>
              <Button size="xs" icon="refresh" busy={look.isPending} onClick={() => look.mutate({ id })}>
                {keysText.checkPlan}
              </Button>
              <Button size="xs" icon="pause" busy={set.isPending} aria-label={keysText.pausePlanNamed(name)} onClick={() => to('pause')}>
                {keysText.pausePlan}
              </Button>
            </>
          ) : null}
          {state === 'paused' ? (
            <>
              <Button size="xs" variant="primary" icon="play" busy={set.isPending} aria-label={keysText.runPlanNamed(name)} onClick={() => to('resume')}>
                {keysText.runPlan}
              </Button>
              <Button size="xs" icon="x" busy={set.isPending} aria-label={keysText.endPlanNamed(name)} onClick={() => to('end')}>
                {keysText.endPlan}
              </Button>
            </>
          ) : null}
          <Button size="xs" icon="download" busy={save.isPending} onClick={() => save.mutate({ id })}>
            {keysText.savePlanReport}
          </Button>
          {state === 'ended' && items.every(isOver) ? (
            <Button size="xs" icon="trash" busy={remove.isPending} aria-label={keysText.removePlanNamed(name)} onClick={() => setRemoving(true)}>
              {keysText.removePlan}
            </Button>
          ) : null}
        </span>
      }
    >
      {isDue || failed !== null ? (
        <div className={styles.planNotes}>
          {isDue ? (
            <Note tone="warn" title={keysText.planIsDue}>
              {keysText.planIsDueDetail}
            </Note>
          ) : null}
          {failed === null ? null : <FailureNote failure={failureOf(failed)} />}
        </div>
      ) : null}
      <div className={styles.planTable}>
        <Table label={keysText.keysOfPlan(name)}>
          <thead>
            <tr>
              <HeadCell>{keysText.key}</HeadCell>
              <HeadCell>{keysText.planTarget}</HeadCell>
              <HeadCell>{keysText.botState}</HeadCell>
              <HeadCell>
                <span className={textStyles.screenReaderOnly}>{keysText.actions}</span>
              </HeadCell>
            </tr>
          </thead>
          <tbody>
            {items.map((item) => (
              <KeyRow
                key={item.id}
                item={item}
                busy={choose.isPending && choose.variables.itemId === item.id}
                onChoose={(choice) => choose.mutate({ id, itemId: item.id, choice, seen: seenOf(item) })}
              />
            ))}
          </tbody>
        </Table>
      </div>
      {isRemoving ? (
        <RemovePlan
          plan={plan}
          onClose={() => setRemoving(false)}
          onAgree={() => {
            setRemoving(false)
            remove.mutate({ id })
          }}
        />
      ) : null}
    </Panel>
  )
}

interface RemoveProps {
  readonly plan: FleetPlan
  readonly onClose: () => void
  readonly onAgree: () => void
}

/** Says what goes with a plan before it is removed. */
function RemovePlan({ plan: { name, items }, onClose, onAgree }: RemoveProps) {
  const left = items.flatMap(({ leftKeys }) => leftKeys.map(({ label }) => label)).join(', ')
  return (
    <Sheet title={<VisibleText text={keysText.removePlanNamed(name)} />} icon="trash" tone="warn" onClose={onClose} alert>
      <div className={overlayStyles.sheetBody}>
        <p>{keysText.removePlanEffect}</p>
        {left === '' ? null : (
          <p>
            <VisibleText text={keysText.removePlanLeft(left)} />
          </p>
        )}
      </div>
      <SheetFoot>
        <Button onClick={onClose} kbd={[keysText.esc]}>
          {keysText.cancel}
        </Button>
        <Button variant="danger" onClick={onAgree}>
          {keysText.removePlan}
        </Button>
      </SheetFoot>
    </Sheet>
  )
}

/** What the user sees of a key and decides on. */
const seenOf = ({ newKey, deliveries, reason }: FleetItem) => ({ newKeyId: newKey?.id ?? null, startedAtMs: deliveries.at(-1)?.startedAtMs ?? null, reason })

interface RowProps {
  readonly item: FleetItem
  readonly busy: boolean
  readonly onChoose: (choice: FleetChoice) => void
}

function KeyRow({ item, busy, onChoose }: RowProps) {
  const navigate = useNavigate()
  const { wallet, oldKey, newKey, target, state, reason, needsUser, may, deliveries, delivery, proof } = item
  const { tone, icon, word } = states[state]
  const place = target.target === 'gateway' ? keysText.gatewayTarget : item.place
  const [isAsking, setAsking] = useState(false)
  // A delivery of an earlier new key says nothing about the present one.
  const last = deliveries.findLast((one) => one.newKeyId === newKey?.id)
  const isFailed = state === 'delivering' && last !== undefined && last.outcome !== 'done' && last.outcome !== 'running'
  return (
    <tr>
      <td className={styles.planKey}>
        <span className={textStyles.cut} title={oldKey.label}>
          <Link to={`keys/${encodeURIComponent(oldKey.id)}`}>{oldKey.label}</Link>
        </span>
        <span className={cx(tableStyles.sub, textStyles.cut)}>
          <code>{shorten(wallet)}</code>
          {newKey === null ? null : ` → ${newKey.label}`}
        </span>
      </td>
      <td className={styles.planPlace}>
        <span className={textStyles.cut} title={place}>
          <VisibleText text={place} />
        </span>
        {delivery?.outcome === 'done' && delivery.endedAtMs !== null ? (
          <span className={tableStyles.sub}>{keysText.deliveredAt(<Time ms={delivery.endedAtMs} />)}</span>
        ) : null}
        {isFailed && last.exitCode !== null ? (
          last.output === '' ? (
            <span className={tableStyles.sub}>{keysText.clientExit(last.exitCode)}</span>
          ) : (
            <details className={tableStyles.sub}>
              <summary>{keysText.clientExit(last.exitCode)}</summary>
              <pre className={styles.planOutput}>
                <VisibleText text={last.output} />
              </pre>
            </details>
          )
        ) : null}
      </td>
      <td className={styles.planState}>
        <State tone={needsUser ? 'warn' : tone} icon={needsUser ? 'warn' : icon}>
          {word}
        </State>
        <span className={tableStyles.sub}>
          {reason !== null ? reasons[reason] : proof === null ? null : proof.how === 'audit' ? keysText.usedFrom(proof.ip ?? '') : proofs[proof.how]}
        </span>
      </td>
      <td className={tableStyles.actions}>
        <span>
          {reason === 'sign' ? (
            <Button size="xs" variant="primary" icon="pen" onClick={() => navigate(`keys/${encodeURIComponent(oldKey.id)}/replace`)}>
              {keysText.sign}
            </Button>
          ) : null}
          {may
            .filter((choice) => choice === 'skip' || needsUser)
            .map((choice) => (
              <Button
                key={choice}
                size="xs"
                busy={busy}
                aria-label={keysText.choiceFor(choices[choice], oldKey.label)}
                onClick={() => (choice === 'remake' ? setAsking(true) : onChoose(choice))}
              >
                {choices[choice]}
              </Button>
            ))}
        </span>
        {isAsking ? (
          <AnotherKey
            item={item}
            onClose={() => setAsking(false)}
            onAgree={() => {
              setAsking(false)
              onChoose('remake')
            }}
          />
        ) : null}
      </td>
    </tr>
  )
}

interface AnotherProps {
  readonly item: FleetItem
  readonly onClose: () => void
  readonly onAgree: () => void
}

/** Says what becomes of the present new key before the plan makes another one. */
function AnotherKey({ item: { oldKey, newKey, remakes }, onClose, onAgree }: AnotherProps) {
  return (
    <Sheet title={<VisibleText text={keysText.makeAnotherFor(oldKey.label)} />} icon="key" tone="warn" onClose={onClose} alert>
      <div className={overlayStyles.sheetBody}>
        <p>{keysText.makeAnotherEffect}</p>
        {newKey === null || remakes === null ? null : (
          <p>{remakes === 'keeps' ? keysText.presentIsKept(newKey.label) : keysText.presentIsRevoked(newKey.label)}</p>
        )}
      </div>
      <SheetFoot>
        <Button onClick={onClose} kbd={[keysText.esc]}>
          {keysText.cancel}
        </Button>
        <Button variant="primary" onClick={onAgree}>
          {keysText.makeAnotherKey}
        </Button>
      </SheetFoot>
    </Sheet>
  )
}

const choices: Readonly<Record<FleetChoice, string>> = {
  deliver: keysText.deliverAgain,
  confirm: keysText.botUsesIt,
  retry: keysText.tryAgain,
  remake: keysText.makeAnotherKey,
  skip: keysText.skipKey,
}

const proofs = { gateway: keysText.movedInGateway, user: keysText.usedByYourWord } as const

const states: Readonly<Record<FleetState, { readonly tone: StateTone; readonly icon: IconName; readonly word: string }>> = {
  waiting: { tone: 'off', icon: 'hourglass', word: keysText.planWaiting },
  making: { tone: 'busy', icon: 'key', word: keysText.planMaking },
  delivering: { tone: 'busy', icon: 'send', word: keysText.planDelivering },
  verifying: { tone: 'busy', icon: 'search', word: keysText.planVerifying },
  revoking: { tone: 'busy', icon: 'trash', word: keysText.planRevoking },
  done: { tone: 'ok', icon: 'check', word: keysText.planDone },
  stopped: { tone: 'warn', icon: 'stop', word: keysText.planStopped },
  skipped: { tone: 'off', icon: 'x', word: keysText.planSkipped },
  ended: { tone: 'off', icon: 'x', word: keysText.planEnded },
}

const reasons: Readonly<Record<FleetReason, string>> = {
  paused: keysText.waitsPaused,
  other_wallet: keysText.waitsOtherWallet,
  sign_in: keysText.waitsSignIn,
  locked: keysText.waitsLocked,
  turn: keysText.waitsTurn,
  sign: keysText.waitsSign,
  out_of_reach: keysText.waitsService,
  trouble: keysText.waitsTrouble,
  disk_full: keysText.waitsDisk,
  delivery_failed: keysText.deliveryFailed,
  delivery_missing: keysText.deliveryMissing,
  delivery_unknown: keysText.deliveryUnknown,
  not_used: keysText.notUsedYet,
  other_address: keysText.usedElsewhere,
  cannot_tell: keysText.cannotTellUse,
  gateway_unproven: keysText.gatewayUnproven,
  gateway_refused: keysText.gatewayRefused,
  not_in_keychain: keysText.notInKeychain,
  audit_unread: keysText.auditUnread,
  replacement_lost: keysText.replacementLost,
  abandoned: keysText.replacementAbandoned,
  no_room: statesText.stuckNoRoom,
  creation_unknown: statesText.keyLostHelp,
  creation_unnamed: statesText.stuckCreationDismissed,
  old_key_gone: statesText.stuckOldKeyRevoked,
  new_key_gone: statesText.stuckNewKeyEnded,
  new_key_dead: statesText.stuckNewKeyRefused,
  secret_lost: statesText.stuckSecretMissing,
}
