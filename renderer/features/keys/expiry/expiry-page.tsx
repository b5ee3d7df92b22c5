import { useEffect, useMemo, useState } from 'react'
import type { ExpiryItem } from '../../../../shared/ipc/keys/expiry.ts'
import type { Replacement } from '../../../../shared/ipc/keys/replacements.ts'
import { expiryTitle } from '../../../../shared/text/expiry-text.ts'
import { minute } from '../../../../shared/time.ts'
import { failureOf } from '../../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../../ipc/use-ipc.ts'
import { Button, IconButton } from '../../../kit/button.tsx'
import { cx } from '../../../kit/cx.ts'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Link, useNavigate } from '../../../kit/layout/navigation.tsx'
import panelStyles from '../../../kit/layout/panel.module.css'
import { Panel } from '../../../kit/layout/panel.tsx'
import { Empty, Loading, Skeleton } from '../../../kit/layout/placeholders.tsx'
import { Segments } from '../../../kit/layout/tabs.tsx'
import { useToast } from '../../../kit/overlay/toast.tsx'
import textStyles from '../../../kit/text.module.css'
import { dayText, Time, useNow } from '../../../kit/time/time.tsx'
import { FailurePanel } from '../../../parts/failure-note.tsx'
import { keysText } from '../../../text/en/keys.en.tsx'
import styles from './expiry.module.css'
import { beginsAtMs, countItems, type ExpiryFilter, kindWords, openReplacement } from './expiry-axis.ts'
import { type ExpiryLane, ExpiryPicture } from './expiry-picture.tsx'
import { ExpiryTable, rowElementId } from './expiry-table.tsx'

const kinds = ['sign_in', 'key', 'grant'] as const

/** One timeline lane for each kind of item that the filter shows, and one for scheduled replacements. */
function lanesOf(items: readonly ExpiryItem[], replacements: readonly Replacement[], filter: ExpiryFilter, nowMs: number): readonly ExpiryLane[] {
  const ends = kinds
    .filter((kind) => filter === 'all' || filter === kind)
    .map((kind): ExpiryLane => {
      const points = items
        .filter((item) => item.kind === kind)
        .map((item) => ({ rowId: item.id, title: expiryTitle(item), atMs: item.endsAtMs, sure: item.sure }))
      return { id: kind, name: kindWords[kind].many, icon: kindWords[kind].icon, points }
    })
  const begins = items.flatMap((item) => {
    const { id, kind, keyId } = item
    const planned = kind === 'key' && keyId !== null ? openReplacement(replacements, keyId) : null
    const atMs = planned === null ? null : beginsAtMs(planned)
    return atMs === null ? [] : [{ rowId: id, title: keysText.replacementStarts(expiryTitle(item), dayText(atMs, nowMs)), atMs, sure: 'exact' as const }]
  })
  const shown = begins.length > 0 && (filter === 'all' || filter === 'key')
  return shown ? [...ends, { id: 'replacement', name: keysText.planned, icon: 'swap', points: begins }] : ends
}

const focusRow = (itemId: string): void => {
  const row = document.getElementById(rowElementId(itemId))
  row?.scrollIntoView({ block: 'center' })
  row?.focus({ preventScroll: true })
}

