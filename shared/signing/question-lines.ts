import type { ComparisonLine } from '../ipc/intents/signing.ts'
import type { TypedLeaf } from './message/typed-data.ts'
import type { Question } from './question-kinds.ts'

/** The lines of one question: one for each value that answers it. */
export function linesOf<Role extends string>(question: Question<Role>, leaves: readonly TypedLeaf[]): readonly ComparisonLine[] {
  const base = { label: question.label, asked: question.asked, unit: question.unit, group: 'order' } as const
  if (leaves.length === 0) {
    const unsaid = { ...base, id: question.role, signed: null, field: null, verdict: 'unmatched', remark: null } as const
    return question.unused || question.optional === true ? [] : [question.needed === true ? { ...unsaid, code: 'needed' } : unsaid]
  }
  return leaves.map((leaf, index) => {
    const said = question.said(leaf)
    // A message that says one thing twice must say it right twice.
    return {
      ...base,
      id: index === 0 ? question.role : `${question.role}.${index + 1}`,
      signed: said.text,
      field: leaf.path,
      verdict: said.verdict,
      remark: said.remark ?? null,
      ...(said.code === undefined ? {} : { code: said.code }),
    }
  })
}

/** Fields that the order does not use and that are empty share one line. */
export function foldUnused(lines: readonly { readonly line: ComparisonLine; readonly unused: boolean }[]): readonly ComparisonLine[] {
  const folded = lines.filter(({ line, unused }) => unused && line.verdict === 'match').map(({ line }) => line.field)
  const kept = lines.filter(({ line, unused }) => !unused || line.verdict !== 'match').map(({ line }) => line)
  if (folded.length === 0) return kept
  return [
    ...kept,
    {
      id: 'unused',
      label: 'Not used',
      asked: 'Nothing',
      signed: 'Nothing',
      unit: null,
      field: folded.join(', '),
      verdict: 'match',
      remark: null,
      group: 'order',
    },
  ]
}
