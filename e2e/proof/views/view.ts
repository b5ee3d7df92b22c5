import type { Input, Name } from '../../../shared/ipc/contract.ts'

/** One record of a response, under the exchange’s own names. */
export type Row = Readonly<Record<string, unknown>>

/**
 * The truth that a shown field must agree with. By default it is the field of the exchange’s own response with the given name.
 * said: a word that may also appear as the service writes it, because the contract promises the service’s word.
 * derived: calculated from several fields of the same record (`from`, the decisive one first); null: no value. or: another accepted value, exact
 * to the cent.
 * instead: what the app may show if it does not know the value, without being wrong.
 */
export type Told =
  | string
  | { readonly said: string }
  | { readonly derived: string; readonly from: readonly string[]; readonly value: Saying; readonly or?: Saying; readonly instead?: Saying }

type Saying = (row: Row) => string | number | boolean | null

/** Fields of one record, or of each record in a list, on both sides. */
export interface Part {
  /** Dotted path of the record or list in the query’s result; empty: the result itself. */
  readonly shown: string
  /** Dotted path of the same record or list in the exchange’s own response. */
  readonly told: string
  /** For lists on both sides: rows match if these fields agree; the first is the shown name, the second the sent name. */
  readonly by?: readonly [shown: string, told: string]
  readonly fields: Readonly<Record<string, Told>>
  /** Whether the rows are ones that the app read earlier, because the service’s own list was unreadable. */
  readonly ownRows?: (shown: unknown) => boolean
  /** Number of rows in the query’s first result. Further rows of a longer list are on its next page. */
  readonly most?: number
  /** Rows that the app may add to the list from the rest of the same response, as of the time when it was read. */
  readonly added?: (told: Row) => readonly Row[]
}

/** One query of the contract, the route that it reads, and the source of each field. */
export interface View<N extends Name = Name> {
  readonly query: N
  /** Distinguishes views of the same query, such as the tables of `account.history`. */
  readonly variant?: string
  /** null: the query cannot run, because what it needs does not exist. */
  readonly input: (facts: Facts) => Input<N> | null
  /** Method and path under the generator’s name: `GET /positions`. */
  readonly route: string
  readonly parts: readonly Part[]
  /** The result without the parts that do not count as shown. For example, sizes whose unit is unknown are left out. */
  readonly stated?: (shown: unknown) => unknown
  /** The list of which the app shows every page that it read. */
  readonly pages?: string
  /** Fields of the query that do not come from the service’s response, or not from this one. */
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