/** The page of everything that expires for this wallet: a timeline, and a table with what to do. */
export function ExpiryPage() {
  const navigate = useNavigate()
  const now = useNow(minute)
  const expiry = useIpcQuery('expiry.list', {}, { every: minute })
  const keys = useIpcQuery('keys.list', {}, { every: minute })
  const session = useIpcQuery('session.status', {})
  const replacements = useIpcQuery('replacements.list', {}, { every: minute })
  const [filter, setFilter] = useState<ExpiryFilter>('all')
  // The page is computed from the last key list and sign-in status. When either changes, read the page's data again.
  const { refetch } = expiry
  const said = `${keys.data?.readAtMs ?? ''}/${session.data?.expiresAtMs ?? ''}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads again when either changes
  useEffect(() => void refetch(), [refetch, said])

  const items = useMemo(() => expiry.data?.items ?? [], [expiry.data])
  const planned = useMemo(() => replacements.data ?? [], [replacements.data])
  const counts = countItems(items)
  const shown = items.filter(({ kind }) => filter === 'all' || filter === kind)
  const unread = keys.data === undefined && keys.error !== null ? failureOf(keys.error) : null
  // If reading the key list failed, the page shows the last data that the app has.
  const isStale = keys.error !== null || (keys.data !== undefined && keys.data.unread !== null)
  const signIn = unread?.kind === 'sign_in_required'
  const listedAtMs = expiry.data?.listedAtMs ?? null
  return (
    <div className={cx(panelStyles.page, styles.expiryPage)}>
      <div className={panelStyles.pageHead}>
        <span className={panelStyles.crumb}>
          <Link to="keys">{keysText.keys}</Link>
          <Icon name="chevron-right" />
          <h1>{keysText.expiryDates}</h1>
        </span>
        <div className={panelStyles.end}>
          <CalendarButton disabled={items.length === 0} />
        </div>
      </div>
      {expiry.data === undefined ? (
        expiry.error === null ? (
          <Loading label={keysText.readingExpiryDates}>
            <Panel padded>
              <Skeleton width="100%" height={200} />
            </Panel>
          </Loading>
        ) : (
          <Panel>
            <FailurePanel failure={failureOf(expiry.error)} onRetry={() => void refetch()} retrying={expiry.isFetching} />
          </Panel>
        )
      ) : items.length === 0 ? (
        <Panel>
          <Empty
            icon={unread?.kind === 'no_wallet' ? 'account' : 'calendar'}
            title={unread?.kind === 'no_wallet' ? keysText.connectToSeeExpiry : keysText.nothingExpires}
            actions={
              unread?.kind === 'no_wallet' ? (
                <Button variant="primary" icon="phone" onClick={() => navigate('connect')}>
                  {keysText.connectWallet}
                </Button>
              ) : signIn ? (
                <Button variant="primary" icon="user" onClick={() => navigate('sign-in')}>
                  {keysText.signIn}
                </Button>
              ) : (
                <Button icon="plus" onClick={() => navigate('keys/new')}>
                  {keysText.newKey}
                </Button>
              )
            }
          >
            {keysText.expiryIntro}
          </Empty>
        </Panel>
      ) : (
        <section className={cx(panelStyles.panel, styles.expiryPanel)} aria-label={keysText.expiryTimelineAndTable}>
          <div className={cx(panelStyles.panelHead, styles.expiryBar)}>
            <Segments
              label={keysText.show}
              choices={(['all', ...kinds] as const).map((value) => ({
                value,
                label: (
                  <>
                    {value === 'all' ? keysText.all : kindWords[value].many}
                    <span className={textStyles.muted}>{counts[value]}</span>
                  </>
                ),
              }))}
              value={filter}
              onChange={setFilter}
            />
            <span className={panelStyles.end}>
              <span className={unread === null && !isStale ? textStyles.muted : textStyles.warn}>
                {listedAtMs === null ? keysText.keysLastKnown : (isStale ? keysText.staleKeysRead : keysText.keysRead)(<Time ms={listedAtMs} />)}
              </span>
              {signIn ? (
                <Button size="xs" icon="user" onClick={() => navigate('sign-in')}>
                  {keysText.signInToRefresh}
                </Button>
              ) : (
                <IconButton icon="refresh" size="sm" label={keysText.refreshKeys} busy={keys.isFetching} onClick={() => void keys.refetch()} />
              )}
            </span>
          </div>
          {shown.length === 0 ? (
            <Empty icon="search" title={keysText.noneOfThisKind}>
              {keysText.nothingOfThisKindExpires}
            </Empty>
          ) : (
            <>
              <ExpiryPicture lanes={lanesOf(shown, planned, filter, now)} noticeDays={expiry.data.noticeDays} nowMs={now} onPick={focusRow} />
              <ExpiryTable items={shown} replacements={planned} nowMs={now} />
            </>
          )}
        </section>
      )}
    </div>
  )
}

function CalendarButton({ disabled }: { readonly disabled: boolean }) {
  const toast = useToast()
  const calendar = useIpcCommand('expiry.exportCalendar')
  const save = () =>
    calendar.mutate(
      {},
      {
        onSuccess: ({ state, path, events }) => {
          if (state === 'saved') toast({ tone: 'ok', title: keysText.savedToCalendar(events), text: path ?? '', action: null })
        },
        onError: () => toast({ tone: 'danger', title: keysText.calendarNotSaved, text: keysText.chooseAnotherFolder, action: null }),
      },
    )
  return (
    <Button icon="calendar" busy={calendar.isPending} disabled={disabled} onClick={save}>
      {keysText.saveCalendar}
    </Button>
  )
}
