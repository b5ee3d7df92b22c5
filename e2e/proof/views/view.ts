import type { Input, Name } from '../../../shared/ipc/contract.ts'

/** One record of a response, under the exchange’s own names. */
export type Row = Readonly<Record<string, unknown>>

/**
 * Where the correct value of a shown field comes from. A string names a field of the exchange’s own response.
 * `said`: the field contains a word, which the app may also show unchanged.
 * `derived`: the value is calculated from several fields of the record (`from`, the decisive one first); null means no value.
 * `or`: another correct value, exact to the cent.
 * `instead`: what the app may show if it does not know the value.
 */
export type Told =
  | string
  | { readonly said: string }
  | { readonly derived: string; readonly from: readonly string[]; readonly value: Saying; readonly or?: Saying; readonly instead?: Saying }

type Saying = (row: Row) => string | number | boolean | null

/** Maps the fields of a record (or of each record in a list) in the app’s query to the fields in the exchange’s response. */
export interface Part {
  /** Dotted path of the record or list in the query’s result; empty: the result itself. */
  readonly shown: string
  /** Dotted path of the same record or list in the exchange’s own response. */
  readonly told: string
  /** For lists: a shown row and a sent row match if these fields are equal. First the shown field’s name, then the sent field’s. */
  readonly by?: readonly [shown: string, told: string]
  readonly fields: Readonly<Record<string, Told>>
  /** Whether the rows come from the app’s own storage, because it could not read the service’s list. */
  readonly ownRows?: (shown: unknown) => boolean
  /** Maximum number of rows in the query’s first result; a longer list continues on the next page. */
  readonly most?: number
  /** Rows that the app may add to the list from other parts of the same response, such as the current state. */
  readonly added?: (told: Row) => readonly Row[]
}

/** One query that the app’s windows use: the route that it reads, and the source of each of its fields. */
export interface View<N extends Name = Name> {
  readonly query: N
  /** Distinguishes views of the same query, such as the tables of `account.history`. */
  readonly variant?: string
  /** The query’s input; null if the query cannot run in this dialect, because an id that it needs does not exist. */
  readonly input: (facts: Facts) => Input<N> | null
  /** Method and path without version or prefix, for example `GET /positions`. */
  readonly route: string
  readonly parts: readonly Part[]
  /** Removes parts of the result that the proof should ignore, such as order book sizes with an unknown unit. */
  readonly stated?: (shown: unknown) => unknown
  /** Name of a list that the app combines from several pages of the service. */
  readonly pages?: string
  /** Fields of the query’s result that come from the app or from another response. */
  readonly own: readonly string[]
  /** Fields of the exchange’s response that the query does not show, by dotted path. */
  readonly unshown: readonly string[]
}

/** The ids and other facts that the queries need as input. */
export interface Facts {
  readonly pairId: number
  readonly clientOrderId: string
  /** Hash of a transaction of the wallet on the chain; null if there is none. */
  readonly txHash: string | null
  /** The app’s reference of an order that the executor executed; null if there is none. */
  readonly execution: string | null
  readonly riskTicket: Input<'account.riskPreview'>['ticket']
}

export const view = <N extends Name>(definition: View<N>): View<N> => definition

export const said = (field: string): Told => ({ said: field })

export const nameOf = ({ query, variant }: Pick<View, 'query' | 'variant'>): string => (variant === undefined ? query : `${query} ${variant}`)
