import { useState } from 'react'
import type { Intent } from '../../../shared/ipc/intents/orders.ts'
import { titleText } from '../../../shared/text/title-text.ts'
import { failureOf } from '../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../ipc/use-ipc.ts'
import { Button } from '../../kit/button.tsx'
import { cx } from '../../kit/cx.ts'
import { Icon } from '../../kit/icons/icon.tsx'
import { Input } from '../../kit/input.tsx'
import { useNavigate } from '../../kit/layout/navigation.tsx'
import panelStyles from '../../kit/layout/panel.module.css'
import { Empty, SkeletonRows } from '../../kit/layout/placeholders.tsx'
import { IntentState } from '../../kit/layout/state.tsx'
import tableStyles from '../../kit/layout/table.module.css'
import { HeadCell, Table } from '../../kit/layout/table.tsx'
import { Coin } from '../../kit/market-marks.tsx'
import marksStyles from '../../kit/marks.module.css'
import { shorten, useAmountText } from '../../kit/number.tsx'
import textStyles from '../../kit/text.module.css'
import { Time } from '../../kit/time/time.tsx'
import { FailureNote, FailurePanel } from '../../parts/failure-note.tsx'
import { isTerminal } from '../../signing/progress/intent-path.ts'
import { activityText } from '../../text/en/activity.en.tsx'
import styles from './activity.module.css'
import { findIntents } from './intent-timeline.ts'

const pageSize = 50

function What({ intent }: { readonly intent: Intent }) {
  const title = titleText(intent.title, useAmountText())
  const [first = '', ...rest] = title.split(' ')
  const sided = intent.title.code === 'open'
  return (
    <span className={styles.listWhat}>
      {intent.symbol === null ? (
        <span className={styles.kindMark}>
          <Icon name="activity" size={12} />
        </span>
      ) : (
        <Coin base={intent.symbol.split('-')[0] ?? intent.symbol} />
      )}
      <span className={cx(textStyles.cut, textStyles.name)}>
        {sided ? (
          <>
            <span className={intent.side === 'long' ? textStyles.up : textStyles.down}>{first}</span> {rest.join(' ')}
          </>
        ) : (
          title
        )}
      </span>
    </span>
  )
}

function UnknownBanner({ unknown, onShow }: { readonly unknown: readonly Intent[]; readonly onShow: (ref: string) => void }) {
  const lookUp = useIpcCommand('intents.lookUp')
  const first = unknown[0]
  if (first === undefined) return null
  return (
    <>
      <div className={styles.listNeed} role="status">
        <Icon name="unknown" />
        <p>
          <b>{activityText.resultUnknown(unknown.length)}</b> {activityText.checkingResult}
        </p>
        <span className={textStyles.actions}>
          <Button size="xs" icon="search" busy={lookUp.isPending} onClick={() => lookUp.mutate({ ref: first.ref })}>
            {activityText.checkAgain}
          </Button>
          <Button size="xs" onClick={() => onShow(first.ref)}>
            {activityText.showOrder}
          </Button>
        </span>
      </div>
      {lookUp.error === null ? null : <FailureNote failure={failureOf(lookUp.error)} />}
    </>
  )
}

/** The list of every intent of this wallet, newest first. */
export function IntentList({ selected }: { readonly selected: string | null }) {
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [beforeMs, setBeforeMs] = useState<number | null>(null)
  const list = useIpcQuery('intents.list', { beforeMs, limit: pageSize }, { keepPrevious: true })
  const intents = list.data?.intents ?? []
  const found = findIntents(intents, typed)
  const unknown = intents.filter((intent) => intent.state === 'UNKNOWN')
  const open = (ref: string) => navigate(`activity/${ref}`)
  const older = intents.length === pageSize ? (intents.at(-1)?.createdAtMs ?? null) : null
  return (
    <section className={cx(panelStyles.panel, styles.listList)} aria-label={activityText.orders}>
      <div className={cx(panelStyles.panelHead, panelStyles.ruled, styles.listBar)}>
        <Input
          id="intent-filter"
          icon="search"
          value={typed}
          onChange={setTyped}
          placeholder={activityText.orderPlaceholder}
          aria-label={activityText.filterOrders}
        />
        <span className={cx(panelStyles.end, textStyles.muted)}>{activityText.inProgress(intents.filter((intent) => !isTerminal(intent.state)).length)}</span>
      </div>
      <UnknownBanner unknown={unknown} onShow={open} />
      {list.data === undefined && list.error !== null ? (
        <FailurePanel failure={failureOf(list.error)} onRetry={() => void list.refetch()} retrying={list.isFetching} />
      ) : list.data !== undefined && intents.length === 0 ? (
        <Empty
          icon="activity"
          title={activityText.noOrders}
          actions={
            <Button icon="trade" onClick={() => navigate('trade')}>
              {activityText.goToTrade}
            </Button>
          }
        >
          {activityText.noOrdersHelp}
        </Empty>
      ) : list.data !== undefined && found.length === 0 ? (
        <Empty icon="search" title={activityText.noMatchingOrder}>
          {activityText.changeSearch}
        </Empty>
      ) : (
        <div className={styles.listScroll}>
          <Table label={activityText.orders} dense busy={list.data === undefined || list.isPlaceholderData}>
            <thead>
              <tr>
                <HeadCell>{activityText.time}</HeadCell>
                <HeadCell>{activityText.order}</HeadCell>
                <HeadCell>{activityText.state}</HeadCell>
                <HeadCell numeric>{activityText.intentId}</HeadCell>
              </tr>
            </thead>
            {list.data === undefined ? (
              <SkeletonRows rows={12} columns={4} numeric={[3]} />
            ) : (
              <tbody>
                {found.map((intent) => (
                  <tr key={intent.ref} className={intent.ref === selected ? tableStyles.isOn : undefined} onClick={() => open(intent.ref)}>
                    <td className={textStyles.muted}>
                      <Time ms={intent.createdAtMs} form="clock" />
                    </td>
                    <td>
                      <button type="button" className={styles.listOpen} aria-current={intent.ref === selected || undefined} onClick={() => open(intent.ref)}>
                        <What intent={intent} />
                      </button>
                    </td>
                    <td>
                      <IntentState intent={intent} />
                      {intent.unsentSignature ? (
                        <span className={cx(marksStyles.chip, marksStyles.warn, styles.listUnsent)}>{activityText.notSent}</span>
                      ) : null}
                    </td>
                    <td className={textStyles.right}>
                      {intent.intentId === null ? (
                        <span className={textStyles.muted}>{activityText.local}</span>
                      ) : (
                        <code className={textStyles.muted}>{shorten(intent.intentId, 7, 3)}</code>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            )}
          </Table>
        </div>
      )}
      <div className={cx(panelStyles.panelFoot, styles.listFoot)}>
        {list.data === undefined ? '' : activityText.ordersShown(found.length, list.data.total)}
        <span className={textStyles.actions}>
          {beforeMs === null ? null : (
            <Button size="xs" variant="ghost" onClick={() => setBeforeMs(null)}>
              {activityText.newest}
            </Button>
          )}
          {older === null ? null : (
            <Button size="xs" variant="ghost" onClick={() => setBeforeMs(older)}>
              {activityText.older}
            </Button>
          )}
        </span>
      </div>
    </section>
  )
}
