import { useCallback, useState } from 'react'
import type { KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import type { Replacement } from '../../../../shared/ipc/keys/replacements.ts'
import { second } from '../../../../shared/time.ts'
import { failureOf } from '../../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../../ipc/use-ipc.ts'
import { Button } from '../../../kit/button.tsx'
import { useNavigate } from '../../../kit/layout/navigation.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import overlayStyles from '../../../kit/overlay/overlay.module.css'
import { Sheet, SheetFoot } from '../../../kit/overlay/sheet.tsx'
import { useToast } from '../../../kit/overlay/toast.tsx'
import textStyles from '../../../kit/text.module.css'
import { useNow } from '../../../kit/time/time.tsx'
import { FailureNote } from '../../../parts/failure-note.tsx'
import { useSigning } from '../../../signing/sheet/use-signing.ts'
import { keysText } from '../../../text/en/keys.en.tsx'
import { AgentSheet } from '../agents/agent-sheet.tsx'
import { draftMessage, GrantSheet, newKeyGrant } from '../agents/grant-sheet.tsx'
import { KeyFacts } from '../key-facts.tsx'
import styles from './replace.module.css'
import { beginOf, dateInTime, emptyPlan, type PlanState, planOf, ReplaceFoot, ReplaceGets, ReplacePlan } from './replace-plan.tsx'
import { type Advance, ReplaceStep } from './replace-step.tsx'
import { PlannedTrack, ReplaceTrack } from './replace-track.tsx'
import { isOver, replacementOf } from './replacement-track.ts'

const lead = keysText.replaceLead

/** Shown before a replacement exists: the user makes the plan and sees what will happen. */
function Planning({
  entry,
  later,
  onStarted,
  onClose,
}: {
  readonly entry: KeySummary
  readonly later: boolean
  readonly onStarted: (made: Replacement) => void
  readonly onClose: () => void
}) {
  const list = useIpcQuery('keys.list', {})
  const start = useIpcCommand('replacements.start')
  const now = useNow(0)
  const [plan, setPlan] = useState<PlanState>(() => (later ? { ...emptyPlan, when: 'later', date: dateInTime(entry.expiresAtMs, now) } : emptyPlan))
  const begins = beginOf(plan)
  const days = plan.days === 'same' ? null : Number(plan.days)
  const label = plan.label.trim()
  const full = list.data !== undefined && list.data.active !== null && list.data.active >= list.data.limit
  const ready = plan.when === 'now' || begins !== null
  const press = () => {
    if (!ready) return
    start.mutate(
      { keyId: entry.id, label: label === '' ? null : label, expiresInDays: days, notBeforeMs: plan.when === 'now' ? null : begins },
      { onSuccess: onStarted },
    )
  }
  return (
    <Sheet title={keysText.replaceWithoutDowntime(entry.label)} lead={lead} icon="swap" onClose={onClose} className={styles.replaceSheet}>
      <div className={styles.replaceBody}>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            press()
          }}
        >
          <PlannedTrack agent={entry.agent !== null && entry.agent.granted !== false}>
            <KeyFacts entry={entry} />
            <ReplacePlan plan={plan} onChange={setPlan} oldLabel={entry.label} oldExpiresAtMs={entry.expiresAtMs} />
            {full ? (
              <Note tone="warn" title={keysText.keysActiveOf(list.data?.active, list.data?.limit)}>
                {keysText.mayRefuseAnother}
              </Note>
            ) : null}
            {start.error === null ? null : <FailureNote failure={failureOf(start.error)} />}
          </PlannedTrack>
          <button type="submit" hidden />
        </form>
        <ReplaceGets plan={planOf(entry, label === '' ? null : label, days)} newKey={null} />
      </div>
      <SheetFoot verdict={<span className={textStyles.muted}>{keysText.planningSendsNothing}</span>}>
        <Button onClick={onClose} kbd={[keysText.esc]}>
          {keysText.cancel}
        </Button>
        <Button variant="primary" icon={plan.when === 'now' ? 'swap' : 'calendar'} busy={start.isPending} disabled={!ready} onClick={press}>
          {plan.when === 'now' ? keysText.startReplacement : keysText.scheduleReplacement}
        </Button>
      </SheetFoot>
    </Sheet>
  )
}

interface RunningProps {
  readonly replacement: Replacement
  readonly entry: KeySummary
  /** The command that runs a step of the replacement. It belongs to the parent component, because the first step starts right after planning. */
  readonly advance: ReturnType<typeof useIpcCommand<'replacements.advance'>>
  readonly onClose: () => void
}

