import type { ReceiverTestCheck, ReceiverTestRun } from '../../../../shared/ipc/webhooks/receiver-test.ts'
import type { ChipTone } from '../../../kit/chip.tsx'
import type { IconName } from '../../../kit/icons/icon.tsx'

interface Verdict {
  readonly tone: ChipTone
  readonly icon: IconName
  readonly words: string
}

/** How a test stands or ended. What is unknown is not counted as passed. */
export function verdictWords({ verdict, checks, planned }: Pick<ReceiverTestRun, 'verdict' | 'checks' | 'planned'>): Verdict {
  const count = (result: ReceiverTestCheck['result']) => checks.filter((check) => check.result === result).length
  const [passed, failed] = [count('passed'), count('failed')]
  const of = planned.length
  if (verdict === null) return { tone: failed === 0 ? 'neutral' : 'warn', icon: 'hourglass', words: `${checks.length} of ${of}` }
  if (failed > 0) return { tone: 'warn', icon: 'warn', words: `${passed} of ${of} pass` }
  if (verdict === 'stopped') return { tone: 'neutral', icon: 'pause', words: `stopped, ${passed} pass` }
  return passed === of
    ? { tone: 'ok', icon: 'check', words: 'all pass' }
    : { tone: 'neutral', icon: 'unknown', words: `${passed} pass, ${of - passed} unknown` }
}

export const resultLooks: Readonly<Record<ReceiverTestCheck['result'], { readonly icon: IconName; readonly word: string }>> = {
  passed: { icon: 'check', word: 'Passed:' },
  failed: { icon: 'x', word: 'Failed:' },
  unknown: { icon: 'unknown', word: 'Unknown:' },
}

/** Begun with a capital, but for names of events. */
export const asSentence = (words: string): string => (/^\w+\.\w/.test(words) ? words : `${words.charAt(0).toUpperCase()}${words.slice(1)}`)

/** What was answered, of a check that went well; null where that is not to be told in two words. */
export function answersText({ result, exchanges }: Pick<ReceiverTestCheck, 'result' | 'exchanges'>): string | null {
  const forged = exchanges.filter(({ sent }) => sent.altered !== null)
  const told = (forged.length === 0 ? exchanges : forged).map(({ answered }) => answered)
  const statuses = [...new Set(told.map(({ status }) => status ?? 'none'))]
  const [first] = told
  if (result !== 'passed' || first === undefined) return null
  if (forged.length > 0) return statuses.join(', ')
  return told.length === 1 ? `${first.status}, ${first.ms} ms` : statuses.length === 1 ? `${told.length} × ${first.status}` : null
}

/** Why a check ended as it did; without what it sent, which its title says already. */
export const shortWhy = ({ result, why }: Pick<ReceiverTestCheck, 'result' | 'why'>): string =>
  asSentence(result === 'failed' ? why.slice(why.indexOf(': ') + 1).trim() : why)
