import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import { compare, multiply, signOf } from '../../../shared/decimal.ts'
import { namedPreview, sentByPreview } from '../../../shared/field-map/sent-names.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Notice } from '../../../shared/ipc/host/notices.ts'
import type { OrderTicket } from '../../../shared/ipc/intents/tickets.ts'
import type { AccountSummary, Position, RiskPreview, RiskThresholds, riskAlerts } from '../../../shared/ipc/reads/account.ts'
import { liquidationDistance } from '../../../shared/positions.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { explainReason } from '../../../shared/text/reason-text.ts'
import { preparedBody } from '../../../shared/ticket/actions/action-payload.ts'
import { checkAction, pairOf } from '../../../shared/ticket/actions/check-action.ts'
import { numberIssue, typedDecimal } from '../../../shared/ticket/typed-number.ts'
import type { Emit } from '../../kernel/events.ts'
import type { Handlers } from '../../kernel/handlers.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { Credentials } from '../../service/credentials/credentials.ts'
import type { FieldMapService } from '../../service/field-names/field-map.ts'
import { taught } from '../../service/field-names/named-call.ts'
import type { ApiClient } from '../../service/transport/api-client.ts'
import type { Records } from '../../store/records/registry.ts'
import type { WalletReport } from '../../wallet/connection/wallet.ts'
import type { AccountReader, Subject } from '../history/account-reader.ts'
import type { Markets } from '../markets/markets.ts'

const off: RiskThresholds = { healthBelow: null, distanceBelow: null }

/** After an alert, the value must rise to this multiple of its threshold before the app can alert again. */
const rearmedAbove = '1.1'

interface Measured {
  readonly name: string
  readonly value: string
  readonly threshold: string
  readonly notice: Notice
}

export interface RiskAlertsDeps {
  readonly profile: ProfileFacts
  readonly records: Records
  readonly reader: Pick<AccountReader, 'subject'>
  readonly emit: Emit
}

/**
 * Alerts the user when an account comes close to liquidation, because the service itself sends no such alert. Each crossing of one of the user's
 * thresholds causes one alert. Stores an alert before showing it, so that a restart does not repeat it.
 */
export function createRiskAlerts({ profile, records, reader, emit }: RiskAlertsDeps) {
  const { riskThresholds, riskAlerts: kept } = records
  const keyOf = ({ wallet, watchedAs }: Subject) => ({ profile: profile.id, whose: watchedAs === null ? 'own' : 'watched', wallet })
  const thresholds = (subject: Subject): RiskThresholds => riskThresholds.read(keyOf(subject)) ?? off

  /**
   * Compares measured values with the user's thresholds, and notifies the user of each threshold that was newly crossed.
   * `of` returns true for the values that this read covers; alerts for other values stay unchanged. A position that closes and opens again can cause
   * another alert.
   */
  const judge = (subject: Subject, measured: readonly Measured[], of: (name: string) => boolean): void => {
    const notified = kept.read(keyOf(subject)) ?? []
    const crossed = measured.filter(({ name, value, threshold }) => !notified.includes(name) && compare(value, threshold) < 0)
    const still = measured.filter(({ name, value, threshold }) => notified.includes(name) && compare(value, multiply(threshold, rearmedAbove)) < 0)
    const next = [...notified.filter((name) => !of(name)), ...still.map(({ name }) => name), ...crossed.map(({ name }) => name)].toSorted()
    if (JSON.stringify(next) !== JSON.stringify(notified)) kept.write(keyOf(subject), next)
    const to = subject.watchedAs === null ? '/account' : `/account?watch=${subject.wallet}`
    for (const { notice } of crossed) emit({ type: 'notice', severity: 'danger', notice, to, system: true })
  }

  const handlers: Handlers<keyof typeof riskAlerts> = {
    'account.alerts': ({ watch }) => {
      const subject = reader.subject(watch)
      return subject.ok ? ok(thresholds(subject.value)) : subject
    },
    'account.saveAlerts': ({ watch, healthBelow, distanceBelow }) => {
      const subject = reader.subject(watch)
      if (!subject.ok) return subject
      const read = {
        healthBelow: healthBelow === null ? null : typedDecimal(healthBelow),
        distanceBelow: distanceBelow === null ? null : typedDecimal(distanceBelow),
      }
      const typed = { healthBelow, distanceBelow }
      for (const field of ['healthBelow', 'distanceBelow'] as const) {
        const [value, text] = [read[field], typed[field]]
        if (text === null || (value !== null && signOf(value) > 0)) continue
        return fail({ kind: 'bad_input', field, issue: value === null ? numberIssue(text, ['aboveZero']) : ['aboveZero'] })
      }
      riskThresholds.write(keyOf(subject.value), read)
      // The user changed the thresholds. Forget past alerts, so that a value that is already below a new threshold causes an alert.
      kept.delete(keyOf(subject.value))
      return ok(read)
    },
  }

  return {
    handlers,
    /** True if the user has set an alert threshold for this account. */
    watches: (subject: Subject): boolean => {
      const { healthBelow, distanceBelow } = thresholds(subject)
      return healthBelow !== null || distanceBelow !== null
    },
    look: (subject: Subject, { summary, positions }: { readonly summary?: AccountSummary; readonly positions?: readonly Position[] }): void => {
      const { healthBelow, distanceBelow } = thresholds(subject)
      const account = subject.watchedAs
      if (summary?.healthFactor != null && healthBelow !== null) {
        const value = summary.healthFactor
        const notice = { code: 'low_health', account, value, threshold: healthBelow } as const
        judge(subject, [{ name: 'health', value, threshold: healthBelow, notice }], (name) => name === 'health')
      }
      if (positions !== undefined && distanceBelow !== null)
        judge(
          subject,
          positions.flatMap((position): Measured[] => {
            const value = liquidationDistance(position.markPrice, position.liquidationPrice)
            if (value === null) return []
            const { symbol, pairId, side, markPrice, liquidationPrice } = position
            const prices = { distance: value, mark: markPrice ?? '0', liquidation: liquidationPrice ?? '0', threshold: distanceBelow }
            const notice = { code: 'near_liquidation', account, position: { symbol, pairId, side }, ...prices } as const
            return [{ name: `${pairId}/${side}`, value, threshold: distanceBelow, notice }]
          }),
          (name) => name !== 'health',
        )
    },
  }
}

