import { compare, multiply, signOf } from '../../../shared/decimal.ts'
import type { AccountSummary, Position } from '../../../shared/ipc/reads/account.ts'
import type { RiskThresholds, riskAlerts } from '../../../shared/ipc/reads/risk-alerts.ts'
import { liquidationDistance } from '../../../shared/positions.ts'
import { fail, ok } from '../../../shared/result.ts'
import { numberIssue, typedDecimal } from '../../../shared/ticket/typed-number.ts'
import type { Emit } from '../../kernel/events.ts'
import type { Handlers } from '../../kernel/handlers.ts'
import { lowHealth, nearLiquidation } from '../../kernel/notice-words.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { Records } from '../../store/records/registry.ts'
import type { AccountReader, Subject } from '../history/account-reader.ts'

const off: RiskThresholds = { healthBelow: null, distanceBelow: null }

/** A value has to get a tenth better than its threshold before it is told of again. */
const rearmedAbove = '1.1'

const aboveZero = 'above_zero'

interface Measured {
  readonly name: string
  readonly value: string
  readonly threshold: string
  readonly title: string
  readonly text: string
}

export interface RiskAlertsDeps {
  readonly profile: ProfileFacts
  readonly records: Records
  readonly reader: Pick<AccountReader, 'subject'>
  readonly emit: Emit
}

/**
 * Tells that an account comes close to liquidation, once for each crossing of the user's own thresholds: the service never does. On disk
 * before it is said, so that a restart repeats nothing.
 */
export function createRiskAlerts({ profile, records, reader, emit }: RiskAlertsDeps) {
  const { riskThresholds, riskAlerts: kept } = records
  const keyOf = ({ wallet, watchedAs }: Subject) => ({ profile: profile.id, whose: watchedAs === null ? 'own' : 'watched', wallet })
  const thresholds = (subject: Subject): RiskThresholds => riskThresholds.read(keyOf(subject)) ?? off

  /** `of` says which of the told ones this reading speaks about: a position that is gone is told of again when it comes back. */
  const judge = (subject: Subject, measured: readonly Measured[], of: (name: string) => boolean): void => {
    const told = kept.read(keyOf(subject)) ?? []
    const crossed = measured.filter(({ name, value, threshold }) => !told.includes(name) && compare(value, threshold) < 0)
    const still = measured.filter(({ name, value, threshold }) => told.includes(name) && compare(value, multiply(threshold, rearmedAbove)) < 0)
    const next = [...told.filter((name) => !of(name)), ...still.map(({ name }) => name), ...crossed.map(({ name }) => name)].toSorted()
    if (JSON.stringify(next) !== JSON.stringify(told)) kept.write(keyOf(subject), next)
    const whose = subject.watchedAs === null ? '' : `${subject.watchedAs}: `
    const to = subject.watchedAs === null ? '/account' : `/account?watch=${subject.wallet}`
    for (const { title, text } of crossed) emit({ type: 'notice', severity: 'danger', title: `${whose}${title}`, text, to, system: true })
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
        if (text !== null && (value === null || signOf(value) <= 0))
          return fail({ kind: 'bad_input', field, issue: value === null ? numberIssue(text, aboveZero) : aboveZero })
      }
      riskThresholds.write(keyOf(subject.value), read)
      // What is below a new threshold is news.
      kept.delete(keyOf(subject.value))
      return ok(read)
    },
  }

  return {
    handlers,
    /** Whether anything is to be told of this account. */
    watches: (subject: Subject): boolean => {
      const { healthBelow, distanceBelow } = thresholds(subject)
      return healthBelow !== null || distanceBelow !== null
    },
    look: (subject: Subject, { summary, positions }: { readonly summary?: AccountSummary; readonly positions?: readonly Position[] }): void => {
      const { healthBelow, distanceBelow } = thresholds(subject)
      if (summary?.healthFactor != null && healthBelow !== null) {
        const value = summary.healthFactor
        judge(subject, [{ name: 'health', value, threshold: healthBelow, ...lowHealth(value, healthBelow) }], (name) => name === 'health')
      }
      if (positions !== undefined && distanceBelow !== null)
        judge(
          subject,
          positions.flatMap((position): Measured[] => {
            const value = liquidationDistance(position.markPrice, position.liquidationPrice)
            if (value === null) return []
            const called = `${position.symbol ?? `Market ${position.pairId}`} ${position.side}`
            return [
              {
                name: `${position.pairId}/${position.side}`,
                value,
                threshold: distanceBelow,
                ...nearLiquidation({
                  name: called,
                  distance: value,
                  mark: position.markPrice ?? '0',
                  liquidation: position.liquidationPrice ?? '0',
                  threshold: distanceBelow,
                }),
              },
            ]
          }),
          (name) => name !== 'health',
        )
    },
  }
}