/** The steps of a replacement, from its plan to the end of the old key. The user runs each step here or on a linked page. */
function Running({ replacement, entry, advance, onClose }: RunningProps) {
  const toast = useToast()
  const list = useIpcQuery('keys.list', {}, { every: isOver(replacement) ? false : 10 * second })
  const drafts = useIpcQuery('keys.draft', {})
  const abandon = useIpcCommand('replacements.abandon')
  const create = useIpcCommand('keys.create')
  const [grantsAgent, setGrantsAgent] = useState(false)
  const { id, oldKey, newKey, now, plan } = replacement
  const { mutate } = advance
  // After the signing sheet closes, with or without a signature, run the step `check`, which reads the replacement again.
  const grant = useSigning(
    newKeyGrant,
    useCallback(() => mutate({ id, step: 'check', confirmLabel: null }), [id, mutate]),
  )
  const keyOf = (keyId: string | undefined) => list.data?.keys.find((key) => key.id === keyId) ?? null
  const fresh = keyOf(newKey?.id)
  const draft = drafts.data?.replacementId === id ? drafts.data : null
  const failure = advance.error ?? abandon.error ?? create.error
  const step = (name: Advance, confirmLabel: string | null = null) => {
    abandon.reset()
    create.reset()
    mutate(
      { id, step: name, confirmLabel },
      {
        onSuccess: (after) => {
          if (after.now.state === 'done')
            toast({
              tone: 'ok',
              title: keysText.keyRevoked(oldKey.label),
              text: keysText.replacedIt(after.newKey?.label ?? plan.label),
              action: null,
            })
        },
      },
    )
  }
  if (grant.open !== null) {
    return <GrantSheet grant={grant} message={draftMessage} after={keysText.keyCreatedAndStored} onPrepareAgain={() => step('begin')} />
  }
  if (grantsAgent && fresh !== null) {
    return (
      <AgentSheet
        entry={fresh}
        onClose={() => {
          setGrantsAgent(false)
          step('check')
        }}
      />
    )
  }
  const over = isOver(replacement)
  return (
    <Sheet
      title={now.state === 'done' ? keysText.keyReplaced(oldKey.label) : keysText.replaceWithoutDowntime(oldKey.label)}
      lead={now.state === 'done' ? keysText.tookItsPlace(newKey?.label ?? plan.label) : lead}
      icon={now.state === 'done' ? 'check' : 'swap'}
      onClose={onClose}
      className={styles.replaceSheet}
    >
      <div className={styles.replaceBody}>
        <ReplaceTrack replacement={replacement}>
          <ReplaceStep
            replacement={replacement}
            oldKey={keyOf(oldKey.id) ?? entry}
            newKey={fresh}
            draft={draft}
            busy={advance.isPending || create.isPending}
            onAdvance={step}
            onSign={grant.start}
            onSendAgain={(signed) => create.mutate({ draftId: signed.id, signature: '' }, { onSuccess: () => step('check') })}
            onGrantAgent={() => setGrantsAgent(true)}
          />
          {failure === null ? null : <FailureNote failure={failureOf(failure)} />}
        </ReplaceTrack>
        <ReplaceGets plan={plan} newKey={newKey} />
      </div>
      <ReplaceFoot
        replacement={replacement}
        busy={abandon.isPending}
        onClose={onClose}
        onAbandon={(kept) => abandon.mutate({ id, newKey: kept }, { onSuccess: onClose })}
        key={over ? 'over' : 'open'}
      />
    </Sheet>
  )
}

interface ReplaceProps {
  readonly entry: KeySummary
  /** True to preselect a later start day instead of “now” for a replacement that is not planned yet. */
  readonly later?: boolean
  readonly onClose: () => void
}

/** Replaces a key without downtime. The user plans the replacement and follows it step by step, even after a restart of the app. */
export function ReplaceSheet({ entry, later = false, onClose }: ReplaceProps) {
  const navigate = useNavigate()
  const all = useIpcQuery('replacements.list', {}, { every: 5 * second })
  const advance = useIpcCommand('replacements.advance')
  const shown = replacementOf(all.data ?? [], entry.id)
  const begin = (made: Replacement) => {
    // A replacement planned for now starts at once; a scheduled one waits for its day.
    if (made.notBeforeMs === null) advance.mutate({ id: made.id, step: 'begin', confirmLabel: null })
  }
  if (all.data === undefined && all.error === null) return null
  if (shown !== null) return <Running key={shown.id} replacement={shown} entry={entry} advance={advance} onClose={onClose} />
  if (entry.status === 'revoked' || all.error !== null) {
    return (
      <Sheet title={keysText.replaceNamed(entry.label)} icon="swap" onClose={onClose} className={overlayStyles.narrow}>
        <div className={overlayStyles.sheetBody}>
          {all.error !== null ? <FailureNote failure={failureOf(all.error)} /> : <p className={textStyles.secondary}>{keysText.revokedNothingToReplace}</p>}
        </div>
        <SheetFoot>
          <Button onClick={onClose} kbd={[keysText.esc]}>
            {keysText.close}
          </Button>
          <Button variant="primary" onClick={() => navigate('keys/new')}>
            {keysText.newKey}
          </Button>
        </SheetFoot>
      </Sheet>
    )
  }
  return <Planning entry={entry} later={later} onStarted={begin} onClose={onClose} />
}
