import type { Comparison } from '../../shared/ipc/intents/signing.ts'
import type { Compared } from '../../shared/signing/comparison.ts'
import type { ExplainedTransactions } from '../../shared/signing/transactions/transactions.ts'
import { blockedText, comparisonText, lineName, lineValueText, openTexts } from '../../shared/text/comparison-text.ts'

/** Returns a comparison together with the texts that the signing sheet shows for it. */
export const spoken = (comparison: Comparison) => ({
  ...comparison,
  sentence: comparisonText(comparison),
  unmatched: openTexts(comparison),
  lines: comparison.lines.map((line) => ({
    ...line,
    label: lineName(line),
    asked: line.asked === null ? null : lineValueText(line.asked),
    signed: line.signed === null ? null : lineValueText(line.signed),
  })),
})

/** Returns a result whose comparison also contains the texts that the signing sheet shows. */
export function spokenResult<T extends Pick<Compared, 'comparison'>>({ comparison, ...rest }: T) {
  return { ...rest, comparison: spoken(comparison) }
}

/**
 * Returns transactions together with the texts that the signing sheet shows for them. `sentence`: why the transactions are blocked, or else the first
 * transaction that the user must confirm.
 */
export function spokenTransactions(explained: ExplainedTransactions) {
  const { blocked, steps } = explained
  const open = steps.find(({ compared }) => compared.comparison.verdict === 'confirm')
  const sentence = blocked === null ? open && comparisonText(open.compared.comparison) : blockedText(blocked)
  return { ...explained, sentence: sentence ?? null, steps: steps.map((step) => ({ ...step, compared: spokenResult(step.compared) })) }
}
