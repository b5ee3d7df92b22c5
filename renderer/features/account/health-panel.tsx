import { useState } from 'react'
import { compare, maximum, minimum, percentOf } from '../../../shared/decimal.ts'
import type { AccountSummary, Position, RiskThresholds } from '../../../shared/ipc/reads/account.ts'
import { liquidationDistance } from '../../../shared/positions.ts'
import { inputIssueText } from '../../../shared/text/input-issue-text.ts'
import { failureOf } from '../../ipc/call-failure.ts'
import { useIpcCommand } from '../../ipc/use-ipc.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { Chip } from '../../kit/chip.tsx'
import { cx } from '../../kit/cx.ts'
import { Field, Input } from '../../kit/input.tsx'
import { Note } from '../../kit/layout/note.tsx'
import panelStyles from '../../kit/layout/panel.module.css'
import { Skeleton } from '../../kit/layout/placeholders.tsx'
import { MarketName, Side } from '../../kit/market-marks.tsx'
import { Amount, mostHealth, Percent } from '../../kit/number.tsx'
import overlayStyles from '../../kit/overlay/overlay.module.css'
import { Sheet, SheetFoot } from '../../kit/overlay/sheet.tsx'
import { useToast } from '../../kit/overlay/toast.tsx'
import textStyles from '../../kit/text.module.css'
import { FailureNote } from '../../parts/failure-note.tsx'
import { accountText } from '../../text/en/account.en.tsx'
import styles from './account.module.css'

/** Three values of the health factor: at `liquidation`, positions are liquidated; below `care`, the app warns; at `end`, the gauge is full. */
const marks = { liquidation: '1', care: '2', end: '6' } as const
const nearest = 4
/** A position's bar is full if its distance to liquidation is at least this many percent. */
const farAway = '40'

const healthState = (health: string): { readonly tone: 'ok' | 'warn' | 'danger'; readonly text: string } =>
  compare(health, marks.care) >= 0
    ? { tone: 'ok', text: accountText.farFromLiquidation }
    : compare(health, marks.liquidation) > 0
      ? { tone: 'warn', text: accountText.needsCare }
      : { tone: 'danger', text: accountText.beingLiquidated }

const share = (value: string, whole: string): string => percentOf(minimum(maximum(value, '0'), whole), whole, 2) ?? '0'

function Gauge({ health, threshold }: { readonly health: string | null; readonly threshold: string | null }) {
  return (
    <>
      <div className={styles.healthScale} role="img" aria-label={health === null ? accountText.healthUnknown : accountText.healthFactorIs(health)}>
        <i className={cx(styles.zone, styles.liquidation)} />
        <i className={cx(styles.zone, styles.caution)} />
        <i className={cx(styles.zone, styles.fine)} />
        {threshold === null ? null : (
          <i className={styles.threshold} style={{ left: `${share(threshold, marks.end)}%` }} title={accountText.yourAlert(threshold)} />
        )}
        {health === null ? null : <i className={styles.marker} style={{ left: `${share(health, marks.end)}%` }} />}
      </div>
      <div className={styles.healthLabels} aria-hidden="true">
        <span className={styles.at1}>1</span>
        <span className={styles.at2}>2</span>
        <span className={styles.atEnd}>6</span>
      </div>
    </>
  )
}

interface HealthPanelProps {
  readonly summary: AccountSummary | undefined
  readonly positions: readonly Position[] | undefined
  readonly alerts: RiskThresholds | undefined
  readonly onAlerts: () => void
}

