import type { Handover } from '../../../../shared/ipc/keys/secrets.ts'
import { ok } from '../../../../shared/result.ts'
import { wordOf } from './parts.ts'
import { contentOf, type PlanResult, wrong } from './plan.ts'

/** Any program that reads a secret from its input. */
export function planCommand({ words, content }: Extract<Handover, { target: 'command' }>['options']): PlanResult {
  const [program] = words
  if (program === undefined || program === '') return wrong('words', 'needed')
  for (const word of words) {
    const checked = wordOf('words', word)
    if (!checked.ok) return checked
  }
  if (program.startsWith('-')) return wrong('words', 'the first word is a program')
  return ok({
    words,
    input: contentOf(content),
    remote: null,
    to: words.join(' '),
    sentence: `Starts ${program} with the secret on its input.`,
    notes: ['What the program does with it is not known here.', 'No shell reads the words: $, *, | and > are plain characters.'],
  })
}
