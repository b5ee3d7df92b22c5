import { useState } from 'react'
import { second } from '../../../shared/time.ts'
import { failureOf } from '../../ipc/desk-failure.ts'
import { useDeskQuery } from '../../ipc/use-desk.ts'
import { Button } from '../../kit/button.tsx'
import { Field } from '../../kit/field.tsx'
import { Input } from '../../kit/input.tsx'
import { Empty } from '../../kit/layout/empty.tsx'
import { useNavigate } from '../../kit/layout/navigation.tsx'
import { Loading } from '../../kit/layout/skeleton.tsx'
import overlayStyles from '../../kit/overlay/overlay.module.css'
import { Sheet, SheetFoot } from '../../kit/overlay/sheet.tsx'
import { VisibleText } from '../../kit/visible-text.tsx'
import { wantsKey } from '../../parts/account-source.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import partsStyles from '../../parts/parts.module.css'
import styles from './account.module.css'
import { RowFacts, rowLead } from './row-sheet.tsx'

/** As long as a client order id may be (`open_position` payload). */
const longest = 96

/** Asks the exchange for the order of a client order id, and follows what it says while it is looked at. */
export function FindOrderSheet({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [asked, setAsked] = useState<string | null>(null)
  const read = useDeskQuery('account.findOrder', { clientOrderId: asked ?? '' }, { enabled: asked !== null, every: 5 * second })
  const failure = asked === null || read.error === null ? null : failureOf(read.error)
  const found = asked === null ? undefined : read.data?.found
  const wanted = typed.trim()
  return (
    <Sheet
      title="Find by client order id"
      lead="The exchange knows each order that was prepared to open a position by the id that its maker gave it."
      icon="search"
      onClose={onClose}
      className={styles.rowSheet}
    >
      <div className={overlayStyles.sheetBody}>
        <form
          className={styles.findOrderAsk}
          onSubmit={(event) => {
            event.preventDefault()
            if (wanted === '') return
            if (wanted === asked) void read.refetch()
            else setAsked(wanted)
          }}
        >
          <Field id="find-order" label="Client order id">
            <Input id="find-order" mono icon="search" value={typed} onChange={setTyped} maxLength={longest} autoFocus />
          </Field>
          <Button type="submit" variant="primary" busy={read.isFetching && found === undefined} disabled={wanted === ''}>
            Find
          </Button>
        </form>
        <div aria-live="polite">
          {failure !== null ? (
            <FailureNote
              failure={failure}
              onRetry={() => void read.refetch()}
              retrying={read.isFetching}
              actions={
                wantsKey(failure) ? (
                  <Button size="xs" icon="plus" onClick={() => navigate('keys/new')}>
                    New key
                  </Button>
                ) : undefined
              }
            />
          ) : asked === null ? null : found === undefined ? (
            <Loading label="Asking the exchange">
              <div className={partsStyles.readWait} />
            </Loading>
          ) : found === null ? (
            <Empty icon="search" title="The exchange knows no such order">
              None that this wallet prepared to open a position has the id <VisibleText text={asked} />.
            </Empty>
          ) : (
            <section aria-label="The order that was found">
              <h3>
                <VisibleText text={rowLead(found)} />
              </h3>
              <RowFacts row={found} watched={false} />
            </section>
          )}
        </div>
      </div>
      <SheetFoot verdict={found === undefined || found === null || found.intentRef !== null ? undefined : 'Not asked for by this app, or it cannot tell.'}>
        <Button onClick={onClose}>Close</Button>
        {found === undefined || found === null || found.intentRef === null ? null : (
          <Button variant="primary" icon="activity" onClick={() => navigate(`activity/${found.intentRef}`)}>
            Open its intent
          </Button>
        )}
      </SheetFoot>
    </Sheet>
  )
}