interface RiskPreviewDeps {
  readonly api: ApiClient
  readonly credentials: Pick<Credentials, 'forScope'>
  readonly wallet: WalletReport
  readonly markets: Pick<Markets, 'market'>
  readonly fieldMap: Pick<FieldMapService, 'names'>
}

/**
 * Reads the effect that an order would have on the connected wallet's account. Uses a key of that wallet, because the service has no public route for
 * risk previews (Authentication 3). Fails with `wrong_wallet` if the user switched wallets before the answer arrived.
 */
export function createRiskPreview({ api, credentials, wallet, markets, fieldMap }: RiskPreviewDeps): {
  readonly handlers: Handlers<'account.riskPreview'>
} {
  const preview = async (ticket: OrderTicket): Promise<Result<RiskPreview, Failure>> => {
    const pairId = pairOf(ticket)
    const market = pairId === null ? ok(null) : await markets.market(pairId)
    if (!market.ok) return market
    const [issue] = checkAction(ticket, { market: market.value, mark: null, permitOffered: null })
    if (issue !== undefined) return fail({ kind: 'bad_input', field: issue.field, issue: issue.issue })
    const { action, payload } = preparedBody(ticket, '')
    // Leave out `client_order_id`: a preview places no order, so it must not use up the id.
    const { client_order_id: _, ...terms } = payload
    const body = { action, payload: terms }
    const names = fieldMap.names()
    const connected = wallet.connected()
    if (!connected.ok) return connected
    const { address } = connected.value
    const credential = await credentials.forScope(address, 'account:read')
    if (!credential.ok) return credential
    const answer = await api.call(endpoints.previewRisk, { params: {}, query: {}, body, rawBody: namedPreview(body, names), credential: credential.value })
    const now = wallet.current()?.address ?? 'none'
    if (now !== address) return fail({ kind: 'wrong_wallet', wallet: now, expected: address })
    if (!answer.ok) return fail(taught(answer.failure, sentByPreview(body, names)))
    const { value, receivedAtMs } = answer.value
    return ok({
      executable: value.executable,
      reason: value.reason === null ? null : explainReason(value.reason),
      entryPrice: value.entryPrice,
      liquidationPrice: value.liquidationPrice,
      marginUsdc: value.marginRequired,
      marginUsedBefore: value.marginUsedBefore,
      marginUsedAfter: value.marginUsedAfter,
      healthBefore: value.healthBefore,
      healthAfter: value.healthAfter,
      freeMarginAfterUsdc: value.freeMarginAfter,
      feeUsdc: value.tradingFee,
      networkUsdc: value.network,
      unknownFields: value.unknownFields,
      readAtMs: receivedAtMs,
    })
  }
  return { handlers: { 'account.riskPreview': ({ ticket }) => preview(ticket) } }
}
