import type { Input, Name } from '../../../shared/ipc/contract.ts'

/** One record of a response, under the exchange’s own names. */
export type Row = Readonly<Record<string, unknown>>

/**
 * The correct value of a field that the app shows. A string names the field of the exchange’s own response that has this value.
 * `said`: a word; the app may also show it as the service writes it.
 * `derived`: calculated from several fields of the same record (`from`, the decisive one first); null means no value.
 * `or`: another accepted value, exact to the cent.
 * `instead`: what the app may show if it does not know the value.
 */
export type Told =
  | string
  | { readonly said: string }
  | { readonly derived: string; readonly from: readonly string[]; readonly value: Saying; readonly or?: Saying; readonly instead?: Saying }

type Saying = (row: Row) => string | number | boolean | null

/** How the fields of one record, or of each record in a list, correspond: those of the app’s query to those of the exchange’s response. */
export interface Part {
  /** Dotted path of the record or list in the query’s result; empty: the result itself. */
  readonly shown: string
  /** Dotted path of the same record or list in the exchange’s own response. */
  readonly told: string
  /**
   * For lists: a shown row and a sent row belong together if these fields are equal. The first name is that of the shown field, the second that
   * of the sent field.
   */
  readonly by?: readonly [shown: string, told: string]
  readonly fields: Readonly<Record<string, Told>>
  /** Whether the rows are older ones that the app stored itself, because it could not read the service’s list. */
  readonly ownRows?: (shown: unknown) => boolean
  /** Number of rows in the query’s first result. Further rows of a longer list are on its next page. */
  readonly most?: number
  /** Rows that the app may add to the list. It derives them from other parts of the same response, such as the current state. */
  readonly added?: (told: Row) => readonly Row[]
}

/** One query that the app’s windows use: the route that it reads, and the source of each of its fields. */
export interface View<N extends Name = Name> {
  readonly query: N
  /** Distinguishes views of the same query, such as the tables of `account.history`. */
  readonly variant?: string
  /** The input of the query. Null if the query cannot run in this dialect, because something that it needs does not exist. */
  readonly input: (facts: Facts) => Input<N> | null
  /** Method and path without version or prefix, for example `GET /positions`. */
  readonly route: string
  readonly parts: readonly Part[]
  /** Removes parts of the result that do not count as shown, for example order book sizes whose unit is unknown. */
  readonly stated?: (shown: unknown) => unknown
  /** Name of a list that the app combines from all pages that it has read. */
  readonly pages?: string
  /** Fields of the query that do not come from the service, or that come from another response. */
  readonly own: readonly string[]
  /** Fields of the exchange’s response that the query does not show, by dotted path. */
  readonly unshown: readonly string[]
}

/** The ids and other facts that the queries need as input. */
export interface Facts {
  readonly pairId: number
  readonly clientOrderId: string
  /** null: the wallet has no transaction on the chain. */
  readonly txHash: string | null
  /** The app’s reference of a delegated execution; null: there is none. */
  readonly execution: string | null
  readonly riskTicket: Input<'account.riskPreview'>['ticket']
}

export const view = <N extends Name>(definition: View<N>): View<N> => definition

export const said = (field: string): Told => ({ said: field })

export const nameOf = ({ query, variant }: Pick<View, 'query' | 'variant'>): string => (variant === undefined ? query : `${query} ${variant}`)
