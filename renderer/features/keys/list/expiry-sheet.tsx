import { useState } from 'react'
import type { KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import { day, minute } from '../../../../shared/time.ts'
import { failureOf } from '../../../ipc/desk-failure.ts'
import { useDeskCommand } from '../../../ipc/use-desk.ts'
import { Button } from '../../../kit/button.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import { Row, Rows } from '../../../kit/layout/panel.tsx'
import { Segments } from '../../../kit/layout/segments.tsx'
import { Sheet, SheetFoot } from '../../../kit/overlay/sheet.tsx'
import { useToast } from '../../../kit/overlay/toast.tsx'
import { useNow } from '../../../kit/time/now.tsx'
import { Time } from '../../../kit/time/time.tsx'
import { FailureNote } from '../../../parts/failure-note.tsx'
import { useNaming } from '../../../parts/use-naming.ts'

/** The spans that the service takes, counted from now. */
const spans = { '30': 30, '90': 90, '360': 360, '2000': 2000 } as const
type Span = keyof typeof spans

/** A new end for a key: one of four spans from now, which may also be earlier than the present end. */
export function ExpirySheet({ entry, onClose }: { readonly entry: KeySummary; readonly onClose: () => void }) {
  const toast = useToast()
  const set = useDeskCommand('keys.setExpiry')
  const now = useNow(minute)
  const [span, setSpan] = useState<Span>('90')
  const next = now + spans[span] * day
  const sooner = entry.expiresAtMs !== null && next < entry.expiresAtMs
  const save = () =>
    set.mutate(
      { keyId: entry.id, days: spans[span] },
      {
        onSuccess: () => {
          toast({ tone: 'ok', title: `${entry.label} has a new end`, text: `It ends ${spans[span]} days from now.`, action: null })
          onClose()
        },
      },
    )
  const naming = useNaming(save)
  return (
    <Sheet title={`When ${entry.label} ends`} lead="Counted from now. The secret stays the same." icon="clock" onClose={onClose} className="narrow">
      <div className="sheet-body">
        <Segments
          label="New validity"
          size="md"
          choices={(Object.keys(spans) as Span[]).map((days) => ({ value: days, label: `${days} days` }))}
          value={span}
          onChange={setSpan}
        />
        <Rows ruled>
          <Row name="Ends now">
            <Time ms={entry.expiresAtMs} form="day" />
          </Row>
          <Row name="Ends then">
            <b>
              <Time ms={next} form="day" />
            </b>
          </Row>
        </Rows>
        {sooner ? (
          <Note tone="warn" title="That is earlier than now.">
            Bots with this key stop then.
          </Note>
        ) : spans[span] > 360 ? (
          <Note tone="warn" title="A long life.">
            A secret that leaks stays good until then. A shorter span with a reminder costs little.
          </Note>
        ) : null}
        {set.error === null ? null : <FailureNote failure={failureOf(set.error)} naming={naming} />}
      </div>
      <SheetFoot>
        <Button onClick={onClose} kbd={['Esc']}>
          Cancel
        </Button>
        <Button variant="primary" busy={set.isPending} onClick={save}>
          Set the new end
        </Button>
      </SheetFoot>
    </Sheet>
  )
}
