import { z } from 'zod'
import { compare, formatDecimal, multiply, signOf } from '../../../shared/decimal.ts'
import type { AccountSummary, Position } from '../../../shared/ipc/reads/account.ts'
import type { riskAlerts } from '../../../shared/ipc/reads/risk-alerts.ts'
import { RiskThresholds } from '../../../shared/ipc/reads/risk-alerts.ts'
import { liquidationDistance } from '../../../shared/positions.ts'
import { fail, ok } from '../../../shared/result.ts'
import { numberIssue, typedDecimal } from '../../../shared/ticket/typed-number.ts'
import type { Emit } from '../../kernel/events.ts'
import type { Handlers } from '../../kernel/handlers.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { Values } from '../../store/journal/journal.ts'
import { readRecord, readValue } from '../../store/journal/kept-record.ts'
import type { AccountReader, Subject } from '../history/account-reader.ts'

const off: RiskThresholds = { healthBelow: null, distanceBelow: null }

/** A value has to get a tenth better than its threshold before it is told of again. */
const rearmedAbove = '1.1'

const aboveZero = 'Give a number above zero.'

/** What was told of and has not recovered: `health`, or a position's market and side. */
const Told = z.array(z.string())

interface Measured {
  readonly name: string
  readonly value: string
  readonly threshold: string
  readonly title: string
  readonly text: string
}

export interface RiskAlertsDeps {
  readonly profile: ProfileFacts
  readonly values: Values
  readonly reader: Pick<AccountReader, 'subject'>
  readonly emit: Emit
}

/**
 * Tells that an account comes close to liquidation, once for each crossing of the user's own thresholds: the service never does. On disk
 * before it is said, so that a restart repeats nothing.
 */
export function createRiskAlerts({ profile, values, reader, emit }: RiskAlertsDeps) {
  const nameOf = ({ wallet, watchedAs }: Subject) => `alerts/${profile.id}/${watchedAs === null ? 'own' : 'watched'}/${wallet}`
  const thresholds = (subject: Subject): RiskThresholds => readValue(values, `${nameOf(subject)}/thresholds`, RiskThresholds) ?? off

  /** `of` says which of the told ones this reading speaks about: a position that is gone is told of again when it comes back. */
  const judge = (subject: Subject, measured: readonly Measured[], of: (name: string) => boolean): void => {
    const stored = `${nameOf(subject)}/told`
    const told = readRecord(Told, values.get(stored)) ?? []
    const crossed = measured.filter(({ name, value, threshold }) => !told.includes(name) && compare(value, threshold) < 0)
    const still = measured.filter(({ name, value, threshold }) => told.includes(name) && compare(value, multiply(threshold, rearmedAbove)) < 0)
    const next = [...told.filter((name) => !of(name)), ...still.map(({ name }) => name), ...crossed.map(({ name }) => name)].toSorted()
    if (JSON.stringify(next) !== JSON.stringify(told)) values.set(stored, JSON.stringify(next))
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
      values.set(`${nameOf(subject.value)}/thresholds`, JSON.stringify(read))
      // What is below a new threshold is news.
      values.set(`${nameOf(subject.value)}/told`, null)
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
        const text = `It is below your ${formatDecimal(healthBelow)}. Add collateral, or make positions smaller.`
        judge(
          subject,
          [{ name: 'health', value, threshold: healthBelow, title: `Health factor ${formatDecimal(value, { decimals: 2 })}`, text }],
          (name) => name === 'health',
        )
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
                title: `${called} is ${formatDecimal(value, { decimals: 1 })} % from liquidation`,
                text: `Mark ${formatDecimal(position.markPrice ?? '0')}, liquidation ${formatDecimal(position.liquidationPrice ?? '0')}. Your threshold is ${formatDecimal(distanceBelow)} %.`,
              },
            ]
          }),
          (name) => name !== 'health',
        )
    },
  }
}
