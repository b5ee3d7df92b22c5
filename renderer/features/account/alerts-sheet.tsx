import { useState } from 'react'
import type { RiskThresholds } from '../../../shared/ipc/reads/risk-alerts.ts'
import { inputIssueText } from '../../../shared/text/input-issue-text.ts'
import { failureOf } from '../../ipc/desk-failure.ts'
import { useDeskCommand } from '../../ipc/use-desk.ts'
import { Button } from '../../kit/button.tsx'
import { Field } from '../../kit/field.tsx'
import { Input } from '../../kit/input.tsx'
import { Note } from '../../kit/layout/note.tsx'
import overlayStyles from '../../kit/overlay/overlay.module.css'
import { Sheet, SheetFoot } from '../../kit/overlay/sheet.tsx'
import { useToast } from '../../kit/overlay/toast.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'

const given = (text: string): string | null => (text.trim() === '' ? null : text.trim())

/** When to be told that the account comes close to liquidation. */
export function AlertsSheet({ watch, alerts, onClose }: { readonly watch: string | null; readonly alerts: RiskThresholds; readonly onClose: () => void }) {
  const toast = useToast()
  const none = alerts.healthBelow === null && alerts.distanceBelow === null
  const [health, setHealth] = useState(alerts.healthBelow ?? (none ? '1.5' : ''))
  const [distance, setDistance] = useState(alerts.distanceBelow ?? (none ? '10' : ''))
  const save = useDeskCommand('account.saveAlerts')
  const failure = save.error === null ? null : failureOf(save.error)
  const issue = (field: string) => (failure?.kind === 'bad_input' && failure.field === field ? inputIssueText(failure.issue) : undefined)
  const put = (healthBelow: string | null, distanceBelow: string | null) =>
    save.mutate(
      { watch, healthBelow, distanceBelow },
      {
        onSuccess: (saved) => {
          const off = saved.healthBelow === null && saved.distanceBelow === null
          toast({ tone: 'ok', title: off ? 'Alerts are off' : 'Alerts are on', text: off ? '' : 'While this app runs, open or not.', action: null })
          onClose()
        },
      },
    )
  return (
    <Sheet
      title="Alerts of this account"
      lead="The service never warns of a liquidation. This app can, while it runs."
      icon="bell"
      onClose={onClose}
      className={overlayStyles.narrow}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          put(given(health), given(distance))
        }}
      >
        <div className={overlayStyles.sheetBody}>
          <Field id="alert-health" label="Health factor below" help="Positions are liquidated at 1. Empty: not watched." error={issue('healthBelow')}>
            <Input id="alert-health" numeric value={health} onChange={setHealth} maxLength={20} invalid={issue('healthBelow') !== undefined} />
          </Field>
          <Field
            id="alert-distance"
            label="A position nearer to its liquidation than"
            help="Of its mark price. Empty: not watched."
            error={issue('distanceBelow')}
          >
            <Input id="alert-distance" numeric value={distance} onChange={setDistance} unit="%" maxLength={20} invalid={issue('distanceBelow') !== undefined} />
          </Field>
          <Note icon="info">
            Told once for each crossing, here and by the system, and again only after it got a tenth better than your threshold. Read every 30 seconds.
          </Note>
          {failure === null || failure.kind === 'bad_input' ? null : <FailureNote failure={failure} />}
        </div>
        <SheetFoot
          verdict={
            none ? undefined : (
              <Button variant="ghost" onClick={() => put(null, null)}>
                Turn off
              </Button>
            )
          }
        >
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" busy={save.isPending}>
            Save
          </Button>
        </SheetFoot>
      </form>
    </Sheet>
  )
}
