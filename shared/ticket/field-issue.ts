/** What is wrong with one field of a form, said before anything is sent. */
export interface FieldIssue<Field extends string> {
  readonly field: Field
  /** A sentence for the field, with the market's own limits. */
  readonly text: string
  /** Nothing was typed yet: not to be shown as an error before Review is pressed. */
  readonly untouched: boolean
}

/** What a form says: its issues, and the ticket only when there are none. */
export interface FormReading<Field extends string, Ticket> {
  readonly errors: readonly FieldIssue<Field>[]
  readonly ticket: Ticket | null
}

/** Collects issues in the order of the form. */
export class Issues<Field extends string> {
  readonly list: FieldIssue<Field>[] = []

  /** Gives null, so that a reading can end in it. */
  report(field: Field, text: string, untouched = false): null {
    this.list.push({ field, text, untouched })
    return null
  }

  /** Takes a sentence, or null where all is well. */
  take(field: Field, text: string | null): void {
    if (text !== null) this.report(field, text)
  }

  reading<Ticket>(ticket: Ticket | null): FormReading<Field, Ticket> {
    return { errors: this.list, ticket: this.list.length === 0 ? ticket : null }
  }
}
