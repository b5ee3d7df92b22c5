import { type FieldMap, noHabits } from '../../../shared/api/reader/field.ts'
import { PreparedAction } from '../../../shared/api/schemas/prepared-action-resources.ts'
import { parseJson } from '../../../shared/foreign/parse-json.ts'
import type { CheckedResource, CheckOutcome } from '../../../shared/ipc/host/service-check.ts'
import { keptPreparation } from '../../intents/prepare/prepare.ts'
import { type Judged, judge, type Known, knownOf } from './judge-answer.ts'
import { type Step, tellingSteps } from './steps.ts'
import type { CheckStore, StoredStep } from './stored-check.ts'

interface CheckAnswersDeps {
  readonly store: Pick<CheckStore, 'answer' | 'keepAnswer'>
  readonly fieldMap: () => FieldMap | undefined
}

/** The answers to a check's steps, and how the app reads them with the current field map. */
export function createCheckAnswers({ store, fieldMap }: CheckAnswersDeps) {
  /** Complete answers of this run of the app. The store has only copies without secrets. */
  const fresh = new Map<string, unknown>()
  const freshName = (address: string, id: string) => `${address.toLowerCase()}/${id}`
  const of = (address: string, id: string): unknown => {
    const held = fresh.get(freshName(address, id))
    if (held !== undefined) return held
    const text = store.answer(address, id)
    const json = text === null ? undefined : parseJson(text)
    if (json !== undefined) fresh.set(freshName(address, id), json)
    return json
  }

  const habits = noHabits()
  /** Judgements by step. Cached, because the window reads the whole state after each step. */
  const judgements = new Map<string, { readonly json: unknown; readonly map: unknown; readonly found: Judged }>()
  const judged = (step: Step, json: unknown): Judged => {
    const map = fieldMap()
    const before = judgements.get(step.id)
    if (before !== undefined && before.json === json && before.map === map) return before.found
    const found = judge(step.endpoint.response, json, map, habits)
    judgements.set(step.id, { json, map, found })
    return found
  }

  /** The last result of `known` and the answers it was read from. Cached, because every step needs it. */
  let lastKnown: { readonly from: readonly unknown[]; readonly known: Known } | null = null

  return {
    of,
    keep: (address: string, step: Step, json: unknown, raw: string): void => {
      const reading = step.kind === 'prepare' ? PreparedAction.read(json) : null
      store.keepAnswer(address, step.id, reading?.ok === true ? keptPreparation(raw, reading.value) : raw)
      fresh.set(freshName(address, step.id), json)
    },
    judged,
    /** Judges the answer to a step with the current field map. If the answer is not stored, returns the outcome that was stored with the step. */
    judgedNow: (
      step: Step,
      kept: StoredStep | undefined,
      json: unknown,
    ): { readonly outcome: CheckOutcome; readonly resources: readonly CheckedResource[] } => {
      const judgeable = kept !== undefined && json !== undefined && ['read', 'partly', 'not', 'empty'].includes(kept.outcome)
      return judgeable ? judged(step, json) : { outcome: kept?.outcome ?? 'waiting', resources: [] }
    },
    /**
     * Judges an answer as if `map` were the field map. If `map` has the same entries for the answer's resources as the current field map, returns
     * the cached judgement.
     */
    judgedWith: (step: Step, json: unknown, map: FieldMap | undefined): readonly CheckedResource[] => {
      const { resources } = judged(step, json)
      const now = fieldMap()
      return resources.every(({ resource }) => map?.[resource] === now?.[resource]) ? resources : judge(step.endpoint.response, json, map).resources
    },
    /** Returns the values that later steps need from the answers so far. */
    known: (address: string, commandId: string | null): Known => {
      const answers = new Map(
        [...tellingSteps].flatMap((id) => {
          const answer = of(address, id)
          return answer === undefined ? [] : [[id, answer] as const]
        }),
      )
      const map = fieldMap()
      const from = [map, commandId, ...[...answers].flat()]
      if (lastKnown === null || lastKnown.from.length !== from.length || lastKnown.from.some((one, index) => one !== from[index]))
        lastKnown = { from, known: knownOf(answers, map, commandId) }
      return lastKnown.known
    },
  }
}
export type CheckAnswers = ReturnType<typeof createCheckAnswers>