/** How far the account is from liquidation: by its health factor, its used margin, and the positions nearest to liquidation. */
export function HealthPanel({ summary, positions, alerts, onAlerts }: HealthPanelProps) {
  const health = summary?.healthFactor ?? null
  const state = health === null ? null : healthState(health)
  const near = (positions ?? [])
    .flatMap((position) => {
      const distance = liquidationDistance(position.markPrice, position.liquidationPrice)
      return distance === null ? [] : [{ position, distance }]
    })
    .sort((a, b) => compare(a.distance, b.distance))
  const open = positions?.length ?? 0
  return (
    <section className={cx(panelStyles.panel, styles.healthPanel)} aria-labelledby="ac-health">
      <div className={styles.equityHead}>
        <div>
          <h2 id="ac-health">{accountText.healthFactor}</h2>
          <p className={styles.big}>
            {summary === undefined ? (
              <Skeleton width={80} height={24} />
            ) : (
              <Amount isShown value={health} decimals={2} most={mostHealth} missing={accountText.healthNotReported} />
            )}
            {state === null ? null : (
              <Chip tone={state.tone} icon={state.tone === 'ok' ? 'check' : 'warn'}>
                {state.text}
              </Chip>
            )}
          </p>
        </div>
        <IconButton
          icon="bell"
          size="sm"
          label={alerts !== undefined && (alerts.healthBelow !== null || alerts.distanceBelow !== null) ? accountText.changeAlerts : accountText.setAlerts}
          onClick={onAlerts}
        />
      </div>
      <Gauge health={health} threshold={alerts?.healthBelow ?? null} />
      <div className={styles.margin}>
        <p>
          <span className={textStyles.secondary}>{accountText.marginUsed}</span>
          <b>
            <Percent value={summary?.marginUsedPercent ?? null} decimals={1} />
          </b>
        </p>
        <div className={styles.marginBar} aria-hidden="true">
          {summary?.marginUsedPercent == null ? null : <i style={{ width: `${share(summary.marginUsedPercent, '100')}%` }} />}
        </div>
        <p className={textStyles.muted}>
          <span>
            {summary?.liquidationState == null
              ? accountText.openPositions(open)
              : accountText.positionsAndState(accountText.openPositions(open), <span translate="no">{summary.liquidationState}</span>)}
          </span>
          <span>{accountText.freeAmount(<Amount value={summary?.freeMargin ?? null} decimals={2} />)}</span>
        </p>
      </div>
      <h3>{accountText.distanceToLiquidation}</h3>
      {near.length === 0 ? (
        <p className={cx(textStyles.muted, styles.none)}>
          {positions === undefined ? <Skeleton width={160} /> : open === 0 ? accountText.noPositions : accountText.liquidationUnknown}
        </p>
      ) : (
        <ul className={styles.distances}>
          {near.slice(0, nearest).map(({ position, distance }) => (
            <li key={position.id ?? `${position.pairId}/${position.side}`}>
              <MarketName symbol={position.symbol ?? accountText.marketNumber(position.pairId)} />
              <Side side={position.side} />
              <span className={styles.meterTrack} aria-hidden="true">
                <i
                  className={compare(distance, alerts?.distanceBelow ?? '10') < 0 ? styles.isNear : undefined}
                  style={{ width: `${share(distance, farAway)}%` }}
                />
              </span>
              <b>
                <Percent value={distance} decimals={1} />
              </b>
            </li>
          ))}
          {near.length > nearest ? <li className={textStyles.muted}>{accountText.andFurtherAway(near.length - nearest)}</li> : null}
        </ul>
      )}
    </section>
  )
}

const given = (text: string): string | null => (text.trim() === '' ? null : text.trim())

/** Sets the thresholds for liquidation alerts. */
export function AlertsSheet({ watch, alerts, onClose }: { readonly watch: string | null; readonly alerts: RiskThresholds; readonly onClose: () => void }) {
  const toast = useToast()
  const none = alerts.healthBelow === null && alerts.distanceBelow === null
  const [health, setHealth] = useState(alerts.healthBelow ?? (none ? '1.5' : ''))
  const [distance, setDistance] = useState(alerts.distanceBelow ?? (none ? '10' : ''))
  const save = useIpcCommand('account.saveAlerts')
  const failure = save.error === null ? null : failureOf(save.error)
  const issue = (field: string) => (failure?.kind === 'bad_input' && failure.field === field ? inputIssueText(failure.issue) : undefined)
  const put = (healthBelow: string | null, distanceBelow: string | null) =>
    save.mutate(
      { watch, healthBelow, distanceBelow },
      {
        onSuccess: (saved) => {
          const off = saved.healthBelow === null && saved.distanceBelow === null
          toast({
            tone: 'ok',
            title: off ? accountText.alertsAreOff : accountText.alertsAreOn,
            text: off ? '' : accountText.alertsOnHelp,
            action: null,
          })
          onClose()
        },
      },
    )
  return (
    <Sheet title={accountText.accountAlerts} lead={accountText.alertsLead} icon="bell" onClose={onClose} className={overlayStyles.narrow}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          put(given(health), given(distance))
        }}
      >
        <div className={overlayStyles.sheetBody}>
          <Field id="alert-health" label={accountText.healthFactorBelow} help={accountText.healthBelowHelp} error={issue('healthBelow')}>
            <Input id="alert-health" numeric value={health} onChange={setHealth} maxLength={20} invalid={issue('healthBelow') !== undefined} />
          </Field>
          <Field id="alert-distance" label={accountText.distanceBelow} help={accountText.distanceBelowHelp} error={issue('distanceBelow')}>
            <Input id="alert-distance" numeric value={distance} onChange={setDistance} unit="%" maxLength={20} invalid={issue('distanceBelow') !== undefined} />
          </Field>
          <Note icon="info">{accountText.alertsHelp}</Note>
          {failure === null || failure.kind === 'bad_input' ? null : <FailureNote failure={failure} />}
        </div>
        <SheetFoot
          verdict={
            none ? undefined : (
              <Button variant="ghost" onClick={() => put(null, null)}>
                {accountText.turnOff}
              </Button>
            )
          }
        >
          <Button onClick={onClose}>{accountText.cancel}</Button>
          <Button variant="primary" type="submit" busy={save.isPending}>
            {accountText.save}
          </Button>
        </SheetFoot>
      </form>
    </Sheet>
  )
}
