import { memo, useRef } from 'react'
import type { GapRow } from '../../../../shared/ipc/webhooks/gaps.ts'
import { titleText } from '../../../../shared/text/title-text.ts'
import { CopyButton } from '../../../kit/copy-button.tsx'
import { LongRows } from '../../../kit/layout/long-rows.tsx'
import { Link } from '../../../kit/layout/navigation.tsx'
import { State } from '../../../kit/layout/state.tsx'
import { HeadCell, Table, useRowWindow } from '../../../kit/layout/table.tsx'
import { Side } from '../../../kit/market-marks.tsx'
import { Amount, shorten, useAmountText } from '../../../kit/number.tsx'
import textStyles from '../../../kit/text.module.css'
import { Time, titleTime } from '../../../kit/time/time.tsx'
import { webhooksText } from '../../../text/en/webhooks.en.tsx'
import styles from './gap.module.css'
import { foundWords, resultLooks, whyWords } from './gap-side.tsx'

const columns = 5
const rowPx = 48

const sides: Readonly<Record<string, 'long' | 'short'>> = { long: 'long', buy: 'long', short: 'short', sell: 'short' }

function TakesBack({ id, type }: { readonly id: string; readonly type: string | null }) {
  return (
    <p className={styles.gapId}>
      <span className={styles.gapSub} {...(type === null ? { title: webhooksText.notCapturedByLab(id) } : {})}>
        {type === null
          ? webhooksText.revokesUncapturedShort
          : webhooksText.revokesEventShort(
              <Link to={`webhooks/lab/${encodeURIComponent(id)}`} className={textStyles.link} title={id}>
                {type}
              </Link>,
            )}
      </span>
    </p>
  )
}

function What({ row }: { readonly row: GapRow }) {
  const amount = useAmountText()
  const { title, symbol, side, size, unit, txHash, orderId, intentRef, takesBackId } = row
  const known = side === null ? undefined : sides[side.toLowerCase()]
  const named = txHash ?? orderId
  return (
    <>
      <p className={styles.gapOf}>
        {intentRef === null ? (
          <b>{symbol}</b>
        ) : (
          <Link to={`activity/${intentRef}`} className={textStyles.link} {...(title === null ? {} : { title: titleText(title, amount) })}>
            {symbol ?? (title === null ? webhooksText.intent : titleText(title, amount))}
          </Link>
        )}
        {known === undefined ? side : <Side side={known} />}
        {size === null ? null : <Amount value={size} {...(unit === null ? {} : { unit })} />}
      </p>
      {takesBackId !== null ? (
        <TakesBack id={takesBackId} type={row.takesBackType} />
      ) : named === null ? null : (
        <p className={styles.gapId}>
          <code title={named}>{shorten(named, 10, 8)}</code>
          <CopyButton text={named} what={txHash === null ? webhooksText.orderIdCopied : webhooksText.transactionHash} />
        </p>
      )}
    </>
  )
}

function Result({ row: { result, why, eventId, revokedId, dueMs } }: { readonly row: GapRow }) {
  const { tone, icon, word } = resultLooks[result]
  return (
    <>
      <p title={why === null ? undefined : whyWords[why].whole}>
        <State tone={tone} icon={icon}>
          {word}
        </State>
      </p>
      {eventId !== null ? (
        <p className={styles.gapId}>
          <Link to={`webhooks/lab/${encodeURIComponent(eventId)}`} className={textStyles.link} title={eventId}>
            <code>{shorten(eventId, 8, 8)}</code>
          </Link>
        </p>
      ) : why !== null ? (
        <p className={styles.gapSub}>{whyWords[why].short}</p>
      ) : revokedId !== null ? (
        <p className={styles.gapSub} title={webhooksText.arrivedThenRevoked(revokedId)}>
          {webhooksText.onlyRevokedOne}
        </p>
      ) : dueMs !== null ? (
        <p className={styles.gapSub}>{webhooksText.until(<Time ms={dueMs} form="clock" />)}</p>
      ) : null}
    </>
  )
}

const GapLine = memo(function GapLine({ row, index }: { readonly row: GapRow; readonly index: number }) {
  return (
    <tr aria-rowindex={index + 2} className={row.result === 'missing' ? styles.gapBad : undefined}>
      <td title={row.atMs === null ? webhooksText.onlyLatestTimeKnown : titleTime(row.atMs)}>
        {row.atMs === null ? (
          <span className={textStyles.muted}>{webhooksText.by(<Time ms={row.byMs} form="clock" />)}</span>
        ) : (
          <Time ms={row.atMs} form="clock" />
        )}
      </td>
      <td>
        {row.types.map((type, at) => (
          <p key={type}>{at === 0 ? <b>{type}</b> : webhooksText.orType(<b>{type}</b>)}</p>
        ))}
      </td>
      <td>
        <What row={row} />
      </td>
      <td className={row.by === 'count' ? textStyles.warn : textStyles.muted} title={row.by === 'count' ? webhooksText.foundByCountWhy : undefined}>
        {row.by === null ? '—' : foundWords[row.by]}
      </td>
      <td>
        <Result row={row} />
      </td>
    </tr>
  )
})

/** Every expected event, newest first, with its outcome. */
export function GapTable({ rows, old }: { readonly rows: readonly GapRow[]; readonly old: boolean }) {
  const box = useRef<HTMLDivElement>(null)
  const shown = useRowWindow(box, rows.length, rowPx)
  const rowAt = (index: number) => {
    const row = rows[index]
    return row === undefined ? null : <GapLine key={row.key} row={row} index={index} />
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={styles.gapScroll} ref={box} tabIndex={0} aria-label={webhooksText.expectedEvents}>
      <Table label={webhooksText.expectedEvents} className={styles.gapTable} rows={rows.length + 1} busy={old}>
        <thead>
          <tr>
            <HeadCell sort="descending">{webhooksText.time}</HeadCell>
            <HeadCell>{webhooksText.event}</HeadCell>
            <HeadCell>{webhooksText.subject}</HeadCell>
            <HeadCell>{webhooksText.foundBy}</HeadCell>
            <HeadCell>{webhooksText.result}</HeadCell>
          </tr>
        </thead>
        <LongRows window={shown} count={rows.length} columns={columns} row={rowAt} />
      </Table>
    </section>
  )
}
