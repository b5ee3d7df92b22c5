import type { Asks } from '../../../shared/ipc/intents/signing.ts'

type Field = Extract<Asks, { readonly kind: 'unknown_field' | 'exit_extra' }>

/** What is asked about a field by its name. No honest order of an agreed signing format asks this. */
export function fieldText(asks: Field, noun: string): { readonly title: string; readonly text: string } {
  if (asks.value === null)
    return {
      title: `This message does not say its ${asks.field}`,
      text: `The exchange decides what your ${noun} does without it. Only continue if you accept that.`,
    }
  const holds = `It carries “${asks.value}” in the field “${asks.field}”.`
  return asks.kind === 'exit_extra'
    ? { title: `This message does more than your ${noun}`, text: `${holds} You can sign it, since it still ends what you asked to end. Read the field first.` }
    : { title: 'This message carries something you did not ask for', text: `${holds} Ask the exchange what it is. If you are not sure, do not sign.` }
}

export const completeText = (noun: string): string =>
  `Every value equals your ${noun}, and nothing is left over. Remember this form once, and it is known from then on.`
